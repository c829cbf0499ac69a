import { mostNames, beacons, quarters, type Beacon } from "./beacons.ts";
import { angle, arcPath, at, colour, curvePath, fixed, lampAt, lane, mark, thread, x, y, type Curve } from "./geometry.ts";
import { most, type Frame } from "./protocol.ts";
import { turnover } from "./state.ts";
import { part, svg } from "./svg.ts";
import { hub, title, towerName } from "./words.ts";

/** Up to this many virtual nodes a tower's arcs are wide enough to carry its light. */
const fewPoints = 6;

/** A letter that changed hands and has a tower now: the thread it flies along, and when. */
export interface Mover {
  curve: Curve;
  /** 0 for a letter at the top, nearly 1 for one that the sweep reaches last. */
  turn: number;
}

/** Draws frames into the SVG that the server drew first, layer by layer. */
export class Chart {
  readonly #title: Element;
  readonly #beams: Element;
  readonly #moved: Element;

  constructor(readonly root: SVGSVGElement) {
    this.#title = part(root, "title");
    this.#beams = part(root, ".beams");
    this.#moved = part(root, ".moved");
  }

  /** Draws a frame at rest and gives the letters that may fly. */
  draw(f: Frame): Mover[] {
    const { after, points, follow } = f.question;
    const { fresh, gone } = turnover(f.question);
    const marks = beacons(after, f.homes);
    this.root.dataset["rule"] = follow;
    this.root.classList.toggle("few", points <= fewPoints);
    this.root.classList.toggle("changed", fresh.length + gone.length > 0);
    this.#title.textContent = title(f);
    this.#band(f, fresh);
    const movers = this.#letters(f, marks);
    this.#hub(f);
    this.#beacons(marks, fresh);
    return movers;
  }

  #band(f: Frame, fresh: readonly number[]): void {
    const arcs = inks(f);
    for (let i = 0; i < f.arcs.length; i += 3) {
      ink(arcs, f.arcs[i + 2]).d += arcPath(f.arcs[i] ?? 0, f.arcs[i + 1] ?? 0);
    }
    const ticks = inks(f);
    for (let i = 0; i < f.ticks.length; i += 2) {
      const a = angle(f.ticks[i] ?? 0);
      ink(ticks, f.ticks[i + 1]).d += `M${at(a, 284)}L${at(a, 290)}`;
    }
    const paths = (all: Map<number, Ink>, name: string): SVGElement[] =>
      [...all].map(([tower, { d }]) =>
        svg("path", { class: classes(name, tower, fresh), d, "data-id": name === "arc" ? tower : undefined }),
      );
    this.#layer("arcs").replaceChildren(...paths(arcs, "arc"));
    this.#layer("lights").replaceChildren(...(f.question.points <= fewPoints ? paths(arcs, "light") : []));
    this.#layer("ticks").replaceChildren(...paths(ticks, "points"));
  }

  #letters(f: Frame, marks: readonly Beacon[]): Mover[] {
    const kept = inks(f);
    let idle = "";
    let moved = "";
    const flying: [letter: number, rank: number, tower: number][] = [];
    for (let i = 0; i < f.sample.length; i += 4) {
      const rank = f.sample[i] ?? 0;
      const a = angle(f.sample[i + 1] ?? 0);
      const [was, is] = [f.sample[i + 2] ?? 0, f.sample[i + 3] ?? 0];
      const dot = `M${at(a, lane(rank))}h0`;
      if (is === 0) idle += dot;
      else if (was === is) ink(kept, is).d += dot;
      else {
        moved += dot;
        flying.push([a, rank, is]);
      }
    }
    this.#layer("letters").replaceChildren(
      svg("path", { class: "letters idle", d: idle }),
      ...[...kept].map(([tower, { d }]) => svg("path", { class: `letters t${colour(tower)}`, d, "data-id": tower })),
    );
    this.#moved.setAttribute("d", moved);
    const movers = even(flying, most.threads).map(([a, rank, tower]) => ({
      curve: thread(a, rank, marks.find((b) => b.tower === tower)?.foot ?? 0),
      turn: a / (2 * Math.PI),
    }));
    this.#beams.setAttribute("d", movers.map((m) => curvePath(m.curve)).join(""));
    return movers;
  }

  #hub(f: Frame): void {
    const [big, small] = hub(f);
    part(this.root, ".hub-number").textContent = big;
    part(this.root, ".hub-text").textContent = small;
  }

  #beacons(marks: readonly Beacon[], fresh: readonly number[]): void {
    const crowded = marks.length > mostNames;
    this.#layer("quarters").replaceChildren(
      ...quarters(marks).map((q) => svg("text", { class: "where", x: fixed(q.x), y: fixed(q.y) }, q.text)),
    );
    this.#layer("beacons").replaceChildren(
      ...marks.map((b) =>
        svg("g", { class: classes("beacon", b.tower, fresh), "data-id": b.tower }, ...(crowded ? lampOnly(b) : whole(b))),
      ),
    );
    for (const [layer, rx, ry] of [["names-wide", 344, 337], ["names-narrow", 354, 346]] as const) {
      const names = crowded ? [] : marks;
      this.#layer(layer).replaceChildren(
        ...names.map((b) =>
          svg(
            "text",
            { class: fresh.includes(b.tower) ? "fresh" : undefined, x: x(b.spread, rx), y: y(b.spread, ry) },
            towerName(b.tower),
          ),
        ),
      );
    }
  }

  #layer(name: string): Element {
    return part(this.root, `[data-layer=${name}]`);
  }
}

function lampOnly(b: Beacon): SVGElement[] {
  return [svg("circle", { class: "lamp", cx: x(b.foot, lampAt), cy: y(b.foot, lampAt), r: 3 })];
}

function whole(b: Beacon): SVGElement[] {
  const topmark = svg("use", { href: `#m${mark(b.tower)}`, x: -10, y: -10, width: 20, height: 20 });
  return [
    svg("path", { class: "mast", d: `M${at(b.foot, 283)}L${at(b.foot, 299)}L${at(b.spread, 308)}` }),
    svg("circle", { class: "foot", cx: x(b.foot, 283), cy: y(b.foot, 283), r: 3 }),
    svg("circle", { class: "lamp", cx: x(b.foot, lampAt), cy: y(b.foot, lampAt), r: 5 }),
    svg("g", { transform: `translate(${at(b.spread, 315)})` }, svg("g", { class: "top" }, topmark)),
  ];
}

/** The path of one tower while it grows. */
interface Ink {
  d: string;
}

function inks(f: Frame): Map<number, Ink> {
  return new Map(f.question.after.map((tower) => [tower, { d: "" }]));
}

function ink(all: Map<number, Ink>, tower = 0): Ink {
  return all.get(tower) ?? { d: "" };
}

function classes(name: string, tower: number, fresh: readonly number[]): string {
  return `${name} t${colour(tower)}${fresh.includes(tower) && name !== "light" ? " fresh" : ""}`;
}

/** At most n of all, evenly taken. */
function even<T>(all: readonly T[], n: number): T[] {
  const step = Math.max(1, Math.ceil(all.length / n));
  return all.filter((_, i) => i % step === 0);
}
