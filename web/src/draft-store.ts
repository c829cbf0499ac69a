import { type Json, list, number, parse, text } from "./json.ts";

/** A program as the browser keeps it. */
export interface Kept {
  readonly code: string;
  readonly at: number; // when it was typed, by the browser's clock
  readonly saved: string; // when the server kept what it was made from; empty if it never did
  readonly dirty: boolean; // the server does not have it yet
}

const mostOthers = 5;

/**
 * What a reader has typed for one exercise, in this browser. A reader with a name has a place of
 * their own; what was typed as a guest is theirs too once they have one.
 */
export class DraftStore {
  readonly #key: string;

  constructor(reader: string, exercise: string) {
    this.#key = `towers:draft:${reader}:${exercise}`;
    const guest = `towers:draft::${exercise}`;
    if (!reader) return;
    quietly(() => {
      const typed = localStorage.getItem(guest);
      if (typed !== null && localStorage.getItem(this.#key) === null) localStorage.setItem(this.#key, typed);
      localStorage.removeItem(guest);
    });
  }

  read(): Kept | undefined {
    return this.#get(this.#key);
  }

  /** Reports false where the browser keeps nothing. */
  write(draft: Kept): boolean {
    return this.#set(this.#key, draft);
  }

  /** Programs that must not be lost: what was put aside for another one, the newest first. */
  get others(): Kept[] {
    return list(parse(quietly(() => localStorage.getItem(`${this.#key}:others`)) ?? ""), "kept").flatMap((one) => kept(one) ?? []);
  }

  set others(others: readonly Kept[]) {
    quietly(() => localStorage.setItem(`${this.#key}:others`, JSON.stringify({ kept: others.slice(0, mostOthers) })));
  }

  /** A program that could not be sent to be checked. */
  get unsent(): Kept | undefined {
    return this.#get(`${this.#key}:unsent`);
  }

  set unsent(program: Kept | undefined) {
    if (program) this.#set(`${this.#key}:unsent`, program);
    else quietly(() => localStorage.removeItem(`${this.#key}:unsent`));
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

  #get(key: string): Kept | undefined {
    const source = quietly(() => localStorage.getItem(key));
    return source ? kept(parse(source)) : undefined;
  }

  #set(key: string, value: Kept): boolean {
    return quietly(() => (localStorage.setItem(key, JSON.stringify(value)), true)) ?? false;
  }
}

function kept(of: Json): Kept | undefined {
  if (typeof of["code"] !== "string") return undefined;
  return { code: of["code"], at: number(of, "at"), saved: text(of, "saved"), dirty: of["dirty"] === true };
}

/** Private windows and full disks refuse; the page goes on without. */
function quietly<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
