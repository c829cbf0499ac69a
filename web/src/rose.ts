import { colour, fixed } from "./geometry.ts";
import { most, type Frame, type Rule } from "./protocol.ts";
import { svg } from "./svg.ts";

/** Who gave letters to whom under one rule: towers on a small circle, lines as wide as the traffic. */
export function rose(f: Frame, rule: Rule): SVGElement {
  const { before, after } = f.question;
  const all = [...new Set([...before, ...after])].sort((a, b) => a - b);
  const place = new Map(
    all.map((tower, i) => {
      const a = (2 * Math.PI * i) / all.length;
      return [tower, { x: fixed(24 * Math.sin(a)), y: fixed(-24 * Math.cos(a)) }] as const;
    }),
  );
  const size = fixed(Math.min(3.2, 53 / Math.max(all.length, 1))); // many leave a gap between them, too
  const stays = (tower: number): boolean => before.includes(tower) && after.includes(tower);
  const lines = busiest(f.flows[rule]).map(([from, to, letters]) => ({
    needed: !stays(from) || !stays(to),
    a: place.get(from),
    b: place.get(to),
    width: Math.max(0.5, (letters / f.letters) * 46).toFixed(2),
  }));
  lines.sort((a, b) => Number(a.needed) - Number(b.needed));
  return svg(
    "svg",
    { viewBox: "-30 -30 60 60", "aria-hidden": "true" },
    svg("circle", { class: "rim", r: 29 }),
    ...lines.map((l) =>
      svg("line", {
        class: l.needed ? "good" : "bad",
        x1: l.a?.x,
        y1: l.a?.y,
        x2: l.b?.x,
        y2: l.b?.y,
        "stroke-width": l.width,
      }),
    ),
    ...[...place].map(([tower, p]) => svg("circle", { class: `dot t${colour(tower)}`, cx: p.x, cy: p.y, r: size })),
  );
}

/** Flows by size; a hundred towers trade in thousands of pairs, of which a picture shows some. */
function busiest(flows: Uint32Array): [from: number, to: number, letters: number][] {
  const all: [number, number, number][] = [];
  for (let i = 0; i < flows.length; i += 3) all.push([flows[i] ?? 0, flows[i + 1] ?? 0, flows[i + 2] ?? 0]);
  return all.sort((a, b) => b[2] - a[2]).slice(0, most.flows);
}
