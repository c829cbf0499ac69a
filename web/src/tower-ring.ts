import { Chart } from "./chart.ts";
import { Controls, type Wish } from "./controls.ts";
import { Flight } from "./flight.ts";
import { readFragment, writeFragment } from "./fragment.ts";
import { Panel } from "./panel.ts";
import type { Frame } from "./protocol.ts";
import { RingHost, type RingLine } from "./ring-host.ts";
import { readSettings, type Settings } from "./settings.ts";
import { joined, left, read, same, sameFleet, write, type State } from "./state.ts";
import { html, part, svg } from "./svg.ts";

/** A ring of towers to play with. The server has drawn its first frame; this takes over in place. */
export class TowerRing extends HTMLElement {
  #settings!: Settings;
  #state!: State;
  #past: State[] = [];
  /** The state before the slider was taken hold of; all of one drag, or of one run of keys, is one
   * step back. */
  #held: State | undefined;
  #letGo = 0;
  /** The tower whose row is pointed at. */
  #looked: string | undefined;
  #line: RingLine | undefined;
  #parts: { chart: Chart; flight: Flight; panel: Panel; controls: Controls } | undefined;
  /** The newest frame that is not drawn yet. */
  #frame: Frame | undefined;
  #visible = false;
  #awake = false;
  /** Set when the next frame shows letters changing hands. */
  #flies = false;
  #writing = 0;
  #life = new AbortController();

  connectedCallback(): void {
    this.#life = new AbortController();
    this.#settings = readSettings(this);
    this.#state = this.#settings.state;
    const { signal } = this.#life;
    const drawing = part<SVGSVGElement>(this, "svg.ring");
    this.#parts = {
      chart: new Chart(drawing),
      flight: new Flight(drawing),
      panel: new Panel(part(this, ".tr-panel")),
      controls: new Controls(this, (wish) => this.#grant(wish), signal),
    };
    this.#dimOthers(signal);
    this.#readLink();
    window.addEventListener("hashchange", () => this.#readLink(), { signal });
    window.addEventListener("pagehide", () => this.#writeLink(), { signal });
    window.addEventListener("online", () => this.#retry(), { signal });
    const watcher = new IntersectionObserver((entries) => this.#see(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: "200px",
    });
    watcher.observe(this);
    signal.addEventListener("abort", () => watcher.disconnect());
  }

  disconnectedCallback(): void {
    this.#life.abort();
    clearTimeout(this.#writing);
    clearTimeout(this.#letGo);
    this.#parts?.panel.close();
    this.#parts?.flight.rest();
    this.#line?.close();
    this.#line = undefined;
    this.#awake = false;
  }

  /** Pictures wake when they are first seen, and keep still while they are not. */
  #see(visible: boolean): void {
    this.#visible = visible;
    if (!visible) this.#parts?.flight.rest();
    if (!visible || this.#line) return;
    if (typeof WebAssembly === "undefined" || typeof Worker === "undefined") {
      this.#broken("This browser cannot run the ring: it has no WebAssembly.");
      return;
    }
    const host = RingHost.for(this.dataset["worker"] ?? "", this.dataset["wasm"] ?? "");
    this.#line = host.open(this.#settings.crowd);
    this.#line.oncounts = (counts) => this.#parts?.panel.count(counts, this.#awake);
    this.#line.onframe = (frame) => this.#show(frame);
    this.#line.onfault = (why) => this.#broken(`The ring’s program did not arrive (${why}).`, true);
    this.#line.ask(this.#state);
  }

  #grant(wish: Wish): void {
    if (wish.kind !== "slide" && wish.kind !== "settle") this.#release();
    const now = this.#state;
    switch (wish.kind) {
      case "add":
        return this.#go(joined(now), true);
      case "remove":
        return this.#go(left(now, Math.max(...now.after)), true);
      case "away":
        return this.#go(left(now, wish.tower), true);
      case "points":
        return this.#go({ ...now, points: wish.points }, false);
      case "follow":
        return this.#go({ ...now, follow: wish.rule }, true);
      case "slide":
        this.#held ??= now;
        clearTimeout(this.#letGo);
        return this.#become({ ...now, points: wish.points }, false);
      case "settle":
        clearTimeout(this.#letGo);
        this.#letGo = window.setTimeout(() => this.#release(), 600);
        return;
      case "back":
        return this.#become(this.#past.pop() ?? now, false);
      case "reset":
        return this.#go(this.#settings.state, false);
    }
  }

  /** The slider has come to rest: where it came from becomes a step to go back to. */
  #release(): void {
    clearTimeout(this.#letGo);
    if (this.#held && !same(this.#held, this.#state)) this.#past.push(this.#held);
    this.#held = undefined;
  }

  #go(next: State, flies: boolean): void {
    if (same(this.#state, next)) return;
    this.#past.push(this.#state);
    this.#become(next, flies);
  }

  #become(next: State, flies: boolean): void {
    if (!sameFleet(this.#state.after, next.after)) this.#look(undefined);
    if (this.#awake) this.#fault(undefined);
    this.#state = next;
    this.#flies = flies;
    this.#showControls();
    this.#line?.ask(next);
    clearTimeout(this.#writing);
    this.#writing = window.setTimeout(() => this.#writeLink(), 200);
  }

  #showControls(): void {
    if (!this.#awake) return;
    const past = this.#past.length > 0 || (this.#held !== undefined && !same(this.#held, this.#state));
    this.#parts?.controls.show(this.#state, past, !same(this.#state, this.#settings.state));
  }

  /** The picture follows the numbers with the next frame of the screen. */
  #show(frame: Frame): void {
    if (this.#frame === undefined) requestAnimationFrame(() => this.#draw());
    this.#frame = frame;
  }

  #draw(): void {
    const frame = this.#frame;
    this.#frame = undefined;
    if (!frame || !this.#parts || !this.isConnected) return;
    const { chart, flight, panel } = this.#parts;
    flight.rest();
    const movers = chart.draw(frame);
    panel.draw(frame);
    this.#look(this.#looked);
    this.#awake = true;
    part(this, ".waking").hidden = true;
    this.#showControls();
    if (!same(frame.question, this.#state)) return; // a newer one is under way
    if (this.#flies && this.#visible && !sameFleet(this.#state.before, this.#state.after)) flight.start(movers);
    this.#flies = false;
    this.dataset["shown"] = write(this.#state);
    this.dataset["took"] = frame.took.toFixed(2);
  }

  #broken(what: string, again = false): void {
    this.#awake = false;
    part(this, ".waking").hidden = true;
    this.#fault(`${what} The picture and its numbers are right all the same; only the buttons are missing.`, again);
  }

  /** Asks for the ring's program once more, where it failed to come. */
  #retry(): void {
    if (this.#awake || !this.querySelector(":scope > .fault button")) return;
    this.#fault(undefined);
    part(this, ".waking").hidden = false;
    this.#line?.close();
    this.#line = undefined;
    this.#see(this.#visible);
  }

  /** One sentence above the picture; undefined takes it away. */
  #fault(sentence: string | undefined, again = false): void {
    this.querySelector(":scope > .fault")?.remove();
    if (sentence === undefined) return;
    const line = html("div", "fault");
    line.setAttribute("role", "status");
    const words = html("span", "", sentence);
    if (again) {
      const button = html("button", "btn", "Try again");
      button.setAttribute("type", "button");
      button.addEventListener("click", () => this.#retry());
      words.append(" ", button);
    }
    line.append(svg("svg", { class: "glyph", "aria-hidden": "true" }, svg("use", { href: "#s-crashed" })), words);
    this.prepend(line);
  }

  #readLink(): void {
    const figure = this.#figure;
    const { text, fault } = readFragment(figure, figure === "fig-1");
    if (fault !== undefined) return this.#fault(`${fault} Here is the lesson’s own picture instead.`);
    if (text === undefined && location.hash === "" && this.#awake) this.#go(this.#settings.state, false); // the way back
    if (text === undefined || text === write(this.#state)) return;
    try {
      const linked = read(text, this.#settings.state, this.#settings.followed);
      this.#fault(undefined);
      if (same(linked, this.#state)) return;
      if (this.#awake) this.#past.push(this.#state);
      else if (figure !== "fig-1") this.closest("figure")?.scrollIntoView();
      this.#state = linked;
      this.#showControls();
      this.#line?.ask(linked);
    } catch (fault) {
      this.#fault(`${fault instanceof Error ? fault.message : String(fault)} Here is the lesson’s own picture instead.`);
    }
  }

  #writeLink(): void {
    const own = same(this.#state, this.#settings.state);
    writeFragment(this.#figure, own ? undefined : write(this.#state));
  }

  get #figure(): string {
    return this.closest("figure")?.id ?? this.id;
  }

  /** While a tower's row is pointed at, the other towers stand back. */
  #dimOthers(signal: AbortSignal): void {
    const list = part(this, "[data-loads]");
    const row = (target: EventTarget | null): string | undefined =>
      target instanceof Element ? target.closest<HTMLElement>(".load")?.dataset["id"] : undefined;
    const mouse = (event: PointerEvent): void => {
      if (event.pointerType === "mouse") this.#look(row(event.target));
    };
    const keyboard = (event: FocusEvent): void => {
      if (event.target instanceof Element && event.target.matches(":focus-visible")) this.#look(row(event.target));
    };
    list.addEventListener("pointerover", mouse, { signal });
    list.addEventListener("focusin", keyboard, { signal });
    for (const type of ["pointerleave", "focusout"]) list.addEventListener(type, () => this.#look(undefined), { signal });
  }

  #look(tower: string | undefined): void {
    this.#looked = tower;
    const drawing = part<SVGSVGElement>(this, "svg.ring");
    drawing.toggleAttribute("data-look", tower !== undefined);
    for (const path of drawing.querySelectorAll<SVGElement>(".arc, .letters")) {
      path.classList.toggle("look", tower !== undefined && path.dataset["id"] === tower);
    }
  }
}
