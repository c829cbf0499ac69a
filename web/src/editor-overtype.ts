import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** Typing over a selection, done by the editor and not by the browser. Chromium keeps the looks of
 * what it replaces in an inline style, which the page's policy refuses: nothing is lost by that,
 * but it is told in the console each time. */
export const overtype: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event;
    const { main } = view.state.selection;
    if (inputType !== "insertText" || !data || main.empty || view.composing || view.state.readOnly) return false;
    event.preventDefault();
    const typed = () => view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    // Others may want it: a bracket goes around what is selected.
    const taken = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, main.from, main.to, data, typed));
    if (!taken) view.dispatch(typed());
    return true;
  },
});
