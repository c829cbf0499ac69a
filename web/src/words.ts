import type { Counts, Rule } from "./protocol.ts";
import { turnover } from "./state.ts";

/** Everything that the widget says; package web says the same of the first frame. */

/** A whole number with a narrow no-break space between thousands. */
export function grouped(n: number): string {
  return String(Math.floor(n + 0.5)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

export function percent(n: number, all: number): string {
  if (all === 0 || n === 0) return "0\u00a0%";
  return `${(Math.floor((1000 * n) / all + 0.5) / 10).toFixed(1)}\u00a0%`;
}

export function plural(n: number, one: string, many: string): string {
  return `${grouped(n)}\u00a0${n === 1 ? one : many}`;
}

export const towerName = (tower: number): string => `T-${tower}`;

/** What had to move at the least: newcomers' share of the fleet after, or leavers' of the one
 * before; where some came and some left, the larger, since one move can serve both. */
export function ideal(c: Counts): number {
  const { fresh, gone } = turnover(c.question);
  const share = (n: number, fleet: readonly number[]): number => (n === 0 ? 0 : (c.letters * n) / fleet.length);
  return Math.max(share(fresh.length, c.question.after), share(gone.length, c.question.before));
}

const under: Record<Rule, string> = {
  ring: "On the ring",
  rendezvous: "Under rendezvous",
  modulo: "Under modulo",
};

/** What the picture says about itself: text, the number in magenta, more text. Without a number what
 * comes after it invites to press a button. */
export function says(f: Counts): [before: string, number: string, after: string] {
  const { after, points, follow } = f.question;
  const { fresh, gone } = turnover(f.question);
  const one = fresh[0] ?? gone[0];
  const moved = grouped(f.moved[follow]);
  if (one === undefined) {
    if (after.length === 0) return ["No tower stands, so every letter waits.", "", " Light one."];
    if (after.length === 1) return ["One tower keeps every letter.", "", " Add a second and see who has to move."];
    return [
      `${plural(after.length, "tower", "towers")}, ${plural(points, "virtual node", "virtual nodes")} each.`,
      "",
      " Add a tower and see who has to move.",
    ];
  }
  if (after.length === 0) return [`${towerName(one)} goes dark. No tower stands, so every letter waits.`, "", " Light one."];
  const happened = fresh.length + gone.length > 1 ? "The fleet changes" : `${towerName(one)} ${fresh.length > 0 ? "is lit" : "goes dark"}`;
  const head = `${happened}. ${under[follow]} `;
  const needless = f.needless[follow];
  if (needless > 0) {
    return [head, moved, ` letters change hands, ${grouped(needless)} of them between towers that both stay.`];
  }
  if (fresh.length + gone.length > 1) return [head, moved, ` of ${grouped(f.letters)} letters change hands.`];
  return fresh.length > 0
    ? [head, moved, ` of ${grouped(f.letters)} letters change hands, and every one goes to ${towerName(one)}.`]
    : [head, moved, " letters change hands: those that it kept, and no others."];
}

export function title(f: Counts): string {
  const { after, points } = f.question;
  return (
    `A ring of ${plural(after.length, "tower", "towers")} with ` +
    `${plural(points, "virtual node", "virtual nodes")} each and ${plural(f.letters, "letter", "letters")}`
  );
}

/** The number at the centre and the words under it. */
export function hub(f: Counts): [big: string, small: string] {
  const { after, before, follow } = f.question;
  if (after.length === 0) return ["–", "no tower"];
  const changed = turnover(f.question);
  if (changed.fresh.length + changed.gone.length === 0 && before.length === after.length) {
    return [grouped(f.letters), "letters"];
  }
  return [grouped(f.moved[follow]), `${percent(f.moved[follow], f.letters)} moved`];
}
