import { ask } from "./ask.ts";
import { leaves } from "./leaving.ts";
import { readerName, unsaved } from "./stash.ts";
import { part } from "./svg.ts";
import { plural } from "./words.ts";

/**
 * The form by which a reader signs out or has everything deleted. On a computer that others use too
 * nothing of theirs may stay in the browser; what is nowhere else is not dropped without a question.
 */
export class TakeLeave extends HTMLElement {
  #life = new AbortController();

  connectedCallback(): void {
    this.#life = new AbortController();
    part<HTMLFormElement>(this, "form").addEventListener("submit", (event) => this.#submit(event), { signal: this.#life.signal });
  }

  disconnectedCallback(): void {
    this.#life.abort();
  }

  #submit(event: SubmitEvent): void {
    const reader = readerName();
    leaves(reader);
    const only = "asks" in this.dataset ? inWords(unsaved(reader)) : "";
    if (!only || !(event.target instanceof HTMLFormElement)) return;
    event.preventDefault();
    void this.#confirm(event.target, only);
  }

  async #confirm(form: HTMLFormElement, only: string): Promise<void> {
    const text = `${only} in this browser that the server does not have. Whoever signs out takes it along: it is gone then.`;
    if (await ask("Sign out?", text, "Sign out, and drop it", "Stay signed in")) form.submit();
  }
}

function inWords({ programs, notes }: { programs: number; notes: number }): string {
  const parts = [];
  if (programs > 0) parts.push(plural(programs, "program", "programs"));
  if (notes > 0) parts.push(plural(notes, "note", "notes"));
  if (parts.length === 0) return "";
  return `There ${programs + notes === 1 ? "is" : "are"} ${parts.join(" and ")}`;
}
