import type { Api } from "./api.ts";
import { html } from "./svg.ts";

/** The reference program: locked until it is earned, then a fold like a hint. */
export class SolutionFold extends HTMLElement {
  #fetching = false;

  get open(): boolean {
    return this.querySelector("details") !== null;
  }

  /** Says how far off it is, or fetches it when it is due. */
  async update(api: Api, passed: boolean, judged: number): Promise<void> {
    if (this.open || this.#fetching) return;
    const left = Number(this.dataset["after"]) - judged;
    if (!passed && left > 0) {
      const small = this.querySelector("small");
      if (small && judged > 0) small.textContent = left === 1 ? "after one more try" : `after ${left === 2 ? "two" : left} more tries`;
      return;
    }
    this.#fetching = true;
    try {
      const { code, html: coloured } = await api.solution();
      this.replaceChildren(fold(code, coloured));
    } catch {
      // It is there when the page is opened the next time.
    } finally {
      this.#fetching = false;
    }
  }
}

function fold(code: string, coloured: string): HTMLElement {
  const fold = html("details", "hint solution");
  const summary = html("summary", "", "The whole solution ");
  summary.append(html("small", "", "open"));
  const pre = html("pre", "code");
  pre.tabIndex = 0;
  const inner = html("code", "", code);
  // The colours are our server's own drawing; it runs nowhere until its nodes are taken over.
  if (coloured) inner.replaceChildren(...new DOMParser().parseFromString(coloured, "text/html").body.childNodes);
  pre.append(inner);
  fold.append(summary, pre);
  return fold;
}
