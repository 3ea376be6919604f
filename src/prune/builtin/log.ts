import { shapeOf } from "../../kernel/line-shape.ts";
import type { Block } from "./blocks.ts";
import { isErrorLine, isErrorDetail, isStackFrame, isProjectLocation, messageOf } from "./error-lines.ts";
import { isBlank } from "./line-kinds.ts";
import { parseQueryTerms } from "./query-terms.ts";
import { scoreBlocks } from "./score.ts";
import { costsOf } from "./select-lines.ts";
import { termsOfLines } from "./line-terms.ts";

/** Number of lines after an error in which its location is searched. */
const MAX_LINES_TO_LOCATION = 25;
const HEAD_LINES = 3;
const TAIL_LINES = 8;
/** Number of last lines that are always kept from a failed command, because they usually say why it failed. */
const TAIL_LINES_FAILED = 15;
const LINES_PER_BLOCK = 8;

/**
 * Relevance of the log lines that are not required. Lines after an error rank above those before it, and both above the
 * rest of its stack trace. Earlier errors rank above later ones, which are often their consequence. Lines that match
 * the question get at most the value `asked`.
 */
const RELEVANCE = { detail: 3, after: 2, fade: 0.85, before: 1, trace: 0.8, asked: 1.4, later: 0.5 } as const;
const LINES_AFTER_ERROR = 5;
const LINES_BEFORE_ERROR = 2;

export interface LogOptions {
  readonly keep: number;
  readonly failed: boolean;
  /** Messages of known errors, each contained in a line of the log. */
  readonly causes?: readonly string[];
}

/**
 * Selects the important lines of a log. It always keeps the first and last lines and each distinct error, with its
 * stack trace down to the project's own code. The rest of the budget goes to lines around errors and lines that match
 * the question; repeated lines are left out.
 */
export function pruneLog(
  lines: readonly string[],
  question: string,
  { keep, failed, causes = [] }: LogOptions,
): ReadonlySet<number> {
  const log = readLog(lines, causes);
  const costs = costsOf(lines);
  const kept = requiredLines(log, failed);
  let left = keep * costs.reduce((sum, cost) => sum + cost, 0);
  for (const line of kept) left -= costs[line] ?? 0;
  const scores = scoreLogLines(log, question);
  const order = [...scores.keys()]
    .filter((line) => (scores[line] ?? 0) > 0 && !kept.has(line))
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  for (const line of order) {
    const cost = costs[line] ?? 0;
    if (cost > left) continue;
    kept.add(line);
    left -= cost;
  }
  return kept;
}

/** Returns the lines that must be kept from the log of a failed command. */
export function essentialLines(lines: readonly string[], causes: readonly string[]): ReadonlySet<number> {
  return requiredLines(readLog(lines, causes), true);
}

function requiredLines({ lines, errors, repeatedErrors }: Log, failed: boolean): Set<number> {
  const kept = new Set<number>();
  const tail = failed ? TAIL_LINES_FAILED : TAIL_LINES;
  for (let i = 0; i < Math.min(HEAD_LINES, lines.length); i++) kept.add(i);
  for (let i = Math.max(0, lines.length - tail); i < lines.length; i++) kept.add(i);
  for (const at of errors) kept.add(at);
  const all = [...errors, ...repeatedErrors].sort((a, b) => a - b);
  for (const [order, at] of all.entries()) {
    const place = findLocation(
      lines,
      at,
      Math.min(all[order + 1] ?? lines.length, at + MAX_LINES_TO_LOCATION),
    );
    if (place === undefined) continue;
    kept.add(place);
    if (kept.has(at)) for (let i = place - 1; i > at && isStackFrame(lines[i] ?? ""); i--) kept.add(i);
  }
  return kept;
}

/** Returns the first line after an error that contains a location in the project. */
function findLocation(lines: readonly string[], at: number, end: number): number | undefined {
  for (let i = at + 1; i < end; i++) if (isProjectLocation(lines[i] ?? "")) return i;
  return undefined;
}

function scoreLogLines(log: Log, question: string): Float64Array {
  const scores = scoreForQuestion(log, question);
  const raise = (line: number, score: number): void => {
    if (!log.repeats.has(line)) scores[line] = Math.max(scores[line] ?? 0, score);
  };
  for (const line of log.details) raise(line, RELEVANCE.detail);
  for (const [order, at] of log.errors.entries()) {
    const first = order === 0 ? 1 : 1 - RELEVANCE.later * (order / log.errors.length);
    scoreAround(log.lines, at, (line, score) => raise(line, score * first));
  }
  return scores;
}

/** Gives scores to the lines after an error, those before it, and the rest of its stack trace. */
function scoreAround(
  lines: readonly string[],
  at: number,
  raise: (line: number, score: number) => void,
): void {
  let score: number = RELEVANCE.after;
  for (let i = at + 1, seen = 0; i < lines.length && seen < LINES_AFTER_ERROR; i++) {
    raise(i, score);
    if (isBlank(lines[i] ?? "")) continue;
    seen++;
    score *= RELEVANCE.fade;
  }
  for (let i = at - 1; i >= Math.max(0, at - LINES_BEFORE_ERROR); i--) raise(i, RELEVANCE.before);
  for (let i = at + 1; i < lines.length && isStackFrame(lines[i] ?? ""); i++) raise(i, RELEVANCE.trace);
}

/**
 * Scores log lines by the words they share with the question. A repeated line gets a score only if it contains more of
 * these words than its first occurrence.
 */
function scoreForQuestion({ lines, repeats }: Log, question: string): Float64Array {
  const relevance = new Float64Array(lines.length);
  const blocks = splitLog(lines);
  const scores = scoreBlocks(blocks, termsOfLines(lines), parseQueryTerms(question));
  if (!scores.found) return relevance;
  const most = scores.blocks.reduce((high, score) => Math.max(high, score), Number.MIN_VALUE);
  for (const [index, { start, end }] of blocks.entries())
    for (let line = start; line < end; line++) {
      const first = repeats.get(line);
      const addsWords = first === undefined || (scores.lines[line] ?? 0) > (scores.lines[first] ?? 0);
      if (addsWords) relevance[line] = (RELEVANCE.asked * (scores.blocks[index] ?? 0)) / most;
    }
  return relevance;
}

/** Splits a log into blocks of lines, each of which ends before a blank line or at a maximum length. */
function splitLog(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let start = 0;
  for (let i = 1; i <= lines.length; i++) {
    const ends = i === lines.length || i - start >= LINES_PER_BLOCK || isBlank(lines[i] ?? "");
    if (!ends) continue;
    blocks.push({ start, end: i, headers: [] });
    start = i;
  }
  return blocks;
}

/** A log whose lines are classified as errors, details of errors and repetitions. */
interface Log {
  readonly lines: readonly string[];
  /** Indexes of the lines that report errors, except repetitions. */
  readonly errors: readonly number[];
  /** Indexes of lines that repeat an earlier error; of these, only the location below them may be new. */
  readonly repeatedErrors: readonly number[];
  /** Indexes of lines with details of errors, such as expected values or messages in a report. */
  readonly details: readonly number[];
  /** Maps the index of each repeated line to that of its first occurrence. */
  readonly repeats: ReadonlyMap<number, number>;
}

/** Number of lines with the same content after which further ones count as repeated. */
const MAX_SAME_LINES = 2;
/** Minimum length of a line that can count as repeated; shorter ones are mostly brackets and rules. */
const MIN_REPEAT_LENGTH = 8;

/**
 * Classifies the lines of a log. An error counts as repeated only if it is identical to an earlier one; other lines may
 * differ in their numbers.
 */
function readLog(lines: readonly string[], causes: readonly string[]): Log {
  const seen = new Map<string, { readonly first: number; count: number }>();
  const repeats = new Map<number, number>();
  const known = linesWith(lines, causes);
  const errors: number[] = [];
  const repeatedErrors: number[] = [];
  const details: number[] = [];
  for (const [index, line] of lines.entries()) {
    const isError = known.has(index) || isErrorLine(messageOf(line));
    if (line.trim().length >= MIN_REPEAT_LENGTH) {
      const key = isError || isStackFrame(line) ? line : shapeOf(line);
      const same = seen.get(key) ?? { first: index, count: 0 };
      seen.set(key, same);
      if (++same.count > MAX_SAME_LINES) repeats.set(index, same.first);
    }
    if (isError) (repeats.has(index) ? repeatedErrors : errors).push(index);
    else if (!repeats.has(index) && isErrorDetail(line)) details.push(index);
  }
  return { lines, errors, repeatedErrors, details, repeats };
}

/**
 * Finds the first log line that contains each text. The texts are mostly in the order of the log, so each search starts
 * at the line where the last one succeeded.
 */
function linesWith(lines: readonly string[], texts: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  let from = 0;
  for (const text of texts) {
    const at =
      firstWith(text, { lines, from, end: lines.length }) ?? firstWith(text, { lines, from: 0, end: from });
    if (at === undefined) continue;
    found.add(at);
    from = at;
  }
  return found;
}

function firstWith(
  text: string,
  { lines, from, end }: { readonly lines: readonly string[]; readonly from: number; readonly end: number },
): number | undefined {
  for (let line = from; line < end; line++) if (lines[line]?.includes(text) === true) return line;
  return undefined;
}
