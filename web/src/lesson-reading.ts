import { keep, lessonAPI } from "./keep.ts";
import { html } from "./svg.ts";

/** The end of a lesson: whoever comes here has read it. */
export class LessonReading extends HTMLElement {
  #life = new AbortController();

  connectedCallback(): void {
    this.#life = new AbortController();
    const form = this.querySelector<HTMLFormElement>("form.reading");
    if (!form) return;
    const { signal } = this.#life;
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watcher.disconnect();
      void this.#read(form);
    });
    watcher.observe(this);
    signal.addEventListener("abort", () => watcher.disconnect());
    form.addEventListener("submit", (event) => (event.preventDefault(), void this.#read(form)), { signal });
  }

  disconnectedCallback(): void {
    this.#life.abort();
  }

  /** Where it cannot be kept, the button stays to try again. */
  async #read(form: HTMLFormElement): Promise<void> {
    try {
      await keep(lessonAPI(this.dataset["lesson"] ?? "", "read"));
    } catch {
      return;
    }
    if (!form.isConnected) return;
    const line = html("p", "reading", form.dataset["after"]);
    line.setAttribute("role", "status");
    line.tabIndex = -1;
    const held = form.contains(document.activeElement);
    form.replaceWith(line);
    if (held) line.focus({ preventScroll: true });
  }
}
