/** A program in a link's fragment, which no server ever sees. */

const mark = "#program=";

/** How long a link may be, and the program in it: as much as is ever checked. */
const longestLink = 96 << 10;
const longestProgram = 64 << 10;

/** The link to the present page with a program in it; undefined for one that is too large. */
export async function linkTo(code: string): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(code);
  if (bytes.length > longestProgram) return undefined;
  const packed = await through(bytes, new CompressionStream("deflate-raw"), longestLink);
  if (!packed) return undefined;
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  const link = location.origin + location.pathname + mark + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return link.length > longestLink ? undefined : link;
}

/** Whether the address holds a program. */
export function isShared(): boolean {
  return location.hash.startsWith(mark);
}

/** The program in the address; undefined if it is damaged or absurdly large. */
export async function shared(): Promise<string | undefined> {
  const packed = location.hash.slice(mark.length);
  if (packed.length > longestLink || !/^[\w-]*$/.test(packed)) return undefined;
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const program = await through(bytes, new DecompressionStream("deflate-raw"), longestProgram);
    return program && new TextDecoder("utf-8", { fatal: true }).decode(program);
  } catch {
    return undefined;
  }
}

/** Takes the program out of the address. */
export function unshare(): void {
  if (isShared()) history.replaceState(history.state, "", location.pathname + location.search);
}

/** Sends bytes through a stream, but gives up when more than most come out of it. */
async function through(bytes: Uint8Array<ArrayBuffer>, by: GenericTransformStream, most: number): Promise<Uint8Array | undefined> {
  const reader = (new Blob([bytes]).stream().pipeThrough(by) as ReadableStream<Uint8Array>).getReader();
  const out = new Uint8Array(most);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return out.slice(0, length);
    if (length + value.length > most) {
      await reader.cancel();
      return undefined;
    }
    out.set(value, length);
    length += value.length;
  }
}
