import { setClocks } from "./clock.ts";
import { morph } from "./morph.ts";
import { html, part } from "./svg.ts";
import { plural } from "./words.ts";

/** A remark on a line of the program, to be shown under it. */
export interface Mark {
  readonly line: number; // from 1
  readonly column: number; // from 1, in bytes; 0 = the whole line
  readonly who: string; // the test that says it; empty for the compiler
  readonly says: string;
}

/** A reader wants to see a line of the program. */
export class LineEvent extends CustomEvent<{ line: number; column: number }> {}

/** How often a screen reader is told, at the most, how a running check goes on. */
const quiet = 2_000;

/** The verdict and the list of tests. The server draws them; this puts each new drawing in. */
export class LiveResults extends HTMLElement {
  #life = new AbortController();
  #told = 0;

  connectedCallback(): void {
    this.#life = new AbortController();
    setClocks(this);
    this.addEventListener("click", (event) => this.#jump(event), { signal: this.#life.signal });
  }

  disconnectedCallback(): void {
    this.#life.abort();
  }

  /** Which submission is shown, and how far it has come; its id is empty before the first. */
  get shown(): { id: string; state: string; verdict: string } {
    const { id = "", state = "", verdict = "" } = part(this, ".verdict").dataset;
    return { id, state, verdict };
  }

  /** What is remarked on lines of the program that was judged. Of tests that crashed on one
   * line the first speaks for all. */
  get marks(): Mark[] {
    const marks: Mark[] = [];
    const crashes = new Map<number, number>();
    for (const { dataset } of this.querySelectorAll<HTMLElement>("[data-mark]")) {
      const line = Number(dataset["line"]);
      const who = dataset["who"] ?? "";
      const before = crashes.get(line) ?? 0;
      if (who) crashes.set(line, before + 1);
      if (!who || before === 0) marks.push({ line, column: Number(dataset["column"] ?? 0), who, says: dataset["mark"] ?? "" });
    }
    return marks.map((mark) => {
      const others = mark.who ? (crashes.get(mark.line) ?? 1) - 1 : 0;
      return others === 0 ? mark : { ...mark, says: `${mark.says} (and ${plural(others, "more test", "more tests")})` };
    });
  }

  /** Shows a new drawing. What the reader looks at stays where it is on the screen. */
  draw(drawing: string): void {
    const parsed = new DOMParser().parseFromString(drawing, "text/html");
    const results = part(this, "[data-results]");
    const anchor = this.#anchor();
    const before = anchor?.getBoundingClientRect().top ?? 0;
    morph(results, parsed.body);
    setClocks(results);
    if (anchor?.isConnected) window.scrollBy(0, anchor.getBoundingClientRect().top - before);
    this.#tell();
  }

  /** Says that a program is on its way, before the server has drawn anything of it. What is
   * given back shows again what was shown before. */
  expect(head: string, text: string): () => void {
    const verdict = part(this, ".verdict");
    const before = verdict.cloneNode(true);
    verdict.className = "verdict running";
    verdict.dataset["state"] = "sent";
    verdict.querySelector(".stamp")?.remove();
    part(verdict, "h2").textContent = head;
    part(verdict, "p").textContent = text;
    part(verdict, ".time").textContent = "";
    for (const stretch of verdict.querySelectorAll(".parts i")) stretch.className = "";
    this.#say(head);
    return () => verdict.isConnected && verdict.dataset["state"] === "sent" && verdict.replaceWith(before);
  }

  /** What is to stay in its place: what has the focus, or else the first test on the screen. */
  #anchor(): Element | undefined {
    if (this.contains(document.activeElement)) return document.activeElement ?? undefined;
    if (part(this, "[data-results]").getBoundingClientRect().top > 0) return undefined;
    return [...this.querySelectorAll(".test")].find((test) => test.getBoundingClientRect().bottom > 0);
  }

  #tell(): void {
    const { dataset } = part(this, ".verdict");
    const running = dataset["state"] === "running";
    const now = performance.now();
    if (running && now - this.#told < quiet) return;
    this.#told = now;
    this.#say((running ? this.querySelector("h2")?.textContent : dataset["says"]) ?? "");
  }

  #say(sentence: string): void {
    const live = part(this, "[data-live]");
    if (live.textContent !== sentence) live.replaceChildren(html("span", "", sentence));
  }

  #jump(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-line]") : null;
    if (!link) return;
    event.preventDefault();
    const detail = { line: Number(link.dataset["line"]), column: Number(link.dataset["column"] ?? 1) };
    this.dispatchEvent(new LineEvent("line", { bubbles: true, detail }));
  }
}
