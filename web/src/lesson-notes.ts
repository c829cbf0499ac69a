import { text } from "./json.ts";
import { lessonAPI, tell } from "./keep.ts";
import { NoteDraft } from "./note-draft.ts";
import { Refusal } from "./request.ts";
import { html, part } from "./svg.ts";
import { tellTimes } from "./times.ts";

/** The notes of a lesson: opens the form beside its heading, saves it there and puts the note in
 * its place. What is typed stays in the browser until it is saved. */
export class LessonNotes extends HTMLElement {
  #life = new AbortController();
  #forms = 0;

  connectedCallback(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    const article = this.closest<HTMLElement>("article");
    if (!article) return;
    tellTimes(article);
    article.addEventListener("click", (event) => this.#click(event), { signal });
    article.addEventListener("submit", (event) => this.#submit(event), { signal });
    article.addEventListener("input", (event) => this.#typed(event), { signal });
    article.addEventListener("keydown", (event) => this.#key(event), { signal });
    for (const link of article.querySelectorAll<HTMLElement>(".add-note")) {
      if (this.#draft(link).open) this.#open(link, false);
    }
    for (const note of article.querySelectorAll<HTMLElement>("aside.mine")) {
      if (this.#draft(note).open) this.#open(note, false);
    }
  }

  disconnectedCallback(): void {
    this.#life.abort();
  }

  get #lesson(): string {
    return this.dataset["lesson"] ?? "";
  }

  /** What was typed for a note, or for a new one beside a heading. */
  #draft(at: HTMLElement): NoteDraft {
    return new NoteDraft(this.#lesson, at.dataset["note"] ?? `#${at.dataset["anchor"] ?? ""}`);
  }

  #click(event: MouseEvent): void {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest<HTMLElement>(".add-note");
    const edit = event.target.closest(".mine .edit")?.closest<HTMLElement>(".mine");
    const close = event.target.closest("form.mine .acts a")?.closest("form");
    if (!link && !edit && !close) return;
    event.preventDefault();
    if (close) return this.#close(close);
    const opened = link ?? edit;
    if (opened) this.#open(opened, true);
  }

  /** Opens the form for a new note, or in the place of one that is there. */
  #open(at: HTMLElement, focus: boolean): void {
    const draft = this.#draft(at);
    let form = document.querySelector<HTMLFormElement>(`form.mine[data-draft="${CSS.escape(draft.key)}"]`);
    if (!form) {
      form = this.#form(at, draft);
      if (at.matches(".mine")) {
        at.hidden = true;
        at.after(form);
      } else {
        place(at).append(form);
      }
    }
    draft.keep(draft.text, true);
    if (!focus) return;
    part<HTMLTextAreaElement>(form, "textarea").focus();
    form.scrollIntoView({ block: "nearest" });
  }

  #form(at: HTMLElement, draft: NoteDraft): HTMLFormElement {
    const form = part<HTMLFormElement>(part<HTMLTemplateElement>(this, "template").content, "form").cloneNode(true) as HTMLFormElement;
    form.dataset["draft"] = draft.key;
    form.dataset["anchor"] = at.dataset["anchor"];
    if (at.dataset["note"]) form.dataset["note"] = at.dataset["note"];
    this.#forms++;
    for (const element of form.querySelectorAll("[id]")) element.id += `-${this.#forms}`;
    const text = part<HTMLTextAreaElement>(form, "textarea");
    part<HTMLLabelElement>(form, "label").htmlFor = text.id;
    text.setAttribute("aria-describedby", [...form.querySelectorAll(".advice, .wrong")].map((e) => e.id).join(" "));
    text.value = draft.text ?? at.dataset["body"] ?? "";
    return form;
  }

  #typed(event: Event): void {
    const text = event.target;
    if (!(text instanceof HTMLTextAreaElement) || !text.form?.dataset["draft"]) return;
    this.#draft(text.form).keep(text.value, true);
  }

  #key(event: KeyboardEvent): void {
    const form = event.target instanceof HTMLTextAreaElement ? event.target.form : null;
    if (!form?.dataset["draft"] || event.isComposing) return;
    if (event.key === "Escape") this.#close(form);
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.#save(form);
    else return;
    event.preventDefault();
  }

  /** Puts the form away. What was typed is still there when it is opened again. */
  #close(form: HTMLFormElement): void {
    const draft = this.#draft(form);
    const note = this.#noteOf(form);
    const text = part<HTMLTextAreaElement>(form, "textarea").value;
    if (text.trim() === "" || text === note?.dataset["body"]) draft.drop();
    else draft.keep(text, false);
    form.remove();
    if (note) note.hidden = false;
    (note?.querySelector<HTMLElement>(".edit") ?? this.#link(form.dataset["anchor"]))?.focus({ preventScroll: true });
  }

  #submit(event: SubmitEvent): void {
    if (!(event.target instanceof HTMLFormElement) || !event.target.closest(".mine")) return;
    event.preventDefault();
    const form = event.target;
    if (form.matches("form.mine")) void this.#save(form);
    else void this.#delete(part(form.closest(".mine") ?? this, "footer").parentElement as HTMLElement);
  }

  async #save(form: HTMLFormElement): Promise<void> {
    const field = part<HTMLTextAreaElement>(form, "textarea");
    const button = part<HTMLButtonElement>(form, ".btn.prime");
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    this.#fault(form, "");
    const anchor = form.dataset["anchor"] ?? part<HTMLInputElement>(form, "[name=anchor]").value;
    const id = form.dataset["note"] ?? /\/notes\/([^/]+)$/.exec(form.action)?.[1];
    try {
      const saved = id
        ? await tell("PUT", `/api/notes/${encodeURIComponent(id)}`, { lesson: this.#lesson, body: field.value })
        : await tell("POST", lessonAPI(this.#lesson, "notes"), { anchor, body: field.value });
      this.#draft(form).drop();
      this.#noteOf(form)?.remove();
      const note = drawn(text(saved, "html"));
      form.replaceWith(note);
      part<HTMLElement>(note, ".edit").focus({ preventScroll: true });
    } catch (why) {
      button.removeAttribute("aria-disabled");
      this.#fault(form, why instanceof Refusal ? why.message : "The server cannot be reached. Your text is safe in this browser: try again when you are on line.");
      field.focus();
    }
  }

  #fault(form: HTMLFormElement, why: string): void {
    part(form, ".wrong").textContent = why;
    const text = part(form, "textarea");
    if (why) text.setAttribute("aria-invalid", "true");
    else text.removeAttribute("aria-invalid");
  }

  async #delete(note: HTMLElement): Promise<void> {
    const link = this.#link(note.dataset["anchor"]);
    if (!link && !window.confirm("Delete this note for good?")) return;
    const line = html("p", "note mine undone");
    line.setAttribute("role", "status");
    try {
      await tell("DELETE", `/api/notes/${encodeURIComponent(note.dataset["note"] ?? "")}`);
      line.textContent = "The note is deleted. ";
      if (link) line.append(this.#undo(note, line));
      note.replaceWith(line);
      line.querySelector("button")?.focus({ preventScroll: true });
    } catch (why) {
      line.textContent = why instanceof Error ? `It could not be deleted. ${why.message}` : "It could not be deleted.";
      note.append(line);
    }
  }

  /** A button that writes a deleted note anew. */
  #undo(note: HTMLElement, line: HTMLElement): HTMLElement {
    const button = html("button", "", "Undo");
    button.setAttribute("type", "button");
    button.addEventListener("click", async () => {
      const body = { anchor: note.dataset["anchor"] ?? "", body: note.dataset["body"] ?? "" };
      try {
        const saved = await tell("POST", lessonAPI(this.#lesson, "notes"), body);
        const again = drawn(text(saved, "html"));
        line.replaceWith(again);
        part<HTMLElement>(again, ".edit").focus({ preventScroll: true });
      } catch (why) {
        line.firstChild?.replaceWith(why instanceof Error ? `It could not be brought back. ${why.message} ` : "");
      }
    });
    return button;
  }

  #noteOf(form: HTMLElement): HTMLElement | null {
    const id = form.dataset["note"];
    return id ? document.getElementById(`my-note-${id}`) : null;
  }

  #link(anchor: string | undefined): HTMLElement | null {
    return document.querySelector<HTMLElement>(`.add-note[data-anchor="${CSS.escape(anchor ?? "")}"]`);
  }
}

/** Where the notes of a heading stand: before the text that follows it. */
function place(link: HTMLElement): { append(form: HTMLElement): void } {
  const head = link.closest(".head") ?? link;
  let notes = head.nextElementSibling;
  if (!notes?.matches(".noted")) {
    notes = html("div", "noted");
    head.after(notes);
  }
  const beside = notes;
  const last = [...beside.children].filter((child) => child.matches(".mine")).at(-1);
  return { append: (form) => (last ? last.after(form) : beside.prepend(form)) };
}

/** A note as the server has drawn it: sanitised there, and the same as in the page. */
function drawn(markup: string): HTMLElement {
  const holder = document.createElement("template");
  holder.innerHTML = markup;
  tellTimes(holder.content);
  return part(holder.content, ".mine");
}
