import type { Json } from "./json.ts";
import { pause } from "./pause.ts";
import { inTurn, Refusal, send, Unreachable } from "./request.ts";

/** Tells the server what a reader does, so that it is there on the next visit. */

const large = 8_000; // characters from which browsers do not send it for a page that is gone

/** Sends what is to be kept when its turn has come. It throws a Refusal, or Unreachable. */
export function tell(method: string, path: string, body?: Json): Promise<Json> {
  const keepalive = JSON.stringify(body ?? {}).length < large;
  return inTurn(() => send(method, path, body, { keepalive }));
}

/** Keeps something small, and tries again for a while where the line is down or the server busy. */
export async function keep(path: string, body?: Json): Promise<void> {
  if (!kept()) return;
  for (const seconds of [2, 10, 60]) {
    try {
      await tell("POST", path, body);
      return;
    } catch (why) {
      const passing = why instanceof Unreachable || (why instanceof Refusal && (why.status === 429 || why.status >= 500));
      if (!passing) throw why;
      await pause(1000 * seconds);
    }
  }
  await tell("POST", path, body);
}

/** Whether this server keeps anything: the page's end says so. */
function kept(): boolean {
  return document.querySelector("lesson-reading > .reading") !== null;
}

/** The address of something of a lesson in the API. */
export function lessonAPI(lesson: string, what: string): string {
  return `/api/lessons/${encodeURIComponent(lesson)}/${what}`;
}
