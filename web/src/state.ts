import { rules, type Question, type Rule } from "./protocol.ts";

/** What a reader sees of a ring, and all of it: the change of the fleet, the slider, the rule. */
export type State = Question;

export const limits = { towers: 128, points: 1000 };

export function same(a: State, b: State): boolean {
  return (
    a.points === b.points && a.follow === b.follow && sameFleet(a.before, b.before) && sameFleet(a.after, b.after)
  );
}

export function sameFleet(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((tower, i) => tower === b[i]);
}

/** The state after a tower came; the lowest free number returns first. */
export function joined(s: State): State {
  let newcomer = 1;
  while (s.after.includes(newcomer)) newcomer++;
  return { ...s, before: s.after, after: [...s.after, newcomer].sort((a, b) => a - b) };
}

/** The state after a tower left. */
export function left(s: State, tower: number): State {
  return { ...s, before: s.after, after: s.after.filter((t) => t !== tower) };
}

/** Who came and who left. */
export function turnover(s: State): { fresh: number[]; gone: number[] } {
  return {
    fresh: s.after.filter((t) => !s.before.includes(t)),
    gone: s.before.filter((t) => !s.after.includes(t)),
  };
}

/** Writes a state for a link: towers=1-5;was=1-4;points=100;follow=ring. */
export function write(s: State): string {
  const was = sameFleet(s.before, s.after) ? "" : `;was=${fleet(s.before)}`;
  return `towers=${fleet(s.after)}${was};points=${s.points};follow=${s.follow}`;
}

/** Reads what write wrote. What is wrong with a link is said in words, as an Error's message. */
export function read(text: string, lesson: State, followed: readonly Rule[]): State {
  const state = { ...lesson, before: lesson.after };
  let was: readonly number[] | undefined;
  for (const part of text.split(";")) {
    const cut = part.indexOf("=");
    const [name, value] = [part.slice(0, Math.max(cut, 0)), part.slice(cut + 1)];
    switch (name) {
      case "towers":
        state.after = readFleet(part, value);
        break;
      case "was":
        was = readFleet(part, value);
        break;
      case "points":
        state.points = readPoints(part, value);
        break;
      case "follow":
        state.follow = readRule(part, value, followed);
        break;
      default:
        throw new Error(`The link asks for ${quote(part)}, which this picture does not know.`);
    }
  }
  return { ...state, before: was ?? state.after };
}

/** 1-3.5 for towers 1, 2, 3 and 5; a dash alone for none. */
function fleet(towers: readonly number[]): string {
  const runs: string[] = [];
  for (let i = 0; i < towers.length; ) {
    let j = i;
    while (j + 1 < towers.length && towers[j + 1] === (towers[j] ?? 0) + 1) j++;
    runs.push(i === j ? `${towers[i]}` : `${towers[i]}-${towers[j]}`);
    i = j + 1;
  }
  return runs.join(".") || "-";
}

function readFleet(part: string, value: string): number[] {
  const towers = new Set<number>();
  if (value !== "-") {
    for (const run of value.split(".")) {
      const ends = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(run);
      const from = Number(ends?.[1] ?? 0);
      const to = Number(ends?.[2] ?? from);
      if (!ends || from < 1 || to < from || to > limits.towers) {
        throw new Error(`The link asks for ${quote(part)}; towers are numbered 1 to ${limits.towers}, as in towers=1-4.6.`);
      }
      for (let t = from; t <= to; t++) towers.add(t);
    }
  }
  return [...towers].sort((a, b) => a - b);
}

function readPoints(part: string, value: string): number {
  const points = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  if (!(points >= 1 && points <= limits.points)) {
    throw new Error(`The link asks for ${quote(part)}, which is no ring: a tower has 1 to ${limits.points} virtual nodes.`);
  }
  return points;
}

function readRule(part: string, value: string, followed: readonly Rule[]): Rule {
  const rule = rules.find((r) => r === value);
  if (!rule || !followed.includes(rule)) {
    throw new Error(`The link asks for ${quote(part)}; this picture follows ${followed.join(", ")}.`);
  }
  return rule;
}

/** A stranger's text, short enough for a sentence. */
export function quote(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return short === "" ? "nothing" : `“${short}”`;
}
