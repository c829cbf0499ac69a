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
  /** The state before the slider was taken hold of; all of one drag is one step back. */
  #held: State | undefined;
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
    this.#dimOthers(drawing, signal);
    this.#readLink();
    window.addEventListener("hashchange", () => this.#readLink(), { signal });
    const watcher = new IntersectionObserver((entries) => this.#see(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: "200px",
    });
    watcher.observe(this);
    signal.addEventListener("abort", () => watcher.disconnect());
  }

  disconnectedCallback(): void {
    this.#life.abort();
    clearTimeout(this.#writing);
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
      this.#broken("it has no WebAssembly");
      return;
    }
    const host = RingHost.for(this.dataset["worker"] ?? "", this.dataset["wasm"] ?? "");
    this.#line = host.open(this.#settings.crowd);
    this.#line.oncounts = (counts) => this.#parts?.panel.count(counts, this.#awake);
    this.#line.onframe = (frame) => this.#show(frame);
    this.#line.onfault = (why) => this.#broken(why);
    this.#line.ask(this.#state);
  }

  #grant(wish: Wish): void {
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
        return this.#become({ ...now, points: wish.points }, false);
      case "settle":
        if (this.#held && !same(this.#held, now)) this.#past.push(this.#held);
        this.#held = undefined;
        return this.#showControls();
      case "back":
        return this.#become(this.#past.pop() ?? now, false);
      case "reset":
        return this.#go(this.#settings.state, false);
    }
  }

  #go(next: State, flies: boolean): void {
    if (same(this.#state, next)) return;
    this.#past.push(this.#state);
    this.#become(next, flies);
  }

  #become(next: State, flies: boolean): void {
    this.#state = next;
    this.#flies = flies;
    this.#showControls();
    this.#line?.ask(next);
    clearTimeout(this.#writing);
    this.#writing = window.setTimeout(() => this.#writeLink(), 200);
  }

  #showControls(): void {
    if (!this.#awake) return;
    this.#parts?.controls.show(this.#state, this.#past.length > 0, !same(this.#state, this.#settings.state));
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
    this.#awake = true;
    part(this, ".waking").hidden = true;
    this.#showControls();
    if (!same(frame.question, this.#state)) return; // a newer one is under way
    if (this.#flies && this.#visible && !sameFleet(this.#state.before, this.#state.after)) flight.start(movers);
    this.#flies = false;
    this.dataset["shown"] = write(this.#state);
    this.dataset["took"] = frame.took.toFixed(2);
  }

  #broken(why: string): void {
    part(this, ".waking").hidden = true;
    this.#fault(
      `This browser cannot run the ring (${why}). The picture and its numbers are right all the same; only the buttons are missing.`,
    );
  }

  /** One sentence above the picture; undefined takes it away. */
  #fault(sentence: string | undefined): void {
    this.querySelector(":scope > .fault")?.remove();
    if (sentence === undefined) return;
    const line = html("p", "fault");
    line.setAttribute("role", "status");
    line.append(
      svg("svg", { class: "glyph", "aria-hidden": "true" }, svg("use", { href: "#s-crashed" })),
      html("span", "", sentence),
    );
    this.prepend(line);
  }

  #readLink(): void {
    const figure = this.#figure;
    const { text, fault } = readFragment(figure, figure === "fig-1");
    if (fault !== undefined) return this.#fault(`${fault} Here is the lesson’s own picture instead.`);
    if (text === undefined || text === write(this.#state)) return;
    try {
      const linked = read(text, this.#settings.state, this.#settings.followed);
      this.#fault(undefined);
      if (same(linked, this.#state)) return;
      if (this.#awake) this.#past.push(this.#state);
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
  #dimOthers(drawing: SVGSVGElement, signal: AbortSignal): void {
    const list = part(this, "[data-loads]");
    const look = (target: EventTarget | null): void => {
      const tower = target instanceof Element ? target.closest<HTMLElement>(".load")?.dataset["id"] : undefined;
      drawing.toggleAttribute("data-look", tower !== undefined);
      for (const path of drawing.querySelectorAll<SVGElement>(".arc, .letters")) {
        path.classList.toggle("look", path.dataset["id"] === tower);
      }
    };
    for (const type of ["pointerover", "focusin"]) list.addEventListener(type, (e) => look(e.target), { signal });
    for (const type of ["pointerleave", "focusout"]) list.addEventListener(type, () => look(null), { signal });
  }
}
