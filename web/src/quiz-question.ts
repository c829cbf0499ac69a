import { part } from "./svg.ts";

/** A question with choices: says at once whether a choice is right, and why. */
export class QuizQuestion extends HTMLElement {
  #life = new AbortController();

  connectedCallback(): void {
    this.#life = new AbortController();
    part(this, ".fold").hidden = true;
    this.addEventListener("change", (event) => this.#tell(event.target), { signal: this.#life.signal });
  }

  disconnectedCallback(): void {
    this.#life.abort();
  }

  #tell(target: EventTarget | null): void {
    const choices = [...this.querySelectorAll(".choice")];
    const chosen = target instanceof Element ? target.closest(".choice") : null;
    const place = chosen ? choices.indexOf(chosen) : -1;
    if (place < 0) return;
    part(this, ".quiz").dataset["state"] = "told";
    const reason = part(this, `[data-choice="${place}"]`).cloneNode(true);
    part(this, ".why").replaceChildren(...reason.childNodes);
  }
}
