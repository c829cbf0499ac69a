import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The editor in the inks of the page, which reach into its shadow root as custom properties;
 * so day and night come by themselves. The sheet in css/editor.css draws what is around it. */

const narrow = "@media (max-width: 39.99rem)";

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "transparent", fontSize: "var(--code-size)", direction: "ltr" },
  "&.cm-focused": { outline: "2px solid var(--link)", outlineOffset: "-2px" },
  ".cm-scroller": {
    font: "inherit",
    fontFamily: "var(--mono)",
    lineHeight: "1.6",
    minHeight: "calc(20 * 1.6em + 1.5rem)",
    overflowX: "auto",
  },
  ".cm-content": { padding: ".75rem 0", caretColor: "var(--signal)" },
  ".cm-line": { padding: "0 1.5rem 0 1rem" },
  ".cm-cursor, .cm-dropCursor": { borderLeft: "1.5px solid var(--signal)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--sea) 82%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--signal-wash)" },
  ".cm-selectionMatch": { backgroundColor: "var(--shoal)" },
  "&.cm-focused .cm-matchingBracket, .cm-matchingBracket": { backgroundColor: "var(--shoal)", outline: "1px solid var(--rule-2)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--fail-wash)" },

  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-3)", border: "0", fontSize: ".8125rem" },
  ".cm-lineNumbers .cm-gutterElement": {
    minWidth: "3.35rem",
    padding: "0 .75rem 0 .5rem",
    lineHeight: "calc(1.6 * var(--code-size))",
    borderRight: "1px solid var(--rule)",
    fontVariantNumeric: "lining-nums tabular-nums",
  },
  ".cm-activeLineGutter": { color: "var(--ink)" },
  ".cm-line.cm-bad, .cm-gutterElement.cm-bad": { backgroundColor: "var(--fail-wash)" },
  ".cm-lineNumbers .cm-gutterElement.cm-bad": { color: "var(--fail)", fontWeight: "700", borderRight: "3px solid var(--fail)", paddingRight: "calc(.75rem - 2px)" },
  ".cm-wavy": { textDecoration: "underline wavy var(--fail) 1.2px", textUnderlineOffset: ".3em", textDecorationSkipInk: "none" },
  // CodeMirror measures a block without its margins, so what is around the remark is padding.
  ".cm-remark": { padding: ".3rem 1.5rem .5rem 1rem" },
  ".cm-remark > div": {
    display: "grid",
    gridTemplateColumns: "auto 1fr",
    gap: ".6rem",
    alignItems: "start",
    padding: ".45rem .8rem",
    // Never wider than what is seen of the program, whose lines may be longer.
    maxWidth: "min(34rem, 100cqi - 5.85rem)",
    borderLeft: "3px solid var(--fail)",
    backgroundColor: "var(--fail-wash)",
    font: "var(--f-2)/1.45 var(--sans)",
    color: "var(--ink)",
    whiteSpace: "pre-wrap",
    overflowWrap: "anywhere",
  },
  ".cm-remark svg": { width: "1.125rem", height: "1.125rem", marginTop: ".2em", color: "var(--fail)" },
  ".cm-remark .solid": { fill: "currentColor" },
  ".cm-remark .cut": { fill: "none", stroke: "var(--plate)", strokeWidth: "1.9" },

  ".cm-panels": { backgroundColor: "var(--plate)", color: "var(--ink)", font: "var(--f-1)/1.4 var(--sans)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--rule)" },
  ".cm-search": { padding: ".5rem 1rem" },
  ".cm-textfield": { border: "1px solid var(--rule-2)", borderRadius: "2px", backgroundColor: "var(--plate)", color: "inherit", padding: ".3em .5em" },
  ".cm-button": { border: "1px solid var(--ink)", borderRadius: "2px", background: "var(--plate)", color: "var(--ink)", padding: ".35em .7em" },
  ".cm-searchMatch": { backgroundColor: "var(--land)", outline: "1px solid var(--land-edge)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--shoal)" },
  ".cm-tooltip": { border: "1px solid var(--ink)", borderRadius: "2px", backgroundColor: "var(--plate)", color: "var(--ink)", boxShadow: "var(--lift)" },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: ".875rem" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--ink)", color: "var(--on-ink)" },

  [narrow]: {
    ".cm-line": { padding: "0 1rem 0 .6rem" },
    ".cm-lineNumbers .cm-gutterElement": { minWidth: "2.4rem", padding: "0 .5rem 0 .25rem" },
    ".cm-lineNumbers .cm-gutterElement.cm-bad": { paddingRight: "calc(.5rem - 2px)" },
    ".cm-remark": { padding: ".3rem 1rem .5rem .6rem" },
    ".cm-remark > div": { maxWidth: "calc(100cqi - 4rem)" },
  },
  "@media (forced-colors: active)": {
    ".cm-remark > div": { border: "1px solid CanvasText" },
    ".cm-cursor": { borderLeftColor: "CanvasText" },
  },
  // On paper nothing scrolls: lines break, and their numbers stand before them and not in a column.
  "@media print": {
    ".cm-gutters, .cm-cursorLayer, .cm-selectionLayer, .cm-panels, .cm-tooltip": { display: "none !important" },
    ".cm-scroller": { display: "block !important", overflow: "visible !important", minHeight: "0" },
    ".cm-content": { flexShrink: "1 !important", width: "100%", whiteSpace: "pre-wrap !important", overflowWrap: "anywhere", counterReset: "line" },
    ".cm-line": { position: "relative", paddingLeft: "3rem", counterIncrement: "line", backgroundColor: "transparent" },
    ".cm-line::before": {
      content: "counter(line)",
      position: "absolute",
      left: "0",
      width: "2.2rem",
      textAlign: "right",
      color: "var(--ink-3)",
      fontSize: ".8em",
      lineHeight: "2",
    },
    ".cm-line.cm-bad": { backgroundColor: "var(--fail-wash)" },
    ".cm-remark": { paddingLeft: "3rem" },
  },
  "@media (prefers-reduced-motion: reduce)": { ".cm-cursorLayer": { animation: "none !important" } },
});

const inks = HighlightStyle.define([
  { tag: [tags.keyword, tags.definitionKeyword, tags.moduleKeyword, tags.controlKeyword, tags.bool, tags.null], color: "var(--c-key)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--c-type)" },
  { tag: [tags.string, tags.special(tags.string), tags.character, tags.escape], color: "var(--c-str)" },
  { tag: tags.number, color: "var(--c-num)" },
  { tag: tags.comment, color: "var(--c-com)", fontStyle: "italic" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.function(tags.definition(tags.variableName)), tags.definition(tags.typeName)], color: "var(--ink)", fontWeight: "600" },
]);

export const look: Extension = [theme, syntaxHighlighting(inks)];

/** A theme cannot say this of the editor itself: only a block goes on over several pages whole. */
const paper = new CSSStyleSheet();
paper.replaceSync("@media print { .cm-editor.cm-editor { display: block !important } }");

/** Makes what stands in a root ready for print. */
export function forPaper(root: ShadowRoot): void {
  if (!root.adoptedStyleSheets.includes(paper)) root.adoptedStyleSheets.push(paper);
}
