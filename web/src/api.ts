import { type Json, list, number, record, text } from "./json.ts";
import { inTurn, send } from "./request.ts";

/** What an exercise's page asks of the server. */

export interface Diagnostic {
  readonly line: number; // from 1
  readonly column: number; // from 1, in bytes
  readonly message: string;
}

/** How far a submission has come, and that drawn as HTML where it was asked for. */
export interface Progress {
  readonly id: string;
  readonly seq: number;
  readonly state: string;
  readonly html: string;
}

export interface Try {
  readonly id: string;
  readonly at: string;
  readonly verdict: string;
  readonly passed: number;
  readonly tests: number;
  readonly recheck: boolean; // an instructor had it checked again: no try of the reader's own
}

export class Api {
  readonly #base: string;

  /** Whether the server knows the reader: it keeps something of theirs, and they have a session. */
  known: boolean;

  constructor(base: string, known: boolean) {
    this.#base = base;
    this.known = known;
  }

  async submit(code: string): Promise<Progress> {
    return progress(await this.#next(() => send("POST", `${this.#base}/submissions`, { code })));
  }

  /** The newest tries, and how many there are in all. */
  async tries(): Promise<{ tries: Try[]; count: number }> {
    const answer = await send("GET", `${this.#base}/submissions`);
    const tries = list(answer, "tries").map((t) => ({
      id: text(t, "id"),
      at: text(t, "at"),
      verdict: text(t, "verdict"),
      passed: number(t, "passed"),
      tests: number(t, "tests"),
      recheck: t["recheck"] === true,
    }));
    return { tries, count: number(answer, "count") };
  }

  /** Gives when the server kept it. A page that is being left may still send it, up to 64 KiB. */
  async keep(code: string, leaving = false): Promise<string> {
    const put = (): Promise<Json> => send("PUT", `${this.#base}/draft`, { code }, { keepalive: leaving });
    return text(await (leaving ? put() : this.#next(put)), "saved");
  }

  async #next(request: () => Promise<Json>): Promise<Json> {
    const answer = await inTurn(request);
    this.known = true;
    return answer;
  }

  async types(code: string, signal: AbortSignal): Promise<Diagnostic[]> {
    return diagnostics(await send("POST", `${this.#base}/types`, { code }, { signal }));
  }

  async solution(): Promise<{ code: string; html: string }> {
    const answer = await send("GET", `${this.#base}/solution`);
    return { code: text(answer, "code"), html: text(answer, "html") };
  }

  async format(code: string): Promise<string | Diagnostic[]> {
    const answer = await send("POST", "/api/format", { code });
    return "code" in answer ? text(answer, "code") : diagnostics(answer);
  }
}

/** Asks for news of a submission; the server answers when it has some, or after a while. */
export async function poll(id: string, after: number, signal: AbortSignal): Promise<Progress> {
  return progress(await send("GET", `/api/submissions/${encodeURIComponent(id)}?after=${after}&as=html`, undefined, { signal }));
}

export function progress(answer: Json): Progress {
  const submission = record(answer["submission"]);
  return {
    id: text(submission, "id"),
    seq: number(answer, "seq"),
    state: text(submission, "state"),
    html: text(answer, "html"),
  };
}

function diagnostics(answer: Json): Diagnostic[] {
  return list(answer, "diagnostics").map((d) => ({
    line: number(d, "line"),
    column: number(d, "column"),
    message: text(d, "message"),
  }));
}
