import type { LogLine } from "../../model/run.ts";
import { type DiffHunk, type DiffPart, parseDiff } from "./diff-files.ts";

/** A hunk, and what it needs to be understood: the head of its file and the first line of its commit. */
interface Candidate {
  readonly hunk: DiffHunk;
  readonly frame: readonly LogLine[];
  /** The text in which words of the question are looked for. */
  readonly text: string;
}

interface DiffFocus {
  readonly question: string;
  /** Reserves room for lines that are shown together, and returns whether there was enough. */
  readonly take: (lines: readonly LogLine[]) => boolean;
  /** Lines besides the diff that are shown in any case, such as the reason why the command failed. */
  readonly isEssential: (line: LogLine) => boolean;
}

/** A hunk is shown if it is at least this relevant, compared with the most relevant one. */
const MIN_RELEVANCE_SHARE = 0.25;

/**
 * Chooses the hunks of a diff that have words of a question, those with the rarest words first, each whole and with the
 * head of its file. Undefined if the output is no diff or no such hunk fits.
 */
export function focusDiff(
  lines: readonly LogLine[],
  { question, take, isEssential }: DiffFocus,
): LogLine[] | undefined {
  const parts = parseDiff(lines);
  if (parts === undefined) return undefined;
  const essential = parts.flatMap((part) => ("prose" in part ? part.prose.filter(isEssential) : []));
  const words = wordsOf(question);
  const ranked = rankHunks(candidatesIn(parts), words);
  if (ranked.length === 0 || !take(essential)) return undefined;
  const shown = new Set<LogLine>(essential);
  for (const { hunk, frame } of ranked) {
    const head = frame.filter((line) => !shown.has(line));
    const fitting = [hunk.lines, ...stretchesOf(hunk, words)].find((some) => take([...head, ...some]));
    for (const line of fitting === undefined ? [] : [...head, ...fitting]) shown.add(line);
  }
  return shown.size === essential.length ? undefined : lines.filter((line) => shown.has(line));
}

/** Lines on each side of those with words of the question, in a hunk that is too large to be shown whole. */
const STRETCH_LINES: readonly number[] = [12, 5, 2];

/** The parts of a hunk around the words of the question, from the largest to the smallest, each with its first line. */
function stretchesOf({ lines }: DiffHunk, words: readonly string[]): readonly (readonly LogLine[])[] {
  const hasWord = ({ text }: LogLine): boolean => words.some((word) => text.toLowerCase().includes(word));
  const found = lines.flatMap((line, index) => (hasWord(line) ? [index] : []));
  return STRETCH_LINES.map((reach) =>
    lines.filter((_, index) => index === 0 || found.some((at) => Math.abs(at - index) <= reach)),
  );
}

function candidatesIn(parts: readonly DiffPart[]): Candidate[] {
  let commit: readonly LogLine[] = [];
  return parts.flatMap((part) => {
    if ("prose" in part) {
      commit = part.prose.filter(({ text }) => text.trim() !== "").slice(0, 1);
      return [];
    }
    const frame = [...commit, ...part.header];
    return part.hunks.map((hunk) => {
      const text = [part.path, ...hunk.lines.map((line) => line.text)].join("\n").toLowerCase();
      return { hunk, frame, text };
    });
  });
}

/** Words of questions that say nothing about what is looked for. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  "and any are change changed changes code did diff does file files for from function has have how into its new not now old that the this was were what when where which who why with".split(
    " ",
  ),
);

function wordsOf(question: string): readonly string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}_$]{3,}/gu) ?? [];
  return [...new Set(words)].filter((word) => !STOP_WORDS.has(word));
}

/** Sorts the hunks that have words of the question; a word counts the more, the fewer hunks have it. */
function rankHunks(candidates: readonly Candidate[], words: readonly string[]): Candidate[] {
  const scores = new Map(candidates.map((one) => [one, 0]));
  for (const word of words) {
    const having = candidates.filter(({ text }) => text.includes(word));
    for (const one of having) scores.set(one, (scores.get(one) ?? 0) + 1 / having.length);
  }
  const scoreOf = (one: Candidate): number => scores.get(one) ?? 0;
  const best = Math.max(0, ...scores.values());
  return candidates
    .filter((one) => best > 0 && scoreOf(one) >= best * MIN_RELEVANCE_SHARE)
    .toSorted((a, b) => scoreOf(b) - scoreOf(a));
}
