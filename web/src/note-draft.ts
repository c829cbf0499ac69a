/** What was typed for a note and is not saved yet. It is kept in the browser alone, and where
 * the browser keeps nothing it is only lost with the page. */
export class NoteDraft {
  readonly key: string;

  constructor(lesson: string, which: string) {
    this.key = `note ${lesson} ${which}`;
  }

  get text(): string | undefined {
    return this.#read()?.text;
  }

  /** Whether its form stood open when the page was left. */
  get open(): boolean {
    return this.#read()?.open ?? false;
  }

  keep(text: string, open: boolean): void {
    try {
      localStorage.setItem(this.key, JSON.stringify({ text, open }));
    } catch {
      // Private windows and full disks: the form still works.
    }
  }

  drop(): void {
    try {
      localStorage.removeItem(this.key);
    } catch {
      // Then there is nothing to drop either.
    }
  }

  #read(): { text: string; open: boolean } | undefined {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.key) ?? "null");
      const { text, open } = (kept ?? {}) as { text?: unknown; open?: unknown };
      return typeof text === "string" ? { text, open: open === true } : undefined;
    } catch {
      return undefined;
    }
  }
}
