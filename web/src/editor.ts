import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, insertTab } from "@codemirror/commands";
import { go, goLanguage } from "@codemirror/lang-go";
import { LanguageSupport, bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  dropCursor,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import { styleTags, tags } from "@lezer/highlight";
import { forPaper, look } from "./editor-look.ts";
import { overtype } from "./editor-overtype.ts";
import { remarks, setMarks } from "./editor-remarks.ts";
import type { Mark } from "./live-results.ts";
import { type Layer, type Surface, offsetOf } from "./surface.ts";

/** CodeMirror as a place to write Go. It is a bundle of its own, which a page loads when it is
 * already usable, and only where npm was there to build it. */
export function open(root: ShadowRoot, label: string, describedBy: string, code: string, changed: () => void): Surface {
  return new Editor(root, label, describedBy, code, changed);
}

/** Go, with what is called set off as in the lessons. */
const language = new LanguageSupport(
  goLanguage.configure({
    props: [
      styleTags({
        "CallExpr/SelectorExpr/FieldName": tags.function(tags.propertyName),
        "MethodDecl/FieldName": tags.function(tags.definition(tags.variableName)),
      }),
    ],
  }),
  go().support,
);

class Editor implements Surface {
  readonly #view: EditorView;
  readonly #extensions: Extension;

  constructor(root: ShadowRoot, label: string, describedBy: string, code: string, changed: () => void) {
    this.#extensions = [
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightActiveLine(),
      history(),
      drawSelection(),
      dropCursor(),
      rectangularSelection(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ activateOnTyping: false }),
      overtype,
      highlightSelectionMatches(),
      search({ top: true }),
      language,
      look,
      remarks,
      EditorState.tabSize.of(4),
      indentUnit.of("\t"),
      EditorView.contentAttributes.of({
        "aria-label": label,
        "aria-describedby": describedBy,
        autocapitalize: "off",
        autocorrect: "off",
        spellcheck: "false",
        tabindex: "0", // it is so anyway, but not every tool knows
        translate: "no",
      }),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, { key: "Tab", run: insertTab, shift: indentLess }]),
      // The beginning of a line comes into view with the space before it.
      EditorView.scrollMargins.of((view) => ({ left: (view.dom.querySelector<HTMLElement>(".cm-gutters")?.offsetWidth ?? 0) + 16 })),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed();
      }),
    ];
    this.#view = new EditorView({ root, parent: root, state: this.#state(code) });
    forPaper(root);
  }

  get value(): string {
    return this.#view.state.doc.toString();
  }

  get cursor(): number {
    return this.#view.state.selection.main.head;
  }

  place(cursor: number): void {
    this.#view.dispatch({ selection: { anchor: Math.min(cursor, this.#view.state.doc.length) } });
  }

  load(code: string): void {
    this.#view.setState(this.#state(code));
  }

  replace(code: string, cursor: number): void {
    const before = this.value;
    let from = 0;
    while (from < before.length && before[from] === code[from]) from++;
    let tail = 0;
    while (tail < Math.min(before.length, code.length) - from && before.at(-1 - tail) === code.at(-1 - tail)) tail++;
    this.#view.dispatch({
      changes: { from, to: before.length - tail, insert: code.slice(from, code.length - tail) },
      selection: { anchor: Math.min(cursor, code.length) },
      userEvent: "input.replace",
    });
  }

  mark(layer: Layer, marks: readonly Mark[]): void {
    this.#view.dispatch({ effects: setMarks.of({ layer, marks }) });
  }

  show(line: number, column: number): void {
    const at = this.#view.state.doc.line(Math.max(1, Math.min(line, this.#view.state.doc.lines)));
    const anchor = at.from + offsetOf(at.text, column);
    this.#view.focus();
    this.#view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  }

  focus(): void {
    this.#view.focus();
  }

  close(): void {
    this.#view.destroy();
  }

  #state(code: string): EditorState {
    return EditorState.create({ doc: code, extensions: this.#extensions });
  }
}
