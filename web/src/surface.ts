import type { Mark } from "./live-results.ts";

/** Who makes remarks on a program: the checker's verdict, or the compiler while it is typed. */
export type Layer = "verdict" | "typing";

/** Something to write a program in: a plain text field, or CodeMirror. */
export interface Surface {
  readonly value: string;

  /** Opens another program. What was there is not a step to go back to. */
  load(code: string): void;

  /** Changes the program in a way that the reader can take back, with the cursor at an offset. */
  replace(code: string, cursor: number): void;

  /** Where the cursor is. */
  readonly cursor: number;
  place(cursor: number): void;

  /** Shows remarks under their lines, instead of those that were there from the same side. */
  mark(layer: Layer, marks: readonly Mark[]): void;

  /** Goes to a place: a line, and a column in bytes, both from 1. */
  show(line: number, column: number): void;

  focus(): void;
  close(): void;
}

/** The offset within a line's text of a column that counts bytes from 1. */
export function offsetOf(line: string, column: number): number {
  let bytes = 0;
  let offset = 0;
  for (const character of line) {
    if (bytes >= column - 1) break;
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    offset += character.length;
  }
  return offset;
}

/** Where a line begins and ends in a text; lines past the end are the last one. */
export function lineAt(text: string, line: number): { from: number; to: number } {
  let from = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf("\n", from);
    if (end < 0) break;
    from = end + 1;
  }
  const end = text.indexOf("\n", from);
  return { from, to: end < 0 ? text.length : end };
}

/** Where the cursor belongs after a change that moved nothing but white space. */
export function sameCursor(before: string, after: string, cursor: number): number {
  let left = before.slice(0, cursor).replace(/\s/g, "").length;
  let at = 0;
  while (at < after.length && left > 0) {
    if (!/\s/.test(after[at] ?? "")) left--;
    at++;
  }
  // At the beginning of a line it stays at the beginning of one.
  const indent = /(^|\n)[\t ]*$/.test(before.slice(0, cursor)) ? (/^\s*/.exec(after.slice(at))?.[0].length ?? 0) : 0;
  return at + indent;
}
