import { Board } from "./board.ts";
import type { FromWorker, Picture, ToWorker } from "./protocol.ts";

/** The worker: all pictures of a page share it and the compiled module; each has its own board. */
class Workshop {
  #module: Promise<WebAssembly.Module> | undefined;
  readonly #boards = new Map<number, Promise<Board>>();

  async receive(message: ToWorker): Promise<void> {
    switch (message.kind) {
      case "boot":
        this.#module = compile(message.wasm);
        await this.#module;
        return;
      case "open":
        this.#boards.set(message.ring, this.#open(message));
        return;
      case "close":
        this.#boards.delete(message.ring);
        return;
      case "ask": {
        const board = await this.#boards.get(message.ring);
        if (!board) return;
        reply({ kind: "counts", ring: message.ring, counts: board.count(message.question) });
        const picture = board.picture(message.question);
        reply({ kind: "picture", ring: message.ring, picture }, buffers(picture));
      }
    }
  }

  async #open(message: ToWorker & { kind: "open" }): Promise<Board> {
    if (!this.#module) throw new Error("the worker was not booted");
    return new Board(await this.#module, message.crowd);
  }
}

async function compile(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the server answered ${response.status} for ring.wasm`);
  return WebAssembly.compileStreaming(response);
}

/** Sends a message; the buffers in it are handed over, not copied. */
function reply(message: FromWorker, handed: ArrayBufferLike[] = []): void {
  self.postMessage(message, { transfer: handed });
}

function buffers(p: Picture): ArrayBufferLike[] {
  return [p.homes, p.arcs, p.ticks, p.sample, ...Object.values(p.flows)].map((a) => a.buffer);
}

const workshop = new Workshop();
self.addEventListener("message", (event: MessageEvent<ToWorker>) => {
  workshop.receive(event.data).catch((fault: unknown) => {
    reply({ kind: "fault", why: fault instanceof Error ? fault.message : String(fault) });
  });
});
