import { keep, lessonAPI } from "./keep.ts";
import { html, part } from "./svg.ts";

/** A question with choices: says at once whether what is chosen is right, and why. */
export class QuizQuestion extends HTMLElement {
  #life = new AbortController();
  /** Set while an answer waits to be kept. */
  #resting = 0;

  connectedCallback(): void {
    this.#life = new AbortController();
    part(this, ".fold").classList.add("put-away");
    this.#restore();
    const { signal } = this.#life;
    this.addEventListener("change", () => (this.#tell(), this.#keepSoon()), { signal });
    window.addEventListener("pagehide", () => this.#keep(), { signal });
  }

  disconnectedCallback(): void {
    this.#life.abort();
    this.#keep();
  }

  /** Puts the answer of an earlier visit back. */
  #restore(): void {
    const given = this.querySelector<HTMLElement>(".given");
    if (!given) return;
    const places = (given.dataset["given"] ?? "").split(" ").map(Number);
    given.remove();
    this.#inputs.forEach((input, i) => (input.checked = places.includes(i)));
    this.#tell();
  }

  get #inputs(): HTMLInputElement[] {
    return [...this.querySelectorAll<HTMLInputElement>(".choice input")];
  }

  /** Several boxes are one answer: it is kept once the hand rests. */
  #keepSoon(): void {
    clearTimeout(this.#resting);
    this.#resting = window.setTimeout(() => this.#keep(), 400);
  }

  #keep(): void {
    if (this.#resting === 0) return;
    clearTimeout(this.#resting);
    this.#resting = 0;
    const given = this.#inputs.flatMap((input, i) => (input.checked ? [i] : [])).join(" ");
    const answer = { question: this.dataset["question"] ?? "", given };
    // The answer is told on the page all the same.
    keep(lessonAPI(this.dataset["lesson"] ?? "", "answers"), answer).catch(() => undefined);
  }

  #tell(): void {
    const choices = [...this.querySelectorAll(".choice")];
    const chosen = choices.filter((choice) => part<HTMLInputElement>(choice, "input").checked);
    const reasons = chosen.flatMap((choice) => {
      const reason = part(this, `[data-choice="${choices.indexOf(choice)}"]`).cloneNode(true);
      return [...reason.childNodes];
    });
    const right = choices.filter((choice) => choice.matches(".right"));
    const open = right.filter((choice) => !chosen.includes(choice)).length;
    if (right.length > 1 && open > 0 && chosen.some((choice) => right.includes(choice))) {
      reasons.push(html("p", "", open === 1 ? "One more is right." : `${open} more are right.`));
    }
    part(this, ".quiz").dataset["state"] = chosen.length > 0 ? "told" : "open";
    part(this, ".why").replaceChildren(...reasons);
  }
}
