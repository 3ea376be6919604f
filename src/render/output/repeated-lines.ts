import { shapeOf } from "../../kernel/line-shape.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { LogLine } from "../../model/run.ts";
import { lineRange, type OutputRow } from "./output-row.ts";

/** How eagerly repeated lines are folded. */
export interface FoldLimits {
  /** The least number of equal lines that a mark may replace. */
  readonly minEqual: number;
  /** The least number of lines with other numbers that a mark may replace. */
  readonly minAlike: number;
}

/** An output that is cut anyway is folded wherever that saves more than the mark costs. */
export const FOLD_CUT_OUTPUT: FoldLimits = { minEqual: 4, minAlike: 10 };
/** A few lines of an output are shown with their numbers, as the caller asked for exactly these. */
export const FOLD_SAMPLE: FoldLimits = { minEqual: 4, minAlike: Number.POSITIVE_INFINITY };
/** An output that fits is folded only where much of it is the same text again. */
export const FOLD_FITTING_OUTPUT: FoldLimits = { minEqual: 20, minAlike: Number.POSITIVE_INFINITY };

/** The largest number of lines that are recognised as a block which repeats. */
const MAX_BLOCK_LINES = 10;

/** Lines about failures may differ in the one number that matters, so they are folded only if they are equal. */
const FAILURE_WORD = /error|fail|fatal|panic|exception|warn|exit|status|cannot|could not/i;

/** Lines that begin at an index and repeat. */
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
 * The repetition at an index that is worth a mark; the smallest block first, equal lines before those that differ in
 * numbers.
 */
function repetitionAt(at: number, lines: readonly LogLine[], comparison: Comparison): Repetition | undefined {
  const { texts, shapes, limits } = comparison;
  for (const isEqual of [true, false]) {
    const keys = isEqual ? texts : shapes;
    for (let blockLines = 1; blockLines <= MAX_BLOCK_LINES; blockLines++) {
      const times = countRepeats(at, blockLines, keys, lines);
      // The last block is shown too if its numbers differ: it tells how far a progress came.
      const hidden = (times - (isEqual ? 1 : 2)) * blockLines;
      if (hidden < (isEqual ? limits.minEqual : limits.minAlike)) continue;
      const block = lines.slice(at, at + blockLines);
      if (isWorthMark(block, hidden)) return { blockLines, times, isEqual };
    }
  }
  return undefined;
}

/**
 * Counts how often the block at an index stands there in a row. Lines between which others are missing are not in a
 * row.
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

/** A mark takes about this many tokens. */
const MARK_TOKENS = 20;

function isWorthMark(block: readonly LogLine[], hiddenLines: number): boolean {
  const tokens = estimateTokens(block.map(({ text }) => `${text}\n`).join(""));
  return (tokens * hiddenLines) / block.length > MARK_TOKENS;
}

/** A line of which a part is missing equals no other line. */
function textToCompare({ stream, text, hidden, column }: LogLine): string | undefined {
  return hidden === undefined && column === undefined ? `${stream} ${text}` : undefined;
}

const HASH = /\b(?=[a-f\d-]*\d)[a-f\d]{7,64}(?:-[a-f\d]{4,12})*\b/gi;
/** Progress bars and columns differ in the length of such runs. */
const FILLER = /[\s=#>.*█░▒▓━─-]{2,}/g;

/**
 * The line without its numbers, hashes and filler. Lines without words are data, in which the numbers are what matters.
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
