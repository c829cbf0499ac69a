/** The ring on a square of 720; the same figures as in package web. */

export const centre = 360;
export const bandAt = 272;
export const lampAt = 210;
const innerLane = 227;
const outerLane = 257;

export const turn = 2 ** 32;

export function angle(position: number): number {
  return (position / turn) * 2 * Math.PI;
}

/** How far from the centre a letter is drawn. */
export function lane(rank: number): number {
  return innerLane + ((rank * 0.6180339887) % 1) * (outerLane - innerLane);
}

export const fixed = (x: number): string => x.toFixed(1);

export const x = (a: number, r: number): string => fixed(centre + r * Math.sin(a));
export const y = (a: number, r: number): string => fixed(centre - r * Math.cos(a));
export const at = (a: number, r: number): string => `${x(a, r)} ${y(a, r)}`;

/** The path of an arc of the band, clockwise; from a position to itself is the whole circle. */
export function arcPath(fromPosition: number, toPosition: number): string {
  const from = angle(fromPosition);
  const to = angle(toPosition);
  if (fromPosition === toPosition) {
    return `M${at(from, bandAt)}A272 272 0 1 1 ${at(from + Math.PI, bandAt)}A272 272 0 1 1 ${at(from, bandAt)}`;
  }
  const sweep = to > from ? to - from : to - from + 2 * Math.PI;
  return `M${at(from, bandAt)}A272 272 0 ${sweep > Math.PI ? 1 : 0} 1 ${at(to, bandAt)}`;
}

/** A thread from a letter to a tower's lamp: three points of a curve bent towards the centre. */
export type Curve = readonly [x0: number, y0: number, x1: number, y1: number, x2: number, y2: number];

export function thread(letter: number, rank: number, home: number): Curve {
  const r = lane(rank);
  return [
    centre + r * Math.sin(letter),
    centre - r * Math.cos(letter),
    centre + 0.2 * (220 * Math.sin(letter) + lampAt * Math.sin(home)),
    centre - 0.2 * (220 * Math.cos(letter) + lampAt * Math.cos(home)),
    centre + lampAt * Math.sin(home),
    centre - lampAt * Math.cos(home),
  ];
}

export function curvePath(c: Curve): string {
  return `M${fixed(c[0])} ${fixed(c[1])}Q${fixed(c[2])} ${fixed(c[3])} ${fixed(c[4])} ${fixed(c[5])}`;
}

/** The point of a curve at t, from 0 to 1. */
export function along(c: Curve, t: number): [number, number] {
  const u = 1 - t;
  return [u * u * c[0] + 2 * u * t * c[2] + t * t * c[4], u * u * c[1] + 2 * u * t * c[3] + t * t * c[5]];
}

/** Colour and daymark of a tower, 1 to 8; 64 towers differ in one or the other. */
export const colour = (tower: number): number => ((tower - 1) % 8) + 1;
export const mark = (tower: number): number => ((tower - 1 + Math.floor((tower - 1) / 8)) % 8) + 1;
