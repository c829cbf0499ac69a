import type { Try } from "./api.ts";
import { clockElement, setClocks } from "./clock.ts";
import { html, part, svg } from "./svg.ts";
import { grouped } from "./words.ts";

/** What a reader has sent in. Package web draws the same on the server. */
export class TryList extends HTMLElement {
  connectedCallback(): void {
    setClocks(this);
  }

  /** How many count towards the solution: the reader's own that were judged, for no fault of ours. */
  get judged(): number {
    return this.querySelectorAll('tr:not([data-verdict=""], [data-verdict="internal"], [data-recheck])').length;
  }

  /** Lists the newest tries, of so many. */
  show(tries: readonly Try[], tried: number): void {
    const listed = tries.filter((one) => !one.recheck).length;
    const more = listed < tried ? `, the last ${grouped(listed)} listed` : "";
    part(this, "[data-count]").textContent = tried === 0 ? "none so far" : `${grouped(tried)} so far${more}`;
    part(this, "tbody").replaceChildren(...tries.map((one) => this.#row(one)));
  }

  /** No try is shown any more. */
  leave(): void {
    this.dataset["try"] = "";
    const shown = this.querySelector("[aria-current]");
    const row = shown?.closest("tr");
    if (shown && row) shown.replaceWith(this.#link(row.dataset["id"] ?? "", row.querySelector("time")?.dateTime ?? ""));
  }

  #row(one: Try): HTMLElement {
    const row = html("tr", "");
    row.dataset["id"] = one.id;
    row.dataset["verdict"] = one.verdict;
    if (one.recheck) row.dataset["recheck"] = "";
    const at = html("th", "");
    at.setAttribute("scope", "row");
    at.append(clockElement(one.at));
    const said = html("td", "");
    const state = stateOf(one);
    const word = html("span", `stateword ${state}`);
    word.append(svg("svg", { class: "glyph", "aria-hidden": "true" }, svg("use", { href: `#s-${state}` })), saidOf(one));
    said.append(word);
    if (one.recheck) said.append(" ", html("small", "", "checked again"));
    const open = html("td", "");
    if (one.id === this.dataset["try"]) {
      const shown = html("span", "", "Shown");
      shown.setAttribute("aria-current", "true");
      open.append(shown);
    } else {
      open.append(this.#link(one.id, one.at));
    }
    row.append(at, said, open);
    return row;
  }

  #link(id: string, at: string): HTMLElement {
    const link = Object.assign(document.createElement("a"), { href: `${this.dataset["page"] ?? ""}?try=${encodeURIComponent(id)}` });
    const more = html("span", "vh", " the try of ");
    more.append(clockElement(at));
    link.append("Open", more);
    return link;
  }
}

function stateOf({ verdict }: Try): string {
  switch (verdict) {
    case "passed":
    case "failed":
      return verdict;
    case "time_limit":
    case "memory_limit":
    case "output_limit":
    case "deadlock":
      return "slow";
    case "":
    case "not_run":
      return "notrun";
    default:
      return "crashed";
  }
}

const words: Readonly<Record<string, string>> = {
  "": "being checked",
  passed: "passed",
  build_error: "did not compile",
  forbidden: "not allowed",
  too_large: "too large",
  compile_limit: "too much to compile",
  internal: "our fault, not counted",
};

function saidOf({ verdict, passed, tests }: Try): string {
  return words[verdict] ?? (tests > 0 ? `${passed} of ${tests} passed` : verdict.replaceAll("_", " "));
}
