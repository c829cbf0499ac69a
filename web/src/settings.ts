import { hashes, rules, type Crowd, type Rule } from "./protocol.ts";
import type { State } from "./state.ts";

/** What a lesson says about a ring, read from the element's attributes. */
export interface Settings {
  crowd: Crowd;
  state: State;
  followed: readonly Rule[];
}

export function readSettings(element: HTMLElement): Settings {
  const number = (name: string, otherwise: number): number => {
    const value = Number(element.getAttribute(name) ?? otherwise);
    return Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
  };
  const towers = number("towers", 4);
  const fleet = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
  const compare = (element.getAttribute("compare") ?? "").split(" ");
  const followed = rules.filter((rule) => rule === "ring" || compare.includes(rule));
  return {
    crowd: {
      letters: number("letters", 2000),
      hash: hashes.find((hash) => hash === element.getAttribute("hash")) ?? "mixed",
      seed: element.getAttribute("seed") ?? "",
    },
    state: {
      before: fleet(towers),
      after: fleet(towers + Math.min(1, number("arrives", 0))),
      points: Math.max(1, number("points", 100)),
      follow: followed.find((rule) => rule === element.getAttribute("follow")) ?? "ring",
    },
    followed,
  };
}
