import { Board } from "./board.ts";
import type { Frame, FromWorker, ToWorker } from "./protocol.ts";

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
        if (board) reply({ kind: "frame", ring: message.ring, frame: board.answer(message.question) });
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

function reply(message: FromWorker): void {
  const moved = message.kind === "frame" ? buffers(message.frame) : [];
  self.postMessage(message, { transfer: moved });
}

/** The arrays are handed over, not copied a second time. */
function buffers(f: Frame): ArrayBufferLike[] {
  return [f.loads, f.homes, f.arcs, f.ticks, f.sample, ...Object.values(f.flows)].map((a) => a.buffer);
}

const workshop = new Workshop();
self.addEventListener("message", (event: MessageEvent<ToWorker>) => {
  workshop.receive(event.data).catch((fault: unknown) => {
    reply({ kind: "fault", why: fault instanceof Error ? fault.message : String(fault) });
  });
});
