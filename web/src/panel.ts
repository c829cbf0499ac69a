import { colour, mark } from "./geometry.ts";
import { rules, type Counts, type Frame } from "./protocol.ts";
import { rose } from "./rose.ts";
import { turnover } from "./state.ts";
import { html, part, svg } from "./svg.ts";
import { grouped, ideal, percent, says, towerName } from "./words.ts";

/** Keeps the numbers beside the ring: the sentence, the comparison, and what each tower keeps. */
export class Panel {
  readonly #list: HTMLElement;
  #speak = 0;

  constructor(private readonly root: HTMLElement) {
    this.#list = part(root, "[data-loads]");
  }

  /** Shows the numbers of a change; with a voice, what happened is also said, once things rest. */
  count(c: Counts, aloud: boolean): void {
    const [before, number, after] = says(c);
    part(this.root, ".says").replaceChildren(before, html("b", "", number), html("span", "", after));
    if (aloud) this.#say(`${before}${number}${after}`);
    const least = ideal(c);
    for (const rule of rules) this.#row(c, `${rule}-moved`, c.moved[rule], least);
    this.#row(c, "ideal-moved", least, least);
    this.#number("[data-fair]", c.question.after.length === 0 ? 0 : c.letters / c.question.after.length);
    this.#number("[data-count=ring-max]", Math.max(0, ...c.loads));
    this.#number("[data-count=ring-min]", c.loads.length === 0 ? 0 : Math.min(...c.loads));
    this.#number("[data-count=letters]", c.letters);
  }

  /** Draws what takes longer: who gave to whom, and what each tower keeps. */
  draw(f: Frame): void {
    for (const rule of rules) {
      this.#cell(`${rule}-moved`)?.closest("li")?.querySelector(".rose")?.replaceChildren(rose(f, rule));
    }
    this.#loads(f);
  }

  close(): void {
    clearTimeout(this.#speak);
  }

  #say(sentence: string): void {
    clearTimeout(this.#speak);
    this.#speak = window.setTimeout(() => {
      const live = part(this.root, "[data-live]");
      live.textContent = sentence;
      // It has been said; the same words stand in the sentence above.
      this.#speak = window.setTimeout(() => (live.textContent = ""), 4000);
    }, 500);
  }

  #row(c: Counts, count: string, moved: number, least: number): void {
    const cell = this.#cell(count);
    const row = cell?.closest("li");
    if (!cell || !row) return; // the lesson does not compare with this rule
    cell.replaceChildren(`${grouped(moved)} `, html("small", "pct", percent(moved, c.letters)));
    const share = (n: number): string => String(c.letters === 0 ? 0 : (100 * n) / c.letters);
    part(row, ".fill").setAttribute("width", share(moved));
    const fair = part(row, ".fair");
    fair.setAttribute("x1", share(least));
    fair.setAttribute("x2", share(least));
    fair.setAttribute("visibility", least > 0 ? "visible" : "hidden");
  }

  #cell(count: string): HTMLElement | null {
    return this.root.querySelector(`[data-count=${count}]`);
  }

  #number(selector: string, n: number): void {
    part(this.root, selector).textContent = grouped(n);
  }

  #loads(f: Frame): void {
    const { after } = f.question;
    const held = [...f.loads];
    const fair = after.length === 0 ? 0 : f.letters / after.length;
    const largest = Math.max(0, ...held);
    const smallest = held.length === 0 ? 0 : Math.min(...held);
    const { fresh } = turnover(f.question);
    const rows = new Map([...this.#list.querySelectorAll<HTMLElement>(".load")].map((li) => [li.dataset["id"], li]));
    // Rows of those who left go first: a row that has to move aside would lose the keyboard.
    for (const [tower, li] of rows) if (!after.includes(Number(tower))) li.remove();
    after.forEach((tower, i) => {
      const li = rows.get(String(tower)) ?? emptyRow(tower);
      if (this.#list.children[i] !== li) this.#list.insertBefore(li, this.#list.children[i] ?? null);
      const n = held[i] ?? 0;
      li.classList.toggle("most", n === largest);
      li.classList.toggle("least", n === smallest);
      li.classList.toggle("fresh", fresh.includes(tower));
      fill(li, n, fair);
    });
    this.#reveal(this.#list.querySelector<HTMLElement>(".load.fresh"));
  }

  /** Of a long list the newcomer's row is shown; the page itself does not move. */
  #reveal(row: HTMLElement | null): void {
    if (!row || this.#list.scrollHeight <= this.#list.clientHeight) return;
    this.#list.scrollTop = row.offsetTop - this.#list.offsetTop - this.#list.clientHeight / 2;
  }
}

function fill(li: HTMLElement, letters: number, fair: number): void {
  const bar = String(fair === 0 ? 0 : Math.min(100, (50 * letters) / fair));
  part(li, ".bar .fill").setAttribute("width", bar);
  part(li, ".bar .light").setAttribute("x2", bar);
  part(li, ".n").textContent = grouped(letters);
  part(li, ".share").textContent = `${grouped(fair === 0 ? 0 : (100 * letters) / fair)}\u00a0%`;
}

function emptyRow(tower: number): HTMLElement {
  const li = html("li", `load t${colour(tower)}`);
  li.dataset["id"] = String(tower);
  const away = document.createElement("button");
  Object.assign(away, { type: "button", className: "away", value: String(tower) });
  away.setAttribute("aria-label", `Remove ${towerName(tower)}`);
  away.append(svg("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, svg("path", { d: "M1 1l8 8M9 1 1 9" })));
  li.append(
    svg("svg", { "aria-hidden": "true" }, svg("use", { href: `#m${mark(tower)}` })),
    html("span", "name", towerName(tower)),
    svg(
      "svg",
      { class: "bar", viewBox: "0 0 100 44", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: "fill", x: 0, y: 16, width: 0, height: 12 }),
      svg("line", { class: "light", x1: 0, x2: 0, y1: 22, y2: 22 }),
      svg("line", { class: "fair", x1: 50, x2: 50, y1: 0, y2: 44 }),
    ),
    html("span", "n"),
    html("span", "share"),
    away,
  );
  return li;
}
