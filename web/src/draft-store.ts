import { type Json, list, number, parse, text } from "./json.ts";
import { drop, place, read, readerName, write } from "./stash.ts";

/** A program as the browser keeps it. */
export interface Kept {
  readonly code: string;
  readonly at: number; // when it was typed, by the browser's clock
  readonly saved: string; // when the server kept what it was made from; empty if it never did
  readonly dirty: boolean; // the server does not have it yet
}

const mostOthers = 5;

/** What a reader has typed for one exercise, in this browser. */
export class DraftStore {
  readonly #key: string;

  /** The present reader's. What was typed as a guest is theirs too once they have a name. */
  static mine(exercise: string): DraftStore {
    const reader = readerName();
    const mine = new DraftStore(reader, exercise);
    if (reader !== "") mine.#take(new DraftStore("", exercise));
    return mine;
  }

  constructor(reader: string, exercise: string) {
    this.#key = place("draft", reader, exercise);
  }

  read(): Kept | undefined {
    return get(this.#key);
  }

  /** Reports false where the browser keeps nothing. */
  write(draft: Kept): boolean {
    return write(this.#key, JSON.stringify(draft));
  }

  /** Programs that must not be lost: what was put aside for another one, the newest first. */
  get others(): Kept[] {
    return list(parse(read(`${this.#key}:others`) ?? ""), "kept").flatMap((one) => kept(one) ?? []);
  }

  set others(others: readonly Kept[]) {
    if (others.length === 0) drop(`${this.#key}:others`);
    else write(`${this.#key}:others`, JSON.stringify({ kept: others.slice(0, mostOthers) }));
  }

  /** A program that could not be sent to be checked. */
  get unsent(): Kept | undefined {
    return get(`${this.#key}:unsent`);
  }

  set unsent(program: Kept | undefined) {
    if (program) write(`${this.#key}:unsent`, JSON.stringify(program));
    else drop(`${this.#key}:unsent`);
  }

  /** Moves here what another store has. Of two drafts the one that is here stays, and the other
   * is put aside. */
  #take(from: DraftStore): void {
    const here = this.read();
    const typed = from.read();
    const aside = from.others;
    if (typed && here && typed.code !== here.code) aside.unshift(typed);
    if (typed && !here) this.write(typed);
    if (aside.length > 0) this.others = [...this.others, ...aside];
    this.unsent = this.unsent ?? from.unsent;
    from.others = [];
    from.unsent = undefined;
    drop(from.#key);
  }

  /** Calls when another tab of this browser has written a draft of the same exercise. */
  onOther(call: (draft: Kept) => void, signal: AbortSignal): void {
    window.addEventListener(
      "storage",
      (event) => {
        const draft = event.key === this.#key ? this.read() : undefined;
        if (draft) call(draft);
      },
      { signal },
    );
  }
}

function get(key: string): Kept | undefined {
  const source = read(key);
  return source === undefined ? undefined : kept(parse(source));
}

function kept(of: Json): Kept | undefined {
  if (typeof of["code"] !== "string") return undefined;
  return { code: of["code"], at: number(of, "at"), saved: text(of, "saved"), dirty: of["dirty"] === true };
}
