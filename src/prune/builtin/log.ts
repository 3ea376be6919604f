import type { Block } from "./blocks.ts";
import type { ReplyRoom } from "../../model/pruning.ts";
import { fittingPrefix } from "../kept-lines.ts";
import { isStackFrame, isProjectLocation, severityOf } from "./error-lines.ts";
import { type Log, readLog } from "./read-log.ts";
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
/** Number of last lines that come before the places of errors if the room is limited. */
const LAST_LINES = 3;
const LAST_LINES_FAILED = 8;
/** A log may cost this much, whatever its length. */
const MIN_TOKENS_FOR_LOG = 1_500;
const LINES_PER_BLOCK = 8;

/**
 * Relevance of the log lines that are not required. Lines after an error rank above those before it, and both above the
 * rest of its stack trace. Earlier errors rank above later ones, which are often their consequence. Lines that match
 * the question get at most the value `asked`.
 */
const RELEVANCE = {
  detail: 3,
  after: 2,
  fade: 0.85,
  before: 1,
  trace: 0.8,
  asked: 1.4,
  later: 0.5,
  warning: 0.6,
  information: 0.3,
} as const;
const LINES_AFTER_ERROR = 5;
const LINES_BEFORE_ERROR = 2;

export interface LogOptions {
  /** The share of the log's tokens to keep, besides the required lines if there is no room to fit into. */
  readonly keep: number;
  readonly room?: ReplyRoom | undefined;
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
  { keep, failed, causes = [], room }: LogOptions,
): ReadonlySet<number> {
  const log = readLog(lines, causes);
  if (room !== undefined) return new Set(fitLog(log, question, { keep, failed, room }));
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

/**
 * Chooses lines for the room of a reply, in the order of their importance: the lines asked for and the errors, the end
 * and the beginning, the places of the errors, warnings that match the question, then other lines within the share.
 */
function fitLog(
  log: Log,
  question: string,
  { keep, failed, room }: { readonly keep: number; readonly failed: boolean; readonly room: ReplyRoom },
): readonly number[] {
  const asked = askedLines(log, question, room);
  const required = requiredLines(log, failed);
  const { lines, errors } = log;
  const known = errors.filter((line) => log.known.has(line) || severityOf(lines[line] ?? "") === "error");
  const tail = Math.max(0, lines.length - (failed ? LAST_LINES_FAILED : LAST_LINES));
  const end = [...lines.keys()].slice(tail).reverse();
  const first = [...new Set([...known, ...asked, ...end.slice(0, 3), ...errors, 0, ...end, ...required])];
  const fitting = fittingPrefix(first, room);
  if (fitting.length < first.length) return fitting;
  const chosen = new Set(fitting);
  const scores = scoreLogLines(log, question);
  const others = [...scores.keys()]
    .filter((line) => (scores[line] ?? 0) > 0 && !chosen.has(line))
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const share = Math.max(MIN_TOKENS_FOR_LOG, keep * room.lineCosts.reduce((sum, cost) => sum + cost, 0));
  return fittingPrefix(
    [...first, ...others],
    { ...room, tokens: Math.min(room.tokens, share) },
    fitting.length,
  );
}

/** Share of a question's words, weighted by rarity, that a line must have to count as asked for. */
const MIN_SHARE_OF_WORDS = 0.6;
/** Share of the room for lines that are asked for but report no error; a question's words may be in every line. */
const MAX_SHARE_FOR_ASKED = 0.4;
const ASKS_FOR_WARNINGS = /\bwarn(?:ing)?s?\b/i;

/** Returns the lines that the question asks for: those with most of its words, and warnings if it asks for warnings. */
function askedLines(log: Log, question: string, room: ReplyRoom): readonly number[] {
  const { lines, repeats } = log;
  const blocks = lines.map((_, line) => ({ start: line, end: line + 1, headers: [] }));
  const scores = scoreBlocks(blocks, termsOfLines(lines), parseQueryTerms(question));
  const wantsWarnings = ASKS_FOR_WARNINGS.test(question);
  const best = scores.lines.reduce((most, score) => Math.max(most, score), Number.MIN_VALUE);
  const worth = (line: number): number =>
    (scores.lines[line] ?? 0) / best + (wantsWarnings && severityOf(lines[line] ?? "") === "warning" ? 1 : 0);
  const order = [...lines.keys()]
    .filter((line) => worth(line) >= MIN_SHARE_OF_WORDS && !repeats.has(line))
    .sort((a, b) => worth(b) - worth(a) || a - b);
  const share = wantsWarnings ? 1 : MAX_SHARE_FOR_ASKED;
  return fittingPrefix(order, { ...room, tokens: room.tokens * share });
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
  for (const [line, text] of log.lines.entries()) {
    const severity = severityOf(text);
    if (severity === "warning" || severity === "information") raise(line, RELEVANCE[severity]);
  }
  let endOfTrace = 0;
  for (const [order, at] of log.errors.entries()) {
    const first = order === 0 ? 1 : 1 - RELEVANCE.later * (order / log.errors.length);
    const raiseNear = (line: number, score: number): void => raise(line, score * first);
    scoreAround(log.lines, at, raiseNear);
    // An error that is a line of an earlier trace adds nothing to the rest of it. In a log of nothing but such lines,
    // reading the rest for each of them would take time in proportion to the square of its length.
    if (at >= endOfTrace) endOfTrace = scoreTrace(log.lines, at, raiseNear);
  }
  return scores;
}

type Raise = (line: number, score: number) => void;

/** Gives scores to the lines after an error and those before it. */
function scoreAround(lines: readonly string[], at: number, raise: Raise): void {
  let score: number = RELEVANCE.after;
  for (let i = at + 1, seen = 0; i < lines.length && seen < LINES_AFTER_ERROR; i++) {
    raise(i, score);
    if (isBlank(lines[i] ?? "")) continue;
    seen++;
    score *= RELEVANCE.fade;
  }
  for (let i = at - 1; i >= Math.max(0, at - LINES_BEFORE_ERROR); i--) raise(i, RELEVANCE.before);
}

/** Gives scores to the stack trace after an error and returns the index of the line after it. */
function scoreTrace(lines: readonly string[], at: number, raise: Raise): number {
  let end = at + 1;
  for (; end < lines.length && isStackFrame(lines[end] ?? ""); end++) raise(end, RELEVANCE.trace);
  return end;
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
