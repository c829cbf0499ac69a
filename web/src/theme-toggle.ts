/** Switches between the day and the night chart. The choice is a cookie, so that the server
 * sends the next page in the right light and nothing flashes. */
export class ThemeToggle extends HTMLElement {
  #life = new AbortController();

  connectedCallback(): void {
    this.#life = new AbortController();
    this.addEventListener("click", () => this.#toggle(), { signal: this.#life.signal });
  }

  disconnectedCallback(): void {
    this.#life.abort();
  }

  #toggle(): void {
    const root = document.documentElement;
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const next = (root.dataset["theme"] ?? system) === "dark" ? "light" : "dark";
    root.dataset["theme"] = next;
    document.cookie = `theme=${next}; path=/; max-age=31536000; samesite=lax`;
  }
}
