import { part } from "./svg.ts";

/** The button that prints the page; it is shown only where a script can do it. */
export class PrintPage extends HTMLElement {
  #life = new AbortController();

  connectedCallback(): void {
    this.#life = new AbortController();
    part(this, "button").addEventListener("click", () => window.print(), { signal: this.#life.signal });
  }

  disconnectedCallback(): void {
    this.#life.abort();
  }
}
