import { angle } from "./geometry.ts";

/** A tower's mark outside the ring: its foot on its first virtual node, its name where there is room. */
export interface Beacon {
  tower: number;
  foot: number;
  spread: number;
}

const apart = 0.3;
export const mostNames = 20;

/** Places a fleet's beacons clockwise and pushes names apart that would touch. */
export function beacons(towers: readonly number[], homes: Uint32Array): Beacon[] {
  const all = towers.map((tower, i) => {
    const foot = angle(homes[i] ?? 0);
    return { tower, foot, spread: foot };
  });
  all.sort((a, b) => a.foot - b.foot || a.tower - b.tower);
  if (all.length < 2 || all.length > mostNames) return all;
  for (let round = 0; round < 60; round++) {
    all.forEach((b, i) => {
      const last = i === all.length - 1;
      const next = all[last ? 0 : i + 1];
      if (!next) return;
      const gap = next.spread - b.spread + (last ? 2 * Math.PI : 0);
      if (gap < apart) {
        b.spread -= (apart - gap) / 2;
        next.spread += (apart - gap) / 2;
      }
    });
  }
  return all;
}

/** Positions written outside the scale, where no name stands in the way. */
export function quarters(all: readonly Beacon[]): { text: string; x: number; y: number }[] {
  const places = [
    { text: "0", x: 360, y: 46 },
    { text: "2³⁰", x: 674, y: 360 },
    { text: "2³¹", x: 360, y: 674 },
    { text: "3·2³⁰", x: 36, y: 360 },
  ];
  if (all.length > mostNames) return places;
  return places.filter((_, i) =>
    all.every((b) => {
      const d = b.spread - (i * Math.PI) / 2;
      return Math.abs(Math.atan2(Math.sin(d), Math.cos(d))) >= 0.16;
    }),
  );
}
