import type { Api, Diagnostic } from "./api.ts";

const rest = 160; // ms without typing before the compiler is asked
const largest = 64 << 10; // what it takes, in UTF-16 units: near enough

/**
 * Asks what the compiler says while a program is typed: after a short rest, one request at a
 * time, and only the answer about the present text counts. Where nobody answers it stays silent.
 */
export class TypeRemarks {
  readonly #api: Api;
  readonly #found: (found: Diagnostic[]) => void;
  #timer = 0;
  #asking: AbortController | undefined;

  constructor(api: Api, found: (found: Diagnostic[]) => void) {
    this.#api = api;
    this.#found = found;
  }

  typed(code: string): void {
    this.stop();
    if (code.length > largest) return;
    this.#timer = window.setTimeout(() => void this.#ask(code), rest);
  }

  /** Forgets what was asked. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#asking = undefined;
  }

  async #ask(code: string): Promise<void> {
    const asking = new AbortController();
    this.#asking = asking;
    try {
      const found = await this.#api.types(code, asking.signal);
      if (!asking.signal.aborted) this.#found(found);
    } catch {
      // Remarks are a help, and the check will say it all: no fuss when there are none.
    }
  }
}
