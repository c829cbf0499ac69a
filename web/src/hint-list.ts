import { myPlace, read, write } from "./stash.ts";
import { part } from "./svg.ts";

/** Hints open one after the other. How many were read is remembered in the browser. */
export class HintList extends HTMLElement {
  #life = new AbortController();
  #read = 0;

  connectedCallback(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.#read = Math.min(Number(read(this.#key)) || 0, this.#hints.length);
    for (const [i, hint] of this.#hints.entries()) {
      part(hint, "summary").addEventListener("click", (event) => i > this.#read && event.preventDefault(), { signal });
      hint.addEventListener("toggle", () => this.#opened(i, hint), { signal });
    }
    this.#show();
  }

  disconnectedCallback(): void {
    this.#life.abort();
  }

  get #hints(): HTMLDetailsElement[] {
    return [...this.querySelectorAll<HTMLDetailsElement>("details")];
  }

  get #key(): string {
    return myPlace("hints", this.dataset["name"] ?? "");
  }

  #opened(i: number, hint: HTMLDetailsElement): void {
    // A page search opens folds too; one that is not due stays closed.
    if (hint.open && i > this.#read) hint.open = false;
    if (!hint.open || i !== this.#read) return;
    this.#read++;
    write(this.#key, String(this.#read));
    this.#show();
  }

  #show(): void {
    const hints = this.#hints;
    part(this, "[data-read]").textContent = hints.length === 0 ? "none for this one" : `${this.#read} of ${hints.length} read`;
    for (const [i, hint] of hints.entries()) {
      const summary = part(hint, "summary");
      summary.ariaDisabled = i > this.#read ? "true" : null;
      part(summary, "small").textContent = i < this.#read ? "read" : i > this.#read ? "after the one before" : "";
    }
  }
}
