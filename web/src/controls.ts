import type { Rule } from "./protocol.ts";
import { limits, type State } from "./state.ts";
import { part } from "./svg.ts";

/** What a reader asked for. */
export type Wish =
  | { kind: "add" | "remove" | "back" | "reset" }
  | { kind: "away"; tower: number }
  | { kind: "slide"; points: number }
  | { kind: "settle" }
  | { kind: "points"; points: number }
  | { kind: "follow"; rule: Rule };

/** The slider, the buttons and the switch of one ring: turns events into wishes, states into looks. */
export class Controls {
  readonly #dial: HTMLInputElement;
  readonly #output: HTMLElement;

  constructor(
    private readonly root: HTMLElement,
    private readonly wish: (wish: Wish) => void,
    signal: AbortSignal,
  ) {
    this.#dial = part<HTMLInputElement>(root, ".dial input");
    this.#output = part(root, ".dial output");
    this.#dial.addEventListener("input", () => wish({ kind: "slide", points: Number(this.#dial.value) }), { signal });
    this.#dial.addEventListener("change", () => wish({ kind: "settle" }), { signal });
    root.addEventListener("click", (event) => this.#click(event.target), { signal });
    root.addEventListener("change", (event) => this.#change(event.target), { signal });
  }

  #click(target: EventTarget | null): void {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    const act = button.dataset["act"];
    if (act === "add" || act === "remove" || act === "back" || act === "reset") this.wish({ kind: act });
    else if (button.matches(".away")) this.#away(button);
    else if (button.matches(".presets button")) this.wish({ kind: "points", points: Number(button.value) });
  }

  /** A row goes with its button, so the keyboard is handed to the next one. */
  #away(button: HTMLButtonElement): void {
    const row = button.closest("li");
    const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
    const heir = neighbour?.querySelector<HTMLElement>(".away") ?? this.#act("add");
    if (document.activeElement === button) heir.focus();
    this.wish({ kind: "away", tower: Number(button.value) });
  }

  #change(target: EventTarget | null): void {
    if (target instanceof HTMLInputElement && target.type === "radio") {
      this.wish({ kind: "follow", rule: target.value as Rule });
    }
  }

  /** Shows a state; before this all controls are asleep. */
  show(state: State, past: boolean, changed: boolean): void {
    const towers = state.after.length;
    this.#dial.disabled = false;
    this.#dial.value = String(state.points);
    this.#output.textContent = String(state.points);
    for (const preset of this.root.querySelectorAll<HTMLButtonElement>(".presets button")) {
      preset.disabled = false;
      preset.setAttribute("aria-pressed", String(Number(preset.value) === state.points));
    }
    for (const radio of this.root.querySelectorAll<HTMLInputElement>(".watch input")) {
      radio.disabled = false;
      radio.checked = radio.value === state.follow;
    }
    for (const away of this.root.querySelectorAll<HTMLButtonElement>(".away")) away.disabled = false;
    this.#enable("add", towers < limits.towers);
    this.#enable("remove", towers > 0);
    this.#enable("back", past);
    this.#enable("reset", changed);
  }

  /** A button that has nothing to do keeps the keyboard: handing it on would make the next press
   * of Enter do something else. */
  #enable(act: string, on: boolean): void {
    const button = this.#act(act);
    button.disabled = false;
    button.setAttribute("aria-disabled", String(!on));
  }

  #act(act: string): HTMLButtonElement {
    return part<HTMLButtonElement>(this.root, `[data-act=${act}]`);
  }
}
