import { html } from "./svg.ts";

/** Asks before something is done. Escape, or closing the question, is a no. */
export function ask(question: string, text: string, yes: string, no: string): Promise<boolean> {
  const dialog = Object.assign(document.createElement("dialog"), { className: "ask" });
  const head = html("h2", "", question);
  head.id = "ask";
  dialog.setAttribute("aria-labelledby", head.id);
  const form = Object.assign(document.createElement("form"), { method: "dialog" });
  const choices = html("div", "choices");
  const agree = Object.assign(document.createElement("button"), { className: "btn prime", value: "yes", textContent: yes });
  const refuse = Object.assign(document.createElement("button"), { className: "btn", value: "no", textContent: no });
  choices.append(agree, refuse);
  form.append(head, html("p", "", text), choices);
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((answered) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      answered(dialog.returnValue === "yes");
    });
  });
}
