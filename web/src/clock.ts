/** Times as the reader's own clock shows them. */

const time = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat(document.documentElement.lang, { day: "numeric", month: "short" });

/** "14:09" for today, "30 Nov, 14:09" for any other day. */
export function clock(at: Date): string {
  const today = new Date().toDateString() === at.toDateString();
  return today ? time.format(at) : `${day.format(at)}, ${time.format(at)}`;
}

/** Puts the reader's time into the clocks that the server drew. */
export function setClocks(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLTimeElement>("time[data-clock]")) {
    const at = new Date(element.dateTime);
    if (!Number.isNaN(at.getTime())) element.textContent = clock(at);
  }
}

/** A new clock. */
export function clockElement(at: string): HTMLTimeElement {
  const element = document.createElement("time");
  element.dateTime = at;
  element.dataset["clock"] = "";
  element.textContent = clock(new Date(at));
  return element;
}

/** How long to wait, in words that need not change each second: "2 minutes", "40 seconds". */
export function span(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`;
  if (seconds > 10) return `${Math.ceil(seconds / 10) * 10} seconds`;
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
