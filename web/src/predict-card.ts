import { keep, lessonAPI } from "./keep.ts";
import { part } from "./svg.ts";

/** A guess before the answer. The answer is a fold in the page; this puts the slider before it. */
export class PredictCard extends HTMLElement {
  #life = new AbortController();

  connectedCallback(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    part(this, ".fold").classList.add("put-away");
    part(this, ".guess").hidden = false;
    part(this, ".acts").hidden = false;
    const slider = part<HTMLInputElement>(this, ".guess input");
    const tell = (): void => {
      const said = this.#written(Number(slider.value));
      part(this, ".guess output").textContent = said;
      slider.setAttribute("aria-valuetext", said);
    };
    slider.addEventListener("input", tell, { signal });
    part(this, ".acts button").addEventListener("click", () => this.#seal(slider), { signal });
    const given = this.querySelector<HTMLElement>(".given");
    if (given) slider.value = given.dataset["given"] ?? "";
    tell();
    if (given) this.#reveal(slider);
    given?.remove();
  }

  disconnectedCallback(): void {
    this.#life.abort();
  }

  #seal(slider: HTMLInputElement): void {
    this.#reveal(slider);
    const answer = part(this, ".answer");
    answer.tabIndex = -1;
    answer.focus({ preventScroll: true });
    const guess = { question: this.dataset["question"] ?? "", given: slider.value };
    // The answer is told on the page all the same.
    keep(lessonAPI(this.dataset["lesson"] ?? "", "answers"), guess).catch(() => undefined);
  }

  #reveal(slider: HTMLInputElement): void {
    const guess = Number(slider.value);
    const truth = Number(this.dataset["answer"]);
    const near = Math.abs(guess - truth) <= Number(this.dataset["tolerance"] ?? 0);
    const place = (n: number): string => String((100 * (n - Number(slider.min))) / (Number(slider.max) - Number(slider.min)));
    part(this, ".mine-pin").style.setProperty("--at", place(guess));
    part(this, ".truth").style.setProperty("--at", place(truth));
    for (const hide of [".guess", ".acts"]) part(this, hide).hidden = true;
    for (const show of [".line", ".answer"]) part(this, show).hidden = false;
    part(this, ".judged").textContent = near
      ? `Well judged: you said ${this.#written(guess)}, and it is ${this.#written(truth)}.`
      : `You said ${this.#written(guess)}. It is ${this.#written(truth)}.`;
  }

  #written(n: number): string {
    const unit = this.dataset["unit"];
    return unit ? `${n}\u00a0${unit}` : String(n);
  }
}
