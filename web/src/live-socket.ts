import { type Progress, poll, progress } from "./api.ts";
import { parse, text } from "./json.ts";
import { pause } from "./pause.ts";
import { Refusal } from "./request.ts";

/** How watching a submission ended: it was judged, or it is not there or not the reader's. */
export type End = "judged" | "gone";

/** What became of one connection. */
type Closed = End | "lost" | "never opened";

const opening = 5_000; // ms for a connection to open
const silence = 45_000; // ms without news after which a connection is doubted
const steady = 5_000; // ms that a good connection lasts
const shortest = 100; // ms between two tries, at first
const longest = 15_000; // and at last

/**
 * Tells of one submission after the other, by a WebSocket that stays open between them. Where a
 * WebSocket cannot be opened twice in a row it asks by plain requests instead: then something on
 * the way does not let it through.
 */
export class LiveSocket {
  #socket: WebSocket | undefined;
  #polls = false;

  /** Called with false when the line is lost, and with true when there is news again. */
  onLine: (up: boolean) => void = () => {};

  /** Opens the connection ahead of its use. */
  warm(): void {
    if (!this.#polls) this.#connect();
  }

  close(): void {
    this.#socket?.close();
  }

  /** Gives every state of a submission that is newer than `after`, until it is judged. */
  async watch(id: string, after: number, on: (news: Progress) => void, signal: AbortSignal): Promise<End | undefined> {
    let seen = after;
    const tell = (news: Progress): void => {
      if (news.seq <= seen && news.state !== "done") return;
      seen = Math.max(seen, news.seq);
      this.onLine(true);
      on(news);
    };
    let failures = 0;
    let refused = 0;
    while (!signal.aborted) {
      const began = performance.now();
      const closed = this.#polls ? await this.#ask(id, seen, tell, signal) : await this.#listen(id, seen, tell, signal);
      if (closed === "judged" || closed === "gone") return closed;
      if (signal.aborted) return undefined;
      refused = closed === "never opened" ? refused + 1 : 0;
      if (refused >= 2 && navigator.onLine) this.#polls = true;
      // A line that held for a while was a good one; one that is cut at once is no reason to hurry.
      failures = performance.now() - began > steady ? 1 : failures + 1;
      if (failures > 2 || !navigator.onLine) this.onLine(false);
      await pause(Math.min(longest, shortest * 3 ** (failures - 1)) * (0.75 + Math.random() / 2), signal);
    }
    return undefined;
  }

  #connect(): WebSocket {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return this.#socket;
    const url = new URL("/live", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    this.#socket = new WebSocket(url);
    return this.#socket;
  }

  #listen(id: string, after: number, on: (news: Progress) => void, signal: AbortSignal): Promise<Closed> {
    return new Promise((ended) => {
      const socket = this.#connect();
      const life = new AbortController();
      const older = socket.readyState === WebSocket.OPEN;
      let opened = older;
      let timer = 0;
      const end = (how: Closed): void => {
        clearTimeout(timer);
        life.abort();
        ended(how);
      };
      const drop = (): void => {
        socket.close();
        end(opened ? "lost" : "never opened");
      };
      const wait = (ms: number): void => {
        clearTimeout(timer);
        timer = window.setTimeout(drop, ms);
      };
      const ask = (): void => {
        opened = true;
        wait(silence);
        socket.send(JSON.stringify({ watch: id, after, as: "html" }));
      };
      const hear = (event: MessageEvent<unknown>): void => {
        wait(silence);
        const said = parse(typeof event.data === "string" ? event.data : "");
        if (text(said, "type") === "gone" && text(said, "id") === id) {
          // An older line may still speak for whom the reader was before signing in.
          if (older) drop();
          else end("gone");
        }
        if (text(said, "type") !== "submission") return;
        const news = progress(said);
        if (news.id !== id) return;
        on(news);
        if (news.state === "done") end("judged");
      };
      const stop = (): void => {
        if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ unwatch: id }));
        end("lost");
      };
      const alive = { signal: life.signal };
      socket.addEventListener("open", ask, alive);
      socket.addEventListener("message", hear, alive);
      socket.addEventListener("close", () => end(opened ? "lost" : "never opened"), alive);
      window.addEventListener("offline", drop, alive);
      signal.addEventListener("abort", stop, alive);
      if (opened) ask();
      else wait(opening);
    });
  }

  async #ask(id: string, after: number, on: (news: Progress) => void, signal: AbortSignal): Promise<Closed> {
    try {
      for (let seen = after; ; ) {
        const news = await poll(id, seen, signal);
        on(news);
        if (news.state === "done") return "judged";
        if (news.seq <= seen) return "lost"; // nothing new for a while: a short pause, and on
        seen = news.seq;
      }
    } catch (why) {
      if (why instanceof Refusal) return why.status === 404 || why.status === 403 ? "gone" : "never opened";
      // The whole server was away, so it was not the WebSocket that something kept out.
      this.#polls = false;
      return "never opened";
    }
  }
}
