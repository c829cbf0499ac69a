/** What the page and the worker say to each other. */

export const rules = ["ring", "rendezvous", "modulo"] as const;
/** A placement rule; its place in `rules` is its number in ring.wasm. */
export type Rule = (typeof rules)[number];

export const hashes = ["mixed", "fnv1a", "md5", "xx"] as const;
export type Hash = (typeof hashes)[number];

/** The letters of one picture: they never change while it lives. */
export interface Crowd {
  letters: number;
  hash: Hash;
  seed: string;
}

/** A change of the fleet to count and draw. Towers are given by number: 3 is T-3. */
export interface Question {
  before: readonly number[];
  after: readonly number[];
  points: number;
  follow: Rule;
}

/** What came of it in numbers. They are sent first, because a hand on the slider waits for them. */
export interface Counts {
  question: Question;
  letters: number;
  moved: Record<Rule, number>;
  needless: Record<Rule, number>;
  /** Letters each tower of `after` keeps on the ring. */
  loads: Uint32Array;
  /** Milliseconds that counting took. */
  took: number;
}

/** What there is to draw. Packed arrays are as ring.wasm gives them, without their count. */
export interface Picture {
  /** Position of each tower's first virtual node, in the order of `after`. */
  homes: Uint32Array;
  /** Triples: from, to, tower. */
  arcs: Uint32Array;
  /** Pairs: position, tower. */
  ticks: Uint32Array;
  /** Quadruples: rank, position, owner before, owner after; 0 is nobody. */
  sample: Uint32Array;
  /** Triples: from, to, letters. */
  flows: Record<Rule, Uint32Array>;
}

/** Both together are a frame of the picture. */
export type Frame = Counts & Picture;

export type ToWorker =
  | { kind: "boot"; wasm: string }
  | { kind: "open"; ring: number; crowd: Crowd }
  | { kind: "ask"; ring: number; question: Question }
  | { kind: "close"; ring: number };

export type FromWorker =
  | { kind: "counts"; ring: number; counts: Counts }
  | { kind: "picture"; ring: number; picture: Picture }
  | { kind: "fault"; why: string };

/** How much of a ring a picture shows at most; the same as in package web. */
export const most = { arcs: 2048, ticks: 2048, letters: 6000, threads: 900, flows: 256 };
