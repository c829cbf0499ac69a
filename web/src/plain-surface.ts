import type { Mark } from "./live-results.ts";
import { type Layer, type Surface, lineAt, offsetOf } from "./surface.ts";
import { html } from "./svg.ts";

/** A program in a plain text field: Tab moves on, and remarks are listed below. */
export class PlainSurface implements Surface {
  readonly #field: HTMLTextAreaElement;
  readonly #life = new AbortController();
  readonly #marks: Record<Layer, readonly Mark[]> = { verdict: [], typing: [] };
  readonly #remarks = html("ol", "mistakes");

  constructor(field: HTMLTextAreaElement, changed: () => void) {
    this.#field = field;
    field.addEventListener("input", () => changed(), { signal: this.#life.signal });
    this.#remarks.ariaLabel = "Remarks";
    this.#remarks.hidden = true;
    field.after(this.#remarks);
    this.#remarks.addEventListener("click", (event) => this.#jump(event), { signal: this.#life.signal });
  }

  get value(): string {
    return this.#field.value;
  }

  get cursor(): number {
    return this.#field.selectionStart;
  }

  place(cursor: number): void {
    this.#field.setSelectionRange(cursor, cursor);
  }

  load(code: string): void {
    this.#field.value = code;
    this.#field.setSelectionRange(0, 0);
  }

  replace(code: string, cursor: number): void {
    this.#field.focus();
    this.#field.select();
    // The old command is the only one that the browser lets a reader take back.
    const done = code === "" ? document.execCommand("delete") : document.execCommand("insertText", false, code);
    if (!done || this.#field.value !== code) {
      this.#field.value = code;
      this.#field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    this.#field.setSelectionRange(cursor, cursor);
  }

  mark(layer: Layer, marks: readonly Mark[]): void {
    this.#marks[layer] = marks;
    this.#list([...this.#marks.verdict, ...this.#marks.typing]);
  }

  show(line: number, column: number): void {
    const { from, to } = lineAt(this.#field.value, line);
    const at = from + offsetOf(this.#field.value.slice(from, to), column);
    this.#field.focus();
    this.#field.setSelectionRange(at, to);
    // The field is as high as its text, so it is the page that has to be scrolled.
    const row = parseFloat(getComputedStyle(this.#field).lineHeight);
    const top = this.#field.getBoundingClientRect().top + row * (line - 1);
    if (top < 0 || top > window.innerHeight - 2 * row) window.scrollBy(0, top - window.innerHeight / 3);
  }

  focus(): void {
    this.#field.focus();
  }

  close(): void {
    this.#life.abort();
    this.#remarks.remove();
  }

  #list(marks: readonly Mark[]): void {
    this.#remarks.hidden = marks.length === 0;
    this.#remarks.replaceChildren(
      ...marks.map((mark) => {
        const item = html("li", "");
        const link = Object.assign(document.createElement("a"), { href: "#desk", textContent: `line ${mark.line}` });
        link.dataset["line"] = String(mark.line);
        link.dataset["column"] = String(mark.column);
        item.append(link, html("span", "", mark.who ? `${mark.who} ${mark.says}` : mark.says));
        return item;
      }),
    );
  }

  #jump(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-line]") : null;
    if (!link) return;
    event.preventDefault();
    this.show(Number(link.dataset["line"]), Number(link.dataset["column"]));
  }
}
