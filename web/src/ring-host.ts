import type { Counts, Crowd, Frame, FromWorker, Picture, Question, ToWorker } from "./protocol.ts";

/** One picture's line to the worker: at most one question is under way, and of those that come
 * meanwhile only the newest is asked, so that a fast hand never queues up work. */
export class RingLine {
  oncounts: (counts: Counts) => void = () => {};
  onframe: (frame: Frame) => void = () => {};
  onfault: (why: string) => void = () => {};
  #busy = false;
  #counts: Counts | undefined;
  #next: Question | undefined;

  constructor(
    private readonly host: RingHost,
    readonly number: number,
  ) {}

  ask(question: Question): void {
    if (this.#busy) {
      this.#next = question;
      return;
    }
    this.#busy = true;
    this.host.post({ kind: "ask", ring: this.number, question });
  }

  counted(counts: Counts): void {
    this.#counts = counts;
    this.oncounts(counts);
  }

  /** The picture ends the answer to a question, and the next one may be asked. */
  pictured(picture: Picture): void {
    const counts = this.#counts;
    const next = this.#next;
    this.#busy = false;
    this.#next = undefined;
    if (next) this.ask(next);
    if (counts) this.onframe({ ...counts, ...picture });
  }

  close(): void {
    this.host.close(this);
  }
}

/** The page's worker, shared by all its pictures. */
export class RingHost {
  static readonly #hosts = new Map<string, RingHost>();

  /** The host for a worker; it is started for the first picture that asks. One that failed is
   * not asked again: the next picture, or the next try, starts afresh. */
  static for(worker: string, wasm: string): RingHost {
    let host = RingHost.#hosts.get(worker);
    if (!host) RingHost.#hosts.set(worker, (host = new RingHost(worker, wasm)));
    return host;
  }

  readonly #worker: Worker;
  readonly #lines = new Map<number, RingLine>();
  #opened = 0;

  private constructor(worker: string, wasm: string) {
    this.#worker = new Worker(worker, { type: "module" });
    this.#worker.addEventListener("message", (event: MessageEvent<FromWorker>) => this.#hear(event.data));
    this.#worker.addEventListener("error", () => this.#fail("its script did not arrive"));
    this.post({ kind: "boot", wasm: new URL(wasm, location.href).href });
  }

  open(crowd: Crowd): RingLine {
    const line = new RingLine(this, ++this.#opened);
    this.#lines.set(line.number, line);
    this.post({ kind: "open", ring: line.number, crowd });
    return line;
  }

  close(line: RingLine): void {
    this.#lines.delete(line.number);
    this.post({ kind: "close", ring: line.number });
  }

  post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #hear(message: FromWorker): void {
    switch (message.kind) {
      case "counts":
        return this.#lines.get(message.ring)?.counted(message.counts);
      case "picture":
        return this.#lines.get(message.ring)?.pictured(message.picture);
      case "fault":
        return this.#fail(message.why);
    }
  }

  #fail(why: string): void {
    for (const [address, host] of RingHost.#hosts) if (host === this) RingHost.#hosts.delete(address);
    this.#worker.terminate();
    for (const line of this.#lines.values()) line.onfault(why);
  }
}
