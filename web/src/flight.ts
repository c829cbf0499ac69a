import { along, curvePath, fixed } from "./geometry.ts";
import type { Mover } from "./chart.ts";
import { calm, part } from "./svg.ts";

const sweep = 1500; // milliseconds, as --t-sweep
const share = 0.5; // of the sweep that one letter is under way

/** Shows letters going to their new towers, clockwise from the top, as a beam would reach them. */
export class Flight {
  #frame = 0;
  #movers: readonly Mover[] = [];

  constructor(private readonly root: SVGSVGElement) {}

  start(movers: readonly Mover[]): void {
    this.rest();
    if (calm.matches || movers.length === 0) return;
    this.#movers = movers;
    this.root.classList.add("moving");
    const begun = performance.now();
    const step = (now: number): void => {
      const t = (now - begun) / sweep;
      if (t >= 1) return this.rest();
      this.#paint(Math.max(0, t));
      this.#frame = requestAnimationFrame(step);
    };
    step(begun);
  }

  /** Cuts a flight short: everything is at once where it was going. */
  rest(): void {
    cancelAnimationFrame(this.#frame);
    this.root.classList.remove("moving");
    this.#set(".flight", "");
    this.#set(".wake", "");
    if (this.#movers.length > 0) this.#set(".beams", this.#movers.map((m) => curvePath(m.curve)).join(""));
    this.#movers = [];
  }

  #paint(t: number): void {
    let dots = "";
    let wakes = "";
    let beams = "";
    for (const { curve, turn } of this.#movers) {
      const own = Math.min(1, (t - turn * (1 - share)) / share);
      if (own <= 0) continue;
      beams += curvePath(curve);
      if (own >= 1) continue;
      const here = point(curve, own);
      dots += `M${here}h0`;
      wakes += `M${point(curve, own - 0.09)}L${point(curve, own - 0.05)}L${here}`;
    }
    this.#set(".flight", dots);
    this.#set(".wake", wakes);
    this.#set(".beams", beams);
  }

  #set(selector: string, d: string): void {
    part(this.root, selector).setAttribute("d", d);
  }
}

function point(curve: Mover["curve"], t: number): string {
  return along(curve, ease(Math.max(0, t))).map(fixed).join(" ");
}

const ease = (t: number): number => (t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2);
