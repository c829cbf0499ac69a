import type { Api } from "./api.ts";
import { span } from "./clock.ts";
import type { DraftStore } from "./draft-store.ts";
import type { LiveResults } from "./live-results.ts";
import type { LiveSocket } from "./live-socket.ts";
import { Refusal, Unreachable } from "./request.ts";
import { html } from "./svg.ts";

/** What a check needs of its page. */
export interface Desk {
  readonly api: Api;
  readonly socket: LiveSocket;
  readonly results: LiveResults;
  readonly store: DraftStore;
  readonly button: HTMLButtonElement;
  readonly status: HTMLElement;

  /** The server has taken a program. */
  taken(): void;

  /** There is a verdict on a program; undefined where the page does not know the program. */
  judged(code: string | undefined): void;
}

/**
 * Sends a program and watches what becomes of it. One program is never sent twice at a time: the
 * button rests from the moment it is pressed until the verdict, or until the program is changed.
 */
export class Checker {
  readonly #desk: Desk;
  #sending = false;
  #watching: AbortController | undefined;
  #checked: string | undefined; // what is sent or watched, where the page knows it
  #present = ""; // what is in the editor
  #unsent = false;
  #until = 0; // when the server will take another one
  #tick = 0;

  constructor(desk: Desk, signal: AbortSignal) {
    this.#desk = desk;
    desk.socket.onLine = (up) => {
      if (this.#watching) this.#say(up ? "" : "The connection is lost. The check goes on, and its results follow as soon as it is back.");
    };
    const online = (): void => {
      if (this.#unsent && this.#checked !== undefined) void this.check(this.#checked);
    };
    window.addEventListener("online", online, { signal });
    signal.addEventListener("abort", () => {
      clearInterval(this.#tick);
      this.#watching?.abort();
    });
  }

  /** Whether this very program is on its way or being checked. */
  #busy(code: string): boolean {
    return this.#sending || (this.#watching !== undefined && this.#checked === code);
  }

  async check(code: string): Promise<void> {
    this.#present = code;
    if (this.#busy(code)) return;
    if (Date.now() < this.#until) return this.#countDown();
    const { api, results, socket, store } = this.#desk;
    this.#watching?.abort();
    this.#watching = undefined;
    this.#sending = true;
    this.#unsent = false;
    this.#checked = code;
    this.#show();
    this.#say("");
    if (api.known) socket.warm(); // a line that is older than its reader's session is of no use
    const undo = results.expect("On its way", "Your program is being sent.");
    try {
      const news = await api.submit(code);
      store.unsent = undefined;
      this.#sending = false;
      this.#desk.taken();
      void this.#watch(news.id, code);
    } catch (why) {
      undo();
      this.#sending = false;
      this.#failed(why, code);
    }
  }

  /** Goes on watching what was being checked when the page was left. */
  resume(id: string, code: string | undefined): void {
    this.#checked = code;
    this.#present = code ?? "";
    void this.#watch(id, code);
  }

  /** Offers again what could not be sent the last time. */
  remind(code: string): void {
    this.#unsent = true;
    this.#checked = this.#present = code;
    this.#say("The program was not sent the last time: the server could not be reached.");
    this.#show();
    if (navigator.onLine) return;
    this.#say("You are offline. The program is kept in this browser, and sent when there is a connection.");
  }

  /** The program in the editor has become another one. */
  edited(code: string): void {
    this.#present = code;
    if (this.#unsent && code !== this.#checked) {
      this.#unsent = false;
      this.#desk.store.unsent = undefined;
      this.#say("");
    }
    this.#show();
  }

  async #watch(id: string, code: string | undefined): Promise<void> {
    const watching = new AbortController();
    this.#watching = watching;
    this.#show();
    const { results, socket } = this.#desk;
    const end = await socket.watch(id, 0, (news) => news.html && results.draw(news.html), watching.signal);
    if (watching.signal.aborted) return;
    this.#watching = undefined;
    this.#show();
    this.#say(end === "gone" ? "The server does not know this program any more. Check it once more." : "");
    this.#desk.judged(code);
  }

  #failed(why: unknown, code: string): void {
    if (why instanceof Refusal && why.status === 429) {
      this.#until = Date.now() + 1000 * Math.max(1, why.wait);
      this.#countDown(why.message);
    } else if (why instanceof Refusal) {
      this.#say(why.message);
    } else {
      this.#unsent = true;
      this.#desk.store.unsent = { code, at: Date.now(), saved: "", dirty: true };
      this.#say(
        navigator.onLine
          ? "Your program could not be sent: the server cannot be reached. It is kept in this browser."
          : "You are offline. Your program is kept in this browser, and sent when there is a connection.",
      );
      if (!(why instanceof Unreachable)) throw why;
    }
    this.#show();
  }

  /** Says, without hurry, when the next check can be asked for. */
  #countDown(message = "The next check has to wait a little."): void {
    clearInterval(this.#tick);
    const left = html("span", "");
    left.ariaLive = "off";
    const show = (): void => {
      const seconds = Math.ceil((this.#until - Date.now()) / 1000);
      if (seconds > 0) {
        left.textContent = `You can check again in ${span(seconds)}.`;
        return;
      }
      clearInterval(this.#tick);
      this.#say("You can check again now.");
      this.#show();
    };
    show();
    this.#say(`${message} `, left);
    this.#tick = window.setInterval(show, 1000);
  }

  #say(...text: (string | Node)[]): void {
    this.#desk.status.replaceChildren(...text);
  }

  #show(): void {
    const { button } = this.#desk;
    const busy = this.#busy(this.#present);
    button.ariaDisabled = busy || Date.now() < this.#until ? "true" : null;
    button.textContent = busy ? "Checking" : this.#unsent && this.#present === this.#checked ? "Send again" : "Check";
  }
}
