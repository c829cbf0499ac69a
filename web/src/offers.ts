import { html } from "./svg.ts";

/** What a reader may do about what they are told. */
export interface Choice {
  readonly label: string;
  readonly act: () => void;
}

/** The lines above the editor that say whose program it shows, and what else there is. */
export class Offers {
  readonly #place: HTMLElement;

  constructor(place: HTMLElement) {
    this.#place = place;
    place.ariaLive = "polite";
    place.replaceChildren(); // the server's own lines are for pages without a script
  }

  /** Shows a line; another one of the same name goes. Choosing takes the line away. */
  make(name: string, said: readonly (string | Node)[], ...choices: readonly Choice[]): HTMLElement {
    this.drop(name);
    const line = html("div", "offer");
    line.dataset["offer"] = name;
    const text = html("span", "");
    text.append(...said);
    line.append(text);
    for (const { label, act } of choices) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
      button.addEventListener("click", () => {
        this.drop(name);
        act();
      });
      line.append(button);
    }
    this.#place.append(line);
    return line;
  }

  drop(name: string): void {
    this.#place.querySelector(`[data-offer="${name}"]`)?.remove();
  }
}
