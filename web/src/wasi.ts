/**
 * The little of WASI that a Go reactor asks of its host: a clock, random bytes, and somewhere
 * to write its last words when it panics. It sees no files, no arguments and no environment.
 */

const success = 0;
const badDescriptor = 8;
const notSupported = 52;

export class Wasi {
  #memory: WebAssembly.Memory | undefined;

  /** Call before the module's _initialize. */
  attach(memory: WebAssembly.Memory): void {
    this.#memory = memory;
  }

  get imports(): Record<string, (...args: never[]) => number> {
    return {
      args_get: () => success,
      args_sizes_get: (count: number, size: number) => this.#zero(count, size),
      environ_get: () => success,
      environ_sizes_get: (count: number, size: number) => this.#zero(count, size),
      clock_time_get: (_clock: number, _precision: bigint, at: number) => {
        this.#view.setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
        return success;
      },
      random_get: (at: number, size: number) => {
        crypto.getRandomValues(new Uint8Array(this.#buffer, at, size));
        return success;
      },
      fd_write: (descriptor: number, vectors: number, count: number, written: number) =>
        this.#write(descriptor, vectors, count, written),
      fd_fdstat_get: () => badDescriptor,
      fd_fdstat_set_flags: () => badDescriptor,
      fd_prestat_get: () => badDescriptor,
      fd_prestat_dir_name: () => badDescriptor,
      fd_close: () => success,
      fd_read: () => badDescriptor,
      sched_yield: () => success,
      poll_oneoff: () => notSupported,
      proc_exit: (code: number) => {
        throw new Error(`ring.wasm ended with code ${code}`);
      },
    };
  }

  get #buffer(): ArrayBuffer {
    if (!this.#memory) throw new Error("ring.wasm called its host before it had memory");
    return this.#memory.buffer;
  }

  get #view(): DataView {
    return new DataView(this.#buffer);
  }

  #zero(...at: number[]): number {
    for (const a of at) this.#view.setUint32(a, 0, true);
    return success;
  }

  #write(descriptor: number, vectors: number, count: number, written: number): number {
    if (descriptor !== 1 && descriptor !== 2) return badDescriptor;
    const parts: string[] = [];
    let total = 0;
    for (let i = 0; i < count; i++) {
      const at = this.#view.getUint32(vectors + 8 * i, true);
      const size = this.#view.getUint32(vectors + 8 * i + 4, true);
      parts.push(new TextDecoder().decode(new Uint8Array(this.#buffer, at, size)));
      total += size;
    }
    console.error(parts.join(""));
    this.#view.setUint32(written, total, true);
    return success;
  }
}
