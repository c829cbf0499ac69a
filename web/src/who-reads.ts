import { comesBack, hasLeft, whenLeft } from "./leaving.ts";

/**
 * The name in the masthead. Where its reader has signed out meanwhile, in another window or before
 * the browser went back to this page, the page is loaded again: it is nobody's to see any more.
 */
export class WhoReads extends HTMLElement {
  #life = new AbortController();

  connectedCallback(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    const name = this.dataset["reader"] ?? "";
    comesBack(name);
    whenLeft(name, () => location.reload(), signal);
    // A page that the browser had put aside whole comes back without having asked the server.
    window.addEventListener("pageshow", (event) => event.persisted && hasLeft(name) && location.reload(), { signal });
  }

  disconnectedCallback(): void {
    this.#life.abort();
  }
}
