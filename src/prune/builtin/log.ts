import { estimateTokens } from "../../kernel/tokens.ts";
import type { Block } from "./blocks.ts";
import { isFrame, isOwnPlace } from "./complaints.ts";
import { isBlank } from "./line-kinds.ts";
import { readLog } from "./read-log.ts";
import type { Log } from "./read-log.ts";
import { wishesOf } from "./question.ts";
import { scoreBlocks } from "./score.ts";
import { termsOfLines } from "./terms-of-lines.ts";

/** The place of a complaint stands soon after it or not at all. */
const PLACE_WITHIN = 25;
const HEAD_LINES = 3;
const TAIL_LINES = 8;
/** The end of a failing command tells most: its last lines always stay. */
const TAIL_LINES_FAILED = 15;
const BLOCK_LINES = 8;

/**
 * How much a line is wanted beside those that always stay. What a complaint goes on with comes before what led to it, and
 * both before the rest of its trace; the first complaints come before the later ones, which are often only their
 * consequence. What the question asks for is worth up to `asked`.
 */
const WANTED = { detail: 3, after: 2, fade: 0.85, before: 1, trace: 0.8, asked: 1.4, later: 0.5 } as const;
const AFTER_COMPLAINT = 5;
const BEFORE_COMPLAINT = 2;

export interface LogOptions {
  readonly keep: number;
  readonly failed: boolean;
  /** What is known to have gone wrong: texts that a line of the log holds. */
  readonly causes?: readonly string[];
}

/**
 * The lines of a log that matter. Always: every different complaint with its trace down to the project's own code, the
 * beginning and the end. For the rest of the share: what stands around the complaints and what the question asks for. Of
 * lines that repeat, only the first.
 */
export function pruneLog(
  lines: readonly string[],
  question: string,
  { keep, failed, causes = [] }: LogOptions,
): ReadonlySet<number> {
  const log = readLog(lines, causes);
  const costs = Float64Array.from(lines, (line) => estimateTokens(line) + 1);
  const kept = mustKeep(log, failed);
  let left = keep * costs.reduce((sum, cost) => sum + cost, 0);
  for (const line of kept) left -= costs[line] ?? 0;
  const wanted = wantedLines(log, question);
  const order = [...wanted.keys()]
    .filter((line) => (wanted[line] ?? 0) > 0 && !kept.has(line))
    .sort((a, b) => (wanted[b] ?? 0) - (wanted[a] ?? 0) || a - b);
  for (const line of order) {
    const cost = costs[line] ?? 0;
    if (cost > left) continue;
    kept.add(line);
    left -= cost;
  }
  return kept;
}

/** What must never be missing from the log of a failing command. */
export function essentialLines(lines: readonly string[], causes: readonly string[]): ReadonlySet<number> {
  return mustKeep(readLog(lines, causes), true);
}

function mustKeep({ lines, complaints, again }: Log, failed: boolean): Set<number> {
  const kept = new Set<number>();
  const tail = failed ? TAIL_LINES_FAILED : TAIL_LINES;
  for (let i = 0; i < Math.min(HEAD_LINES, lines.length); i++) kept.add(i);
  for (let i = Math.max(0, lines.length - tail); i < lines.length; i++) kept.add(i);
  for (const at of complaints) kept.add(at);
  const all = [...complaints, ...again].sort((a, b) => a - b);
  for (const [order, at] of all.entries()) {
    const place = findPlace(lines, at, Math.min(all[order + 1] ?? lines.length, at + PLACE_WITHIN));
    if (place === undefined) continue;
    kept.add(place);
    if (kept.has(at)) for (let i = place - 1; i > at && isFrame(lines[i] ?? ""); i--) kept.add(i);
  }
  return kept;
}

/** The first line after a complaint that names the project's own code. */
function findPlace(lines: readonly string[], at: number, end: number): number | undefined {
  for (let i = at + 1; i < end; i++) if (isOwnPlace(lines[i] ?? "")) return i;
  return undefined;
}

function wantedLines(log: Log, question: string): Float64Array {
  const wanted = askedLines(log, question);
  const want = (line: number, worth: number): void => {
    if (!log.repeats.has(line)) wanted[line] = Math.max(wanted[line] ?? 0, worth);
  };
  for (const line of log.details) want(line, WANTED.detail);
  for (const [order, at] of log.complaints.entries()) {
    const first = order === 0 ? 1 : 1 - WANTED.later * (order / log.complaints.length);
    wantAround(log.lines, at, (line, worth) => want(line, worth * first));
  }
  return wanted;
}

/** What a complaint goes on with, what led to it, and the rest of its trace. */
function wantAround(lines: readonly string[], at: number, want: (line: number, worth: number) => void): void {
  let worth: number = WANTED.after;
  for (let i = at + 1, seen = 0; i < lines.length && seen < AFTER_COMPLAINT; i++) {
    want(i, worth);
    if (isBlank(lines[i] ?? "")) continue;
    seen++;
    worth *= WANTED.fade;
  }
  for (let i = at - 1; i >= Math.max(0, at - BEFORE_COMPLAINT); i--) want(i, WANTED.before);
  for (let i = at + 1; i < lines.length && isFrame(lines[i] ?? ""); i++) want(i, WANTED.trace);
}

/** What the question asks for; a line that repeats another only if it holds more of it. */
function askedLines({ lines, repeats }: Log, question: string): Float64Array {
  const wanted = new Float64Array(lines.length);
  const blocks = evenBlocks(lines);
  const scores = scoreBlocks(blocks, termsOfLines(lines), wishesOf(question));
  if (!scores.found) return wanted;
  const most = scores.blocks.reduce((high, score) => Math.max(high, score), Number.MIN_VALUE);
  for (const [index, { start, end }] of blocks.entries())
    for (let line = start; line < end; line++) {
      const first = repeats.get(line);
      const says = first === undefined || (scores.lines[line] ?? 0) > (scores.lines[first] ?? 0);
      if (says) wanted[line] = (WANTED.asked * (scores.blocks[index] ?? 0)) / most;
    }
  return wanted;
}

/** Logs have no nesting: blocks end at blank lines or after a few lines. */
function evenBlocks(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let start = 0;
  for (let i = 1; i <= lines.length; i++) {
    const ends = i === lines.length || i - start >= BLOCK_LINES || isBlank(lines[i] ?? "");
    if (!ends) continue;
    blocks.push({ start, end: i, headers: [] });
    start = i;
  }
  return blocks;
}
