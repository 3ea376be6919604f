import { shapeOf } from "../../kernel/line-shape.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { LogLine } from "../../model/run.ts";
import { lineRange, type OutputRow } from "./output-row.ts";

/** How many repeated lines it takes to fold them (to show them once, with a mark that counts the rest). */
export interface FoldLimits {
  /** The fewest equal lines that a mark may replace. */
  readonly minEqual: number;
  /** The fewest lines that differ only in their numbers that a mark may replace. */
  readonly minAlike: number;
}

/** For an output that has to be cut anyway: it is folded wherever that saves more than the mark costs. */
export const FOLD_CUT_OUTPUT: FoldLimits = { minEqual: 4, minAlike: 10 };
/**
 * For a few lines of an output: the caller asked for exactly these, so lines that differ in their numbers are not
 * folded.
 */
export const FOLD_SAMPLE: FoldLimits = { minEqual: 4, minAlike: Number.POSITIVE_INFINITY };
/** For an output that fits into the reply: it is folded only if much of it is the same text again. */
export const FOLD_FITTING_OUTPUT: FoldLimits = { minEqual: 20, minAlike: Number.POSITIVE_INFINITY };

/** The most lines of a block (consecutive lines that repeat together). */
const MAX_BLOCK_LINES = 10;

/**
 * Matches lines about failures. They may differ in the one number that matters, so they are folded only if they are
 * equal.
 */
const FAILURE_WORD = /error|fail|fatal|panic|exception|warn|exit|status|cannot|could not/i;

/** A block of lines that begins at some index and repeats from there. */
interface Repetition {
  readonly blockLines: number;
  readonly times: number;
  readonly isEqual: boolean;
}

/** Writes lines and folds those that repeat: the block is shown once, with a mark that counts the others. */
export function foldRepeatedLines(
  lines: readonly LogLine[],
  write: (line: LogLine) => string,
  limits: FoldLimits,
): OutputRow[] {
  const texts = lines.map(textToCompare);
  const shapes = Number.isFinite(limits.minAlike) ? lines.map(foldableShape) : [];
  const rows: OutputRow[] = [];
  for (let at = 0; at < lines.length;) {
    const found = repetitionAt(at, lines, { texts, shapes, limits });
    const length = found === undefined ? 1 : found.blockLines * found.times;
    const own = lines.slice(at, at + length);
    rows.push(found === undefined ? plainRow(own, write) : foldedRow(own, found, write));
    at += length;
  }
  return rows;
}

interface Comparison {
  readonly texts: readonly (string | undefined)[];
  readonly shapes: readonly (string | undefined)[];
  readonly limits: FoldLimits;
}

/**
 * The repetition at an index that is worth a mark. Small blocks are tried before larger ones, and equal lines before
 * lines that differ in numbers.
 */
function repetitionAt(at: number, lines: readonly LogLine[], comparison: Comparison): Repetition | undefined {
  const { texts, shapes, limits } = comparison;
  for (const isEqual of [true, false]) {
    const keys = isEqual ? texts : shapes;
    for (let blockLines = 1; blockLines <= MAX_BLOCK_LINES; blockLines++) {
      const times = countRepeats(at, blockLines, keys, lines);
      // If the numbers of the blocks differ, the last block is shown too, because it tells how far a progress came.
      const hidden = (times - (isEqual ? 1 : 2)) * blockLines;
      if (hidden < (isEqual ? limits.minEqual : limits.minAlike)) continue;
      const block = lines.slice(at, at + blockLines);
      if (isWorthMark(block, hidden)) return { blockLines, times, isEqual };
    }
  }
  return undefined;
}

/**
 * Counts how often the block at an index repeats in a row. Lines are not in a row if others between them are missing.
 */
function countRepeats(
  at: number,
  blockLines: number,
  keys: readonly (string | undefined)[],
  lines: readonly LogLine[],
): number {
  let next = at;
  for (; next + blockLines < lines.length; next++) {
    const key = keys[next];
    if (key === undefined || key !== keys[next + blockLines]) break;
    if (lines[next + blockLines]?.number !== (lines[next]?.number ?? 0) + blockLines) break;
  }
  return Math.floor((next - at) / blockLines) + 1;
}

/** About how many tokens the mark of folded lines takes. */
const MARK_TOKENS = 20;

function isWorthMark(block: readonly LogLine[], hiddenLines: number): boolean {
  const tokens = estimateTokens(block.map(({ text }) => `${text}\n`).join(""));
  return (tokens * hiddenLines) / block.length > MARK_TOKENS;
}

/**
 * The text by which a line is compared with others; undefined if a part of the line is missing, since it then equals no
 * other.
 */
function textToCompare({ stream, text, hidden, column }: LogLine): string | undefined {
  return hidden === undefined && column === undefined ? `${stream} ${text}` : undefined;
}

const HASH = /\b(?=[a-f\d-]*\d)[a-f\d]{7,64}(?:-[a-f\d]{4,12})*\b/gi;
/** Matches runs of filler characters, in whose length progress bars and columns differ. */
const FILLER = /[\s=#>.*█░▒▓━─-]{2,}/g;

/**
 * The line without its numbers, hashes and filler; undefined for lines without words, which are data whose numbers
 * matter, and for lines about failures.
 */
function foldableShape(line: LogLine): string | undefined {
  if (textToCompare(line) === undefined || FAILURE_WORD.test(line.text)) return undefined;
  const shape = shapeOf(line.text.replaceAll(HASH, "0")).replaceAll(FILLER, " ");
  return /\p{L}{2}/u.test(shape) || shape.trim() === "" ? `${line.stream} ${shape}` : undefined;
}

function plainRow([line]: readonly LogLine[], write: (line: LogLine) => string): OutputRow {
  if (line === undefined) throw new RangeError("a row has no line");
  return { number: line.number, end: line.number, text: write(line), isLossy: false };
}

function foldedRow(
  lines: readonly LogLine[],
  { blockLines, times, isEqual }: Repetition,
  write: (line: LogLine) => string,
): OutputRow {
  const shownAfter = isEqual ? [] : lines.slice(-blockLines);
  const hidden = lines.slice(blockLines, lines.length - shownAfter.length);
  const from = hidden[0]?.number ?? 0;
  const to = hidden.at(-1)?.number ?? from;
  const what = blockLines === 1 ? "the same line" : `the same ${blockLines} lines`;
  const numbers = isEqual ? "" : " with other numbers";
  const mark = `… ${what} ${times - (isEqual ? 1 : 2)} more times${numbers}: ${lineRange(from, to)}`;
  return {
    number: lines[0]?.number ?? from,
    end: lines.at(-1)?.number ?? to,
    text: [...lines.slice(0, blockLines).map(write), mark, ...shownAfter.map(write)].join("\n"),
    isLossy: !isEqual,
  };
}
