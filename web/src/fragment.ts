import { quote } from "./state.ts";

/**
 * The part of the address after #, which the pictures of a page share: fig-1:…&fig-2:….
 * A fragment that names a heading is the browser's own, and stays until a picture changes.
 */

/** What the fragment says about a figure: its state as text, nothing, or a fault in words. */
export function readFragment(figure: string, first: boolean): { text?: string; fault?: string } {
  const fragment = decoded(location.hash.slice(1));
  if (fragment === "") return {};
  for (const part of fragment.split("&")) {
    if (part.startsWith(`${figure}:`)) return { text: part.slice(figure.length + 1) };
  }
  if (first && !known(fragment)) {
    return { fault: `The link ends in ${quote(`#${fragment}`)}, which names nothing on this page.` };
  }
  return {};
}

/** Puts a figure's state into the address; undefined takes it out. */
export function writeFragment(figure: string, text: string | undefined): void {
  const others = decoded(location.hash.slice(1))
    .split("&")
    .filter((part) => /^fig-\d+:/.test(part) && !part.startsWith(`${figure}:`) && known(part));
  const parts = text === undefined ? others : [...others, `${figure}:${text}`];
  const fragment = parts.length > 0 ? `#${parts.sort().join("&")}` : "";
  if (fragment === location.hash) return;
  if (fragment === "" && !location.hash.startsWith("#fig-")) return;
  history.replaceState(history.state, "", fragment || location.pathname + location.search);
}

function known(fragment: string): boolean {
  return fragment.split("&").every((part) => {
    const figure = /^(fig-\d+):/.exec(part)?.[1];
    return document.getElementById(figure ?? part) !== null;
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray % is nonsense, but no reason to fail
  }
}
