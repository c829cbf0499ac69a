import { type Json, parse, record, text } from "./json.ts";

/** One request to the API, and what may become of it. */

/** The server understood and said no. Its message is for the reader. */
export class Refusal extends Error {
  readonly status: number;
  readonly wait: number; // seconds until it makes sense to ask again; 0 = it did not say

  constructor(status: number, message: string, wait: number) {
    super(message);
    this.status = status;
    this.wait = wait;
  }
}

/** The server was not reached. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("The server cannot be reached.", { cause });
  }
}

/** Sends JSON and gives the answer's, which is empty where it has none. */
export async function send(method: string, url: string, body?: Json, more: RequestInit = {}): Promise<Json> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body) headers["Content-Type"] = "application/json";
  let answer: Response;
  let content: string;
  try {
    answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }), ...more });
    content = await answer.text();
  } catch (cause) {
    if (more.signal?.aborted) throw cause;
    throw new Unreachable(cause);
  }
  const json = parse(content);
  if (answer.ok) return json;
  const message = text(record(json["error"]), "message") || `The server answered ${answer.status}. Please try again.`;
  throw new Refusal(answer.status, message, Math.max(0, Number(answer.headers.get("Retry-After")) || 0));
}

let last: Promise<unknown> = Promise.resolve();

/** What is to be kept goes one after the other: the first answer brings a new reader's cookie, and
 * without it the second would be somebody else's. */
export function inTurn<T>(request: () => Promise<T>): Promise<T> {
  const turn = last.then(request, request);
  last = turn;
  return turn;
}
