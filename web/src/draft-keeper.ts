import type { Api } from "./api.ts";
import { clockElement } from "./clock.ts";
import type { DraftStore, Kept } from "./draft-store.ts";
import { hasLeft } from "./leaving.ts";
import { Refusal, Unreachable } from "./request.ts";
import { readerName } from "./stash.ts";

/** A draft as the page came with it. */
export interface ServerDraft {
  readonly code: string;
  readonly saved: string; // empty = there is none
}

/** What the editor opens with, and what else there is. */
export interface Opening {
  readonly code: string;
  readonly other?: { readonly code: string; readonly at: Date; readonly where: string } | undefined;
}

const debounce = 800; // ms of rest before a draft goes to the server
const again = 10_000; // ms until a failed save is tried once more

/** Keeps what is typed: in this browser at once, on the server after a short rest. */
export class DraftKeeper extends HTMLElement {
  #life = new AbortController();
  #api!: Api;
  #store!: DraftStore;
  #kept: Kept | undefined;
  #timer = 0;
  #saving = false;
  #local = true; // whether the browser keeps anything

  connectedCallback(): void {
    this.#life = new AbortController();
    const { signal } = this.#life;
    window.addEventListener("pagehide", () => this.leave(), { signal });
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.leave(), { signal });
    window.addEventListener("online", () => this.#kept?.dirty && this.#soon(0), { signal });
  }

  disconnectedCallback(): void {
    this.leave();
    this.#life.abort();
    clearTimeout(this.#timer);
  }

  /** Decides which of two drafts to go on with: the newer one. The other one is not lost. */
  begin(api: Api, store: DraftStore, server: ServerDraft, start: string): Opening {
    this.#api = api;
    this.#store = store;
    const here = store.read();
    const there = server.saved ? Date.parse(server.saved) : Number.NEGATIVE_INFINITY;
    const settled: Kept | undefined = server.saved ? { code: server.code, at: there, saved: server.saved, dirty: false } : undefined;
    // A server that knows nothing of it has forgotten its reader, or never knew.
    const ours = here !== undefined && (here.dirty || !settled) && here.code !== settled?.code;
    if (!ours) {
      this.#kept = settled;
      this.#show();
      return { code: settled?.code ?? start };
    }
    if (here.at >= there || here.saved === server.saved) {
      this.#kept = { ...here, dirty: true };
      this.#soon(0);
      this.#show();
      const made = here.saved === server.saved; // the server's is what this one was made from
      return { code: here.code, other: made || !settled ? undefined : { code: settled.code, at: new Date(there), where: "on the server" } };
    }
    this.#kept = settled;
    this.#show();
    return { code: settled?.code ?? start, other: { code: here.code, at: new Date(here.at), where: "in this browser" } };
  }

  /** What is kept, and when it was typed. */
  get draft(): { code: string; at: Date } | undefined {
    return this.#kept && { code: this.#kept.code, at: new Date(this.#kept.at) };
  }

  keep(code: string): void {
    if (code === this.#kept?.code) return;
    this.#kept = { code, at: Date.now(), saved: this.#kept?.saved ?? "", dirty: true };
    this.#local = this.#store.write(this.#kept);
    this.#soon(debounce);
    this.#show();
  }

  /** Sends at once what the server does not have yet. */
  flush(): void {
    if (this.#kept?.dirty) this.#soon(0);
  }

  /** The page may be gone in a moment: the browser sends this all the same. */
  leave(): void {
    if (this.#kept?.dirty && !this.#saving) void this.#save(true);
  }

  #soon(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#life.signal.aborted) return;
    this.#timer = window.setTimeout(() => void this.#save(false), ms);
  }

  async #save(leaving: boolean): Promise<void> {
    const sent = this.#kept;
    // After somebody has left it would be kept as another's.
    if (!sent?.dirty || this.#saving || hasLeft(readerName())) return;
    this.#saving = true;
    try {
      const saved = await this.#api.keep(sent.code, leaving);
      const now = this.#kept ?? sent;
      this.#kept = { ...now, saved, dirty: now.code !== sent.code };
      this.#local = this.#store.write(this.#kept);
      if (this.#kept.dirty) this.#soon(debounce);
      this.#show();
    } catch (why) {
      if (why instanceof Refusal && why.status === 413) this.#show("too large to be kept on the server");
      else this.#show();
      if (why instanceof Unreachable || (why instanceof Refusal && why.status >= 429)) this.#soon(again);
    } finally {
      this.#saving = false;
    }
  }

  #show(trouble = ""): void {
    if (!this.#kept) this.replaceChildren();
    else if (!this.#kept.dirty) this.replaceChildren("draft saved ", clockElement(this.#kept.saved || new Date(this.#kept.at).toISOString()));
    else if (!this.#local) this.replaceChildren("not kept yet: stay on this page");
    else this.replaceChildren(trouble ? `kept in this browser, ${trouble}` : "kept in this browser, not yet on the server");
  }
}
