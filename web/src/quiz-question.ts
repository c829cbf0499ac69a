import { html, part } from "./svg.ts";

/** A question with choices: says at once whether what is chosen is right, and why. */
export class QuizQuestion extends HTMLElement {
  #life = new AbortController();

  connectedCallback(): void {
    this.#life = new AbortController();
    part(this, ".fold").classList.add("put-away");
    this.addEventListener("change", () => this.#tell(), { signal: this.#life.signal });
  }

  disconnectedCallback(): void {
    this.#life.abort();
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
