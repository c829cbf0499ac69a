import { type Json, list, parse, text } from "./json.ts";

/**
 * What this browser keeps of its readers' work beside the server: what was typed and is not saved
 * yet, or was put aside. Each reader has a place of their own, and a guest's is that of the empty
 * name. Where the browser keeps nothing, as in some private windows, every place is empty.
 */

const kinds = ["draft", "note", "hints"] as const;
export type Kind = (typeof kinds)[number];

/** Who reads this page: the name in the masthead, which is empty for guests. */
export function readerName(): string {
  return document.querySelector<HTMLElement>("who-reads")?.dataset["reader"] ?? "";
}

/** Where something of a reader is kept. */
export function place(kind: Kind, reader: string, what: string): string {
  return `${placesOf(kind, reader)}${what}`;
}

/** Where something of the present reader is kept. What was typed as a guest is theirs too. */
export function myPlace(kind: Kind, what: string): string {
  const reader = readerName();
  const mine = place(kind, reader, what);
  const guests = reader === "" ? undefined : read(place(kind, "", what));
  if (guests !== undefined) {
    if (read(mine) === undefined) write(mine, guests);
    drop(place(kind, "", what));
  }
  return mine;
}

export function read(place: string): string | undefined {
  return quietly(() => localStorage.getItem(place)) ?? undefined;
}

/** Reports false where the browser keeps nothing. */
export function write(place: string, value: string): boolean {
  return quietly(() => (localStorage.setItem(place, value), true)) ?? false;
}

export function drop(place: string): void {
  quietly(() => localStorage.removeItem(place));
}

/** How much of a reader's work is nowhere but here; of one with a name, with what they did before
 * as a guest. */
export function unsaved(reader: string): { programs: number; notes: number } {
  const kept = (kind: Kind): Json[] => [reader, ""].flatMap((of) => places(kind, of)).map((place) => parse(read(place) ?? ""));
  // A draft that the server does not have yet, or programs that were put aside.
  const programs = kept("draft").flatMap((one) => (one["dirty"] === true ? [one] : list(one, "kept")));
  return {
    programs: new Set(programs.map((one) => text(one, "code"))).size,
    notes: kept("note").filter((one) => text(one, "text").trim() !== "").length,
  };
}

/** Drops all that is kept of a reader. */
export function forget(reader: string): void {
  for (const kind of kinds) {
    for (const place of places(kind, reader)) drop(place);
  }
}

function places(kind: Kind, reader: string): string[] {
  return quietly(() => Object.keys(localStorage).filter((key) => key.startsWith(placesOf(kind, reader)))) ?? [];
}

/** Names may hold colons: written so, none is the beginning of another. */
function placesOf(kind: Kind, reader: string): string {
  return `towers:${kind}:${encodeURIComponent(reader)}:`;
}

/** Browsers that keep nothing refuse; the page goes on without. */
export function quietly<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
