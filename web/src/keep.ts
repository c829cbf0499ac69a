/** Tells the server what a reader does, so that it is there on the next visit. */

/** What the server says when it does not take something; its message is made for the reader. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

const unreachable = "The server cannot be reached.";

/** One request after the other: the first one of a new reader brings the cookie for the rest. */
let last: Promise<unknown> = Promise.resolve();

/** Sends JSON and gives the answer's, or undefined where it has none. It throws a Refused. */
export function send(method: string, path: string, body?: unknown): Promise<unknown> {
  const turn = last.then(() => request(method, path, body));
  last = turn.catch(() => undefined);
  return turn;
}

async function request(method: string, path: string, body: unknown): Promise<unknown> {
  const text = body === undefined ? null : JSON.stringify(body);
  let answer: Response;
  try {
    // A small one may outlive its page; browsers refuse that to large ones.
    const keepalive = (text?.length ?? 0) < 8000;
    answer = await fetch(path, { method, body: text, keepalive, headers: { "Content-Type": "application/json", Accept: "application/json" } });
  } catch {
    throw new Refused(unreachable, 0);
  }
  if (!answer.ok) throw new Refused(await reason(answer), answer.status);
  return answer.status === 204 ? undefined : answer.json();
}

async function reason(answer: Response): Promise<string> {
  try {
    const said: unknown = await answer.json();
    const message = (said as { error?: { message?: unknown } }).error?.message;
    if (typeof message === "string") return message;
  } catch {
    // A proxy in between may say anything.
  }
  return "The server did not take it.";
}

/** Keeps something small, and tries again for a while where the line is down or the server busy. */
export async function keep(path: string, body?: unknown): Promise<void> {
  if (!kept()) return;
  for (const pause of [2, 10, 60]) {
    try {
      await send("POST", path, body);
      return;
    } catch (why) {
      const passing = why instanceof Refused && (why.status === 0 || why.status === 429 || why.status >= 500);
      if (!passing) throw why;
      await online(pause);
    }
  }
  await send("POST", path, body);
}

/** Whether this server keeps anything: the page's end says so. */
function kept(): boolean {
  return document.querySelector("lesson-reading > .reading") !== null;
}

/** Waits so many seconds, or until the browser is on line again. */
function online(seconds: number): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, 1000 * seconds);
    window.addEventListener("online", () => (clearTimeout(timer), done()), { once: true });
  });
}

/** The address of something of a lesson in the API. */
export function lessonAPI(lesson: string, what: string): string {
  return `/api/lessons/${encodeURIComponent(lesson)}/${what}`;
}
