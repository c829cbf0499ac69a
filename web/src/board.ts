import { hashes, most, rules, type Counts, type Crowd, type Picture, type Question, type Rule } from "./protocol.ts";
import { Wasi } from "./wasi.ts";

/** What ring.wasm exports; wasm/main.go says what each function takes and gives. */
interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  inbox(): number;
  start(letters: number, hash: number, seedBytes: number): void;
  change(before: number, after: number, points: number): number;
  arcs(most: number): number;
  ticks(most: number): number;
  sample(rule: number, most: number): number;
  flows(rule: number): number;
  home(tower: number): number;
}

/** One instance of ring.wasm with one crowd of letters in it. */
export class Board {
  readonly #ring: Exports;

  constructor(module: WebAssembly.Module, crowd: Crowd) {
    const wasi = new Wasi();
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.imports });
    this.#ring = instance.exports as unknown as Exports;
    wasi.attach(this.#ring.memory);
    this.#ring._initialize();
    const seed = new TextEncoder().encode(crowd.seed);
    new Uint8Array(this.#ring.memory.buffer).set(seed, this.#ring.inbox() >>> 0);
    this.#ring.start(crowd.letters, hashes.indexOf(crowd.hash), seed.length);
  }

  /** Counts a change; picture is about the change that was counted last. */
  count(question: Question): Counts {
    const begun = performance.now();
    const ring = this.#ring;
    const { before, after } = question;
    new Uint32Array(ring.memory.buffer, ring.inbox() >>> 0).set([...before, ...after]);
    const at = ring.change(before.length, after.length, question.points);
    const counts = this.#copy(at, 7 + after.length);
    return {
      question,
      letters: counts[0] ?? 0,
      moved: byRule((_, i) => counts[1 + 2 * i] ?? 0),
      needless: byRule((_, i) => counts[2 + 2 * i] ?? 0),
      loads: counts.slice(7),
      took: performance.now() - begun,
    };
  }

  picture(question: Question): Picture {
    const ring = this.#ring;
    return {
      homes: Uint32Array.from(question.after, (tower) => ring.home(tower)),
      arcs: this.#list(ring.arcs(most.arcs), 3),
      ticks: this.#list(ring.ticks(most.ticks), 2),
      sample: this.#list(ring.sample(rules.indexOf(question.follow), most.letters), 4),
      flows: byRule((_, i) => this.#list(ring.flows(i), 3)),
    };
  }

  /** A count followed by that many groups of `width` numbers. */
  #list(at: number, width: number): Uint32Array {
    const count = this.#copy(at, 1)[0] ?? 0;
    return this.#copy((at >>> 0) + 4, count * width);
  }

  #copy(at: number, length: number): Uint32Array {
    return new Uint32Array(this.#ring.memory.buffer, at >>> 0, length).slice();
  }
}

function byRule<T>(make: (rule: Rule, place: number) => T): Record<Rule, T> {
  return Object.fromEntries(rules.map((rule, i) => [rule, make(rule, i)])) as Record<Rule, T>;
}
