import { Api, type Diagnostic } from "./api.ts";
import { ask } from "./ask.ts";
import { Checker } from "./checker.ts";
import { clockElement } from "./clock.ts";
import type { CodeEditor } from "./code-editor.ts";
import type { DraftKeeper } from "./draft-keeper.ts";
import { DraftStore, type Kept } from "./draft-store.ts";
import { type LineEvent, type LiveResults, type Mark } from "./live-results.ts";
import { LiveSocket } from "./live-socket.ts";
import { Offers } from "./offers.ts";
import { Refusal } from "./request.ts";
import { isShared, linkTo, shared, unshare } from "./share.ts";
import type { SolutionFold } from "./solution-fold.ts";
import { sameCursor } from "./surface.ts";
import { part } from "./svg.ts";
import type { TryList } from "./try-list.ts";
import { TypeRemarks } from "./type-remarks.ts";
import { plural } from "./words.ts";

/** Whose program the editor shows: the reader's draft, an earlier try, or one from a link. */
type Source = "draft" | "try" | "link";

/** The page of an exercise: brings the editor, the draft, the checks and the results together. */
export class ExerciseDesk extends HTMLElement {
  #life = new AbortController();
  #socket = new LiveSocket();
  #source: Source = "draft";
  #api!: Api;
  #store!: DraftStore;
  #editor!: CodeEditor;
  #keeper!: DraftKeeper;
  #results!: LiveResults;
  #offers!: Offers;
  #checker!: Checker;
  #types!: TypeRemarks;

  connectedCallback(): void {
    this.#life = new AbortController();
    this.#editor = part<CodeEditor>(this, "code-editor");
    this.#keeper = part<DraftKeeper>(this, "draft-keeper");
    this.#results = part<LiveResults>(this, "live-results");
    this.#offers = new Offers(part(this, "[data-offers]"));
    this.#api = new Api(this.dataset["api"] ?? "", "known" in this.dataset);
    this.#store = DraftStore.mine(this.dataset["page"] ?? "");
    this.#types = new TypeRemarks(this.#api, (found) => this.#remark(found));
    const desk = {
      api: this.#api,
      socket: this.#socket,
      results: this.#results,
      store: this.#store,
      button: part<HTMLButtonElement>(this, "[data-act='check']"),
      status: part(this, "[data-sending]"),
      taken: () => void this.#count(false),
      judged: (code: string | undefined) => this.#judged(code),
    };
    this.#checker = new Checker(desk, this.#life.signal);
    this.#open();
    this.#listen();
  }

  disconnectedCallback(): void {
    this.#life.abort();
    this.#types.stop();
    this.#socket.close();
  }

  /** Decides what the editor shows at first, and says what else there is. */
  #open(): void {
    const drawn = this.#editor.value;
    const kept = part<HTMLTextAreaElement>(this, "[data-kept='draft']");
    let server = { code: kept.defaultValue, saved: kept.dataset["saved"] ?? "" };
    if (!this.dataset["try"] && "same" in this.#results.dataset && drawn !== server.code) {
      // What was sent in last is newer than the draft, as when it was sent without a script.
      if (server.saved) this.#putAside(server.code, new Date(server.saved), "put aside.");
      server = { code: drawn, saved: this.#results.dataset["sent"] ?? "" };
    }
    const opening = this.#keeper.begin(this.#api, this.#store, server, this.#start);
    for (const other of this.#store.others.reverse()) {
      if (other.code !== opening.code) this.#offer(other, "put aside.");
    }
    if (opening.other) this.#putAside(opening.other.code, opening.other.at, `kept ${opening.other.where}.`);
    if (this.dataset["try"] && drawn !== opening.code) this.#show(drawn, "try", this.#tryLine());
    else if (drawn !== opening.code) this.#editor.load(opening.code);
    if (isShared()) void this.#openShared();
    this.#measure();

    const { id, state } = this.#results.shown;
    const same = "same" in this.#results.dataset;
    if (same && this.#editor.value === drawn) this.#editor.mark("verdict", this.#results.marks);
    if (id && state !== "done") this.#checker.resume(id, same ? drawn : undefined);
    else if (this.#store.unsent?.code === this.#editor.value) this.#checker.remind(this.#editor.value);
  }

  #listen(): void {
    const { signal } = this.#life;
    const acts: Record<string, () => unknown> = {
      check: () => this.#check(),
      format: () => this.#format(),
      again: () => this.#startAgain(),
      share: () => this.#share(),
    };
    for (const [act, run] of Object.entries(acts)) {
      const button = part<HTMLButtonElement>(this, `[data-act='${act}']`);
      button.hidden = false;
      if (button.type === "button") button.addEventListener("click", () => void run(), { signal });
    }
    part(this, "form").addEventListener(
      "submit",
      (event) => {
        const act = event.submitter?.dataset["act"] ?? "check";
        if (act === "download") return; // the browser's own affair
        event.preventDefault();
        void acts[act]?.();
      },
      { signal },
    );
    document.addEventListener("keydown", (event) => this.#key(event), { signal, capture: true });
    this.addEventListener("edit", () => this.#edited(), { signal });
    this.addEventListener("line", (event) => this.#editor.show((event as LineEvent).detail.line, (event as LineEvent).detail.column), { signal });
    window.addEventListener("hashchange", () => isShared() && void this.#openShared(), { signal });
    this.#store.onOther((other) => {
      if (other.code !== this.#editor.value) this.#putAside(other.code, new Date(other.at), "typed in another window.");
    }, signal);
    this.#switch();
  }

  /** The switch for the plain text field, and the names of the keys. */
  #switch(): void {
    const keys = part(this, ".keys");
    keys.hidden = false;
    if (/Mac|iP(hone|ad|od)/.test(navigator.userAgent)) {
      for (const key of keys.querySelectorAll("[data-key-name='mod']")) key.textContent = "⌘";
    }
    if (!this.#editor.canBeRich) return;
    const plain = part<HTMLInputElement>(this, "[data-act='plain']");
    part(this, ".switch").hidden = false;
    plain.checked = this.#editor.plain;
    plain.addEventListener("change", () => (this.#editor.plain = plain.checked), { signal: this.#life.signal });
  }

  #key(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const act = event.key === "Enter" ? () => this.#check() : event.key === "s" ? () => this.#format() : undefined;
    if (!act || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) void act();
  }

  #edited(): void {
    const code = this.#editor.value;
    if (this.#source !== "draft") this.#adopt();
    this.#keeper.keep(code);
    this.#checker.edited(code);
    this.#types.typed(code);
    this.#measure();
  }

  #check(): void {
    this.#types.stop();
    this.#keeper.flush();
    this.#editor.mark("verdict", []);
    void this.#checker.check(this.#editor.value);
  }

  #judged(code: string | undefined): void {
    const { state, verdict } = this.#results.shown;
    if (state === "done" && code === this.#editor.value) {
      this.#editor.mark("typing", []);
      this.#editor.mark("verdict", this.#results.marks);
    }
    void this.#count(verdict === "passed");
  }

  /** Brings the list of tries up to date, and opens the solution where that is due. */
  async #count(passed: boolean): Promise<void> {
    const list = part<TryList>(this, "try-list");
    try {
      const { tries, count } = await this.#api.tries();
      list.show(tries, count);
    } catch {
      // The list is as it was; the next check brings it up to date.
    }
    await part<SolutionFold>(this, "solution-fold").update(this.#api, passed, list.judged);
  }

  #remark(found: readonly Diagnostic[]): void {
    if (this.#results.marks.some((mark) => mark.who === "")) this.#editor.mark("verdict", []);
    this.#editor.mark("typing", found.map(markOf));
  }

  async #format(): Promise<void> {
    const before = this.#editor.value;
    const { cursor } = this.#editor;
    try {
      const after = await this.#api.format(before);
      if (this.#editor.value !== before) return; // typed on meanwhile: their text counts
      if (typeof after === "string") {
        this.#tell("");
        this.#editor.replace(after, sameCursor(before, after, cursor));
        return;
      }
      this.#editor.mark("typing", after.map(markOf));
      this.#tell(`It cannot be formatted yet: line ${after[0]?.line ?? 1}: ${after[0]?.message ?? "it does not parse"}.`);
    } catch (why) {
      this.#tell(why instanceof Refusal ? why.message : "It could not be formatted: the server cannot be reached.");
    }
  }

  async #startAgain(): Promise<void> {
    const sure = await ask("Start again?", "The editor goes back to what the exercise begins with. You can take that back.", "Yes, start again", "Keep my program");
    this.#editor.focus();
    if (!sure || this.#editor.value === this.#start) return;
    const before = this.#editor.value;
    this.#editor.replace(this.#start);
    this.#putAside(before, new Date(), "put aside.", "Take it back");
  }

  async #share(): Promise<void> {
    const link = await linkTo(this.#editor.value);
    if (!link) return this.#tell("The program is too large for a link. Download it instead.");
    let copied = true;
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      copied = false;
    }
    const line = this.#offers.make("link", [copied ? "The link is copied. It holds the program itself." : "This link holds the program itself."], { label: "Done", act: () => this.#editor.focus() });
    const field = Object.assign(document.createElement("input"), { readOnly: true, value: link });
    field.ariaLabel = "Link to this program";
    line.querySelector("span")?.after(field);
    field.select();
  }

  async #openShared(): Promise<void> {
    const program = await shared();
    if (program === undefined) {
      this.#offers.make("link", ["The link holds a program that cannot be read: it is damaged or far too large. Here is your draft."], { label: "Close", act: unshare });
      return;
    }
    if (program === this.#keeper.draft?.code) return unshare();
    this.#show(program, "link", ["This program comes with the link. Your draft is kept."]);
  }

  /** Shows a program that is not the draft, which stays one click away. */
  #show(code: string, source: Source, said: readonly (string | Node)[]): void {
    this.#source = source;
    this.#types.stop();
    this.#editor.load(code);
    this.#measure();
    const back = { label: this.#keeper.draft ? "Back to your draft" : "Back to the start", act: () => this.#back() };
    this.#offers.make("source", said, back, { label: "Go on from here", act: () => this.#goOn() });
  }

  #tryLine(): (string | Node)[] {
    const at = this.querySelector<HTMLTimeElement>(`tr[data-id="${CSS.escape(this.dataset["try"] ?? "")}"] time`)?.dateTime;
    return at ? ["This is your try of ", clockElement(at), ". Your draft is kept."] : ["This is an earlier try. Your draft is kept."];
  }

  #back(): void {
    this.#leaveSource();
    this.#editor.load(this.#keeper.draft?.code ?? this.#start);
    this.#measure();
    this.#editor.focus();
  }

  #goOn(): void {
    this.#adopt();
    this.#keeper.keep(this.#editor.value);
    this.#editor.focus();
  }

  /** The program on show becomes the draft, and the draft that was is put aside. */
  #adopt(): void {
    const draft = this.#keeper.draft;
    this.#leaveSource();
    if (draft && draft.code !== this.#editor.value) this.#putAside(draft.code, draft.at, "put aside.");
  }

  #leaveSource(): void {
    this.#source = "draft";
    this.#offers.drop("source");
    unshare();
    if (!this.dataset["try"]) return;
    this.dataset["try"] = "";
    part<TryList>(this, "try-list").leave();
    history.replaceState(history.state, "", this.dataset["page"]);
  }

  /** Keeps a program that would be lost, and offers it. What everybody begins with needs no keeping. */
  #putAside(code: string, at: Date, how: string, label = "Show it"): void {
    if (code === this.#start || code.trim() === "") return;
    const aside = { code, at: at.getTime(), saved: "", dirty: false };
    this.#forget(code);
    this.#store.others = [aside, ...this.#store.others];
    this.#offer(aside, how, label);
  }

  #offer(aside: Kept, how: string, label = "Show it"): void {
    const said = ["Another draft from ", clockElement(new Date(aside.at).toISOString()), `, ${how}`];
    this.#offers.make(`other-${aside.at}`, said, { label, act: () => this.#swap(aside) }, { label: "Forget it", act: () => this.#forget(aside.code) });
  }

  #forget(code: string): void {
    for (const gone of this.#store.others.filter((other) => other.code === code)) this.#offers.drop(`other-${gone.at}`);
    this.#store.others = this.#store.others.filter((other) => other.code !== code);
  }

  /** Shows what was put aside, and puts aside what is shown. */
  #swap(aside: Kept): void {
    const draft = this.#keeper.draft;
    const now = this.#source === "draft" ? this.#editor.value : draft?.code;
    if (this.#source !== "draft") this.#leaveSource();
    this.#editor.replace(aside.code);
    this.#forget(aside.code);
    if (now !== undefined) this.#putAside(now, draft?.at ?? new Date(), "put aside.");
    this.#editor.focus();
  }

  get #start(): string {
    return part<HTMLTextAreaElement>(this, "[data-kept='start']").defaultValue;
  }

  #measure(): void {
    part(this, "[data-size]").textContent = plural(new TextEncoder().encode(this.#editor.value).length, "byte", "bytes");
  }

  #tell(text: string): void {
    part(this, "[data-sending]").textContent = text;
  }
}

function markOf(found: Diagnostic): Mark {
  return { line: found.line, column: found.column, who: "", says: found.message };
}
