import { type Extension, RangeSet, RangeSetBuilder, StateEffect, StateField, type Text, type Transaction } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, GutterMarker, WidgetType, gutterLineClass } from "@codemirror/view";
import type { Mark } from "./live-results.ts";
import { html, svg } from "./svg.ts";
import { type Layer, offsetOf } from "./surface.ts";

/** Replaces the remarks of one side. */
export const setMarks = StateEffect.define<{ layer: Layer; marks: readonly Mark[] }>();

interface Remarked {
  readonly drawn: DecorationSet;
  readonly gutter: RangeSet<GutterMarker>;
}

/** Remarks stay with their lines while the program is edited around them; a line that is edited
 * itself loses its own, for it is not the line any more that the remark was made on. */
const side = (layer: Layer): Extension =>
  StateField.define<Remarked>({
    create: () => ({ drawn: Decoration.none, gutter: RangeSet.empty }),
    update(now, transaction) {
      for (const effect of transaction.effects) {
        if (effect.is(setMarks) && effect.value.layer === layer) return placed(transaction.newDoc, effect.value.marks);
      }
      return transaction.docChanged ? moved(now, transaction) : now;
    },
    provide: (field) => [
      EditorView.decorations.from(field, (now) => now.drawn),
      gutterLineClass.from(field, (now) => now.gutter),
    ],
  });

export const remarks: Extension = [side("verdict"), side("typing")];

const badLine = Decoration.line({ class: "cm-bad" });
const wavy = Decoration.mark({ class: "cm-wavy" });
const badNumber = new (class extends GutterMarker {
  override elementClass = "cm-bad";
})();

/** The block under a line. */
class Remark extends WidgetType {
  readonly #mark: Mark;

  constructor(mark: Mark) {
    super();
    this.#mark = mark;
  }

  override eq(other: Remark): boolean {
    return other.#mark.who === this.#mark.who && other.#mark.says === this.#mark.says;
  }

  override toDOM(): HTMLElement {
    const block = html("div", "cm-remark");
    const box = html("div", "");
    const text = html("span", "");
    if (this.#mark.who) text.append(html("b", "", this.#mark.who), " ");
    text.append(this.#mark.says);
    const glyph = svg("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" });
    glyph.append(svg("path", { class: "solid", d: "M9 1 17.5 16.5H.5z" }), svg("path", { class: "cut", d: "M9 6.5v5m0 1.6v1.6" }));
    box.append(glyph, text);
    block.append(box);
    return block;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function placed(doc: Text, marks: readonly Mark[]): Remarked {
  const drawn = new RangeSetBuilder<Decoration>();
  const gutter = new RangeSetBuilder<GutterMarker>();
  const ordered = marks
    .filter((mark) => mark.line >= 1 && mark.says !== "")
    .map((mark) => ({ ...mark, line: Math.min(mark.line, doc.lines) }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
  for (const number of new Set(ordered.map((mark) => mark.line))) {
    const all = ordered.filter((mark) => mark.line === number);
    const line = doc.line(number);
    drawn.add(line.from, line.from, badLine);
    gutter.add(line.from, line.from, badNumber);
    let after = line.from;
    for (const mark of all) {
      if (mark.column < 1) continue;
      const from = Math.max(after, line.from + offsetOf(line.text, mark.column));
      const word = /^([\p{L}\p{N}_]+|.)/u.exec(line.text.slice(from - line.from));
      if (!word) continue;
      after = from + word[0].length;
      drawn.add(from, after, wavy);
    }
    for (const mark of all) drawn.add(line.to, line.to, Decoration.widget({ widget: new Remark(mark), block: true, side: 1 }));
  }
  return { drawn: drawn.finish(), gutter: gutter.finish() };
}

function moved(now: Remarked, transaction: Transaction): Remarked {
  const touched = new Set<number>();
  transaction.changes.iterChangedRanges((_from, _to, from, to) => {
    const last = transaction.newDoc.lineAt(to).number;
    for (let n = transaction.newDoc.lineAt(from).number; n <= last; n++) touched.add(n);
  });
  const stays = (at: number): boolean => !touched.has(transaction.newDoc.lineAt(at).number);
  return {
    drawn: now.drawn.map(transaction.changes).update({ filter: stays }),
    gutter: now.gutter.map(transaction.changes).update({ filter: stays }),
  };
}
