/** Puts the times of a page into the reader's own: the hour today, else the day. */
export function tellTimes(root: ParentNode): void {
  const language = document.documentElement.lang;
  const now = new Date();
  for (const element of root.querySelectorAll("time")) {
    const at = new Date(element.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const form: Intl.DateTimeFormatOptions =
      at.toDateString() === now.toDateString()
        ? { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }
        : { day: "numeric", month: "long", ...(at.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }) };
    element.textContent = at.toLocaleString(language, form);
    element.title = at.toLocaleString(language, { dateStyle: "long", timeStyle: "short" });
  }
}
