import type { Mark } from "./live-results.ts";
import { PlainSurface } from "./plain-surface.ts";
import type { Layer, Surface } from "./surface.ts";
import { html, part } from "./svg.ts";

type Chunk = typeof import("./editor.ts");

const remembered = "towers:plain";

/**
 * The field that a program is written in. The page has a plain text field; where CodeMirror was
 * built it takes over in a shadow root once it is loaded, and the text field, which stays the
 * form's, follows it. Fires "edit" when the reader has changed the program.
 */
export class CodeEditor extends HTMLElement {
  #field!: HTMLTextAreaElement;
  #surface!: Surface;
  #marks: Record<Layer, readonly Mark[]> = { verdict: [], typing: [] };

  connectedCallback(): void {
    this.#field = part<HTMLTextAreaElement>(this, "textarea");
    // What a browser restores after a reload is older than what is kept of the draft.
    this.#field.value = this.#field.defaultValue;
    this.#surface = new PlainSurface(this.#field, () => this.#changed());
    if (this.canBeRich && !this.plain) void this.#enrich();
  }

  disconnectedCallback(): void {
    this.#surface.close();
  }

  /** Whether there is anything else than the plain text field. */
  get canBeRich(): boolean {
    return this.dataset["chunk"] !== undefined;
  }

  /** Whether the reader wants the plain text field; remembered for all exercises. */
  get plain(): boolean {
    try {
      return localStorage.getItem(remembered) !== null;
    } catch {
      return this.shadowRoot?.querySelector(".cm-editor") === null;
    }
  }

  set plain(wanted: boolean) {
    try {
      if (wanted) localStorage.setItem(remembered, "yes");
      else localStorage.removeItem(remembered);
    } catch {
      // Then it holds for this page alone.
    }
    if (!wanted) void this.#enrich(true);
    else if (!(this.#surface instanceof PlainSurface)) this.#become(new PlainSurface(this.#field, () => this.#changed()), true);
  }

  get value(): string {
    return this.#surface.value;
  }

  get cursor(): number {
    return this.#surface.cursor;
  }

  /** Opens another program. */
  load(code: string): void {
    this.#field.value = code;
    this.#surface.load(code);
    this.mark("verdict", []);
    this.mark("typing", []);
  }

  /** Changes the program as if the reader had: it can be taken back, and is an edit. */
  replace(code: string, cursor = 0): void {
    if (code !== this.value) this.#surface.replace(code, cursor);
  }

  mark(layer: Layer, marks: readonly Mark[]): void {
    this.#marks[layer] = marks;
    this.#surface.mark(layer, marks);
  }

  show(line: number, column: number): void {
    this.#surface.show(line, column);
  }

  override focus(): void {
    this.#surface.focus();
  }

  #changed(): void {
    this.#field.value = this.#surface.value;
    this.dispatchEvent(new Event("edit", { bubbles: true }));
  }

  async #enrich(asked = false): Promise<void> {
    if (!(this.#surface instanceof PlainSurface)) return;
    let chunk: Chunk;
    try {
      chunk = (await import(this.dataset["chunk"] ?? "")) as Chunk;
    } catch {
      return; // the plain text field goes on
    }
    if (this.plain || !this.isConnected || !(this.#surface instanceof PlainSurface)) return;
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open", delegatesFocus: true });
    const hint = Object.assign(html("span", "", "Escape, then Tab, leaves the editor."), { id: "leave", hidden: true });
    const slot = document.createElement("slot");
    slot.hidden = true;
    root.replaceChildren(slot, hint);
    const active = document.activeElement === this.#field;
    const cursor = this.cursor;
    const rich = chunk.open(root, this.dataset["file"] ?? "", hint.id, this.value, () => this.#changed());
    this.#become(rich, asked || active, cursor);
  }

  #become(surface: Surface, focus: boolean, cursor = this.cursor): void {
    this.#surface.close();
    this.#surface = surface;
    const plain = surface instanceof PlainSurface;
    if (plain) this.shadowRoot?.replaceChildren(document.createElement("slot"));
    surface.mark("verdict", this.#marks.verdict);
    surface.mark("typing", this.#marks.typing);
    surface.place(cursor);
    if (focus) surface.focus();
  }
}
