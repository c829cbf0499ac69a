import { forget, quietly } from "./stash.ts";

/** What happens in a browser when its reader signs out or deletes everything. The server is told by
 * a form; once it has said that it is done, what the browser keeps of that reader goes too. */

const leaving = "towers:leaving"; // who is about to leave in this window
const left = "towers:left"; // who left last; for a moment it is told to all windows

/** Notes who sends the form. */
export function leaves(reader: string): void {
  quietly(() => sessionStorage.setItem(leaving, reader));
}

/** Sees to it that nothing of theirs stays, if the page says that somebody has left. */
export function afterLeaving(): void {
  quietly(() => {
    const reader = sessionStorage.getItem(leaving);
    sessionStorage.removeItem(leaving);
    if (reader === null || !document.querySelector("[data-left]")) return;
    forget(reader);
    if (reader === "") return; // a guest, as whoever comes next is
    forget(""); // what they did before they signed in
    sessionStorage.setItem(left, reader);
    localStorage.setItem(left, reader);
    localStorage.removeItem(left);
  });
}

/** Whether that reader was the last to leave, as far as this window knows. */
export function hasLeft(reader: string): boolean {
  return quietly(() => sessionStorage.getItem(left)) === reader;
}

/** They have signed in again. */
export function comesBack(reader: string): void {
  if (hasLeft(reader)) quietly(() => sessionStorage.removeItem(left));
}

/** Calls when that reader leaves in another window. */
export function whenLeft(reader: string, call: () => void, signal: AbortSignal): void {
  const heard = (event: StorageEvent): void => {
    if (event.key !== left || event.newValue !== reader) return;
    quietly(() => sessionStorage.setItem(left, reader));
    call();
  };
  window.addEventListener("storage", heard, { signal });
}
