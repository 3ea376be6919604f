import { readFileSync } from "node:fs";
import { outlineOf } from "../../../src/languages/outline.ts";
import type { CodeSymbol } from "../../../src/model/symbol.ts";

/** A text with a fault at a line. Lines above it stay, lines below it move down by `shift`. */
interface Damaged {
  readonly text: string;
  readonly line: number;
  readonly shift: number;
  /** Number of lines after the fault that move by only one. */
  readonly near?: number;
}

/** Faults that occur while files are edited: half a line, a stray bracket, an open string, an unfinished merge. */
const DAMAGES: Readonly<Record<string, (lines: readonly string[], line: number) => Damaged>> = {
  cut: (lines, line) => ({
    text: [...lines.slice(0, line), half(lines[line])].join("\n"),
    line: line + 1,
    shift: Number.NaN,
  }),
  "half a line": (lines, line) => ({
    text: [...lines.slice(0, line), half(lines[line]), ...lines.slice(line + 1)].join("\n"),
    line: line + 1,
    shift: 0,
  }),
  "open bracket": (lines, line) => inserted(lines, line, ["x = call(1, ["]),
  "open brace": (lines, line) => inserted(lines, line, ["if (a) {"]),
  "closing brace": (lines, line) => inserted(lines, line, ["}"]),
  garbage: (lines, line) => inserted(lines, line, ["%$ ?? ~~ @@ <> ]] 12ab"]),
  merge: (lines, line) => {
    const block = lines.slice(line, line + 4);
    return {
      text: [
        ...lines.slice(0, line),
        "<<<<<<< HEAD",
        ...block,
        "=======",
        ...block,
        ">>>>>>> topic",
        ...lines.slice(line + 4),
      ].join("\n"),
      line: line + 1,
      shift: 3 + block.length,
      near: block.length,
    };
  },
};

function half(line = ""): string {
  return line.slice(0, Math.floor(line.length / 2));
}

function inserted(lines: readonly string[], line: number, added: readonly string[]): Damaged {
  return {
    text: [...lines.slice(0, line), ...added, ...lines.slice(line)].join("\n"),
    line: line + 1,
    shift: added.length,
  };
}

export interface Kept {
  above: number;
  aboveKept: number;
  below: number;
  belowKept: number;
  /** Symbols that the undamaged file does not have. */
  added: number;
  readonly worst: { readonly file: string; readonly line: number; readonly lost: number }[];
}

/** Measures how much of an outline remains when a file is damaged at different positions. */
export async function scoreBroken(
  files: readonly string[],
  language: string,
  parts: readonly number[],
): Promise<Map<string, Kept>> {
  const scores = new Map<string, Kept>();
  for (const file of files) {
    const lines = readFileSync(file, "utf8").split("\n");
    const whole = (await outlineOf(lines.join("\n"), language)).symbols;
    if (lines.length < 20 || whole.length < 5) continue;
    for (const [name, damage] of Object.entries(DAMAGES))
      for (const part of parts) {
        const damaged = damage(lines, Math.floor(lines.length * part));
        const left = (await outlineOf(damaged.text, language)).symbols;
        count({ whole, left, damaged, file }, scoreOf(scores, name));
      }
  }
  return scores;
}

function scoreOf(scores: Map<string, Kept>, name: string): Kept {
  let score = scores.get(name);
  if (score === undefined) {
    score = { above: 0, aboveKept: 0, below: 0, belowKept: 0, added: 0, worst: [] };
    scores.set(name, score);
  }
  return score;
}

interface Case {
  readonly whole: readonly CodeSymbol[];
  readonly left: readonly CodeSymbol[];
  readonly damaged: Damaged;
  readonly file: string;
}

function count({ whole, left, damaged, file }: Case, score: Kept): void {
  const known = new Set(left.map(({ name, lineStart }) => `${lineStart} ${name}`));
  let kept = 0;
  let asked = 0;
  for (const { name, lineStart } of whole) {
    const isAbove = lineStart < damaged.line;
    if (!isAbove && Number.isNaN(damaged.shift)) continue;
    const isNear = lineStart < damaged.line + (damaged.near ?? 0);
    const shift = isAbove ? 0 : isNear ? 1 : damaged.shift;
    const isKept = known.has(`${lineStart + shift} ${name}`);
    asked += 1;
    if (isKept) kept += 1;
    score[isAbove ? "above" : "below"] += 1;
    if (isKept) score[isAbove ? "aboveKept" : "belowKept"] += 1;
  }
  score.added += Math.max(0, left.length - kept);
  score.worst.push({ file, line: damaged.line, lost: asked - kept });
}
