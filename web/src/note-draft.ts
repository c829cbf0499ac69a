import { type Json, parse } from "./json.ts";
import { drop, myPlace, read, write } from "./stash.ts";

/** What was typed for a note and is not saved yet. It is kept in the browser alone, and where
 * the browser keeps nothing it is only lost with the page. */
export class NoteDraft {
  readonly key: string;

  constructor(lesson: string, which: string) {
    this.key = myPlace("note", `${lesson} ${which}`);
  }

  /** What was typed; undefined where nothing was. */
  get text(): string | undefined {
    const text = this.#kept["text"];
    return typeof text === "string" ? text : undefined;
  }

  /** Whether its form stood open when the page was left. */
  get open(): boolean {
    return this.#kept["open"] === true;
  }

  keep(text: string | undefined, open: boolean): void {
    write(this.key, JSON.stringify({ text, open }));
  }

  drop(): void {
    drop(this.key);
  }

  get #kept(): Json {
    return parse(read(this.key) ?? "");
  }
}
