import { shapeOf } from "../../kernel/line-shape.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { Block } from "./blocks.ts";
import { isComplaint, isFrame, isOwnPlace } from "./complaints.ts";
import { wishesOf } from "./question.ts";
import { scoreBlocks } from "./score.ts";
import { selectLines } from "./select.ts";
import { termsOfLines } from "./terms-of-lines.ts";

const AFTER_COMPLAINT = 2;
const BEFORE_COMPLAINT = 2;
/** The place of a complaint stands soon after it or not at all. */
const PLACE_WITHIN = 25;
const HEAD_LINES = 3;
const TAIL_LINES = 8;
/** The end of a failing command tells most: its last lines always stay. */
const TAIL_LINES_FAILED = 15;
const BLOCK_LINES = 8;
/** Of lines that say the same, so many are shown. */
const SAME_SHOWN = 2;
/** Shorter lines are brackets and rules: no one counts them. */
const SHORTEST_REPEAT = 8;

/**
 * The lines of a log that matter. Always: every different complaint with its trace down to the project's own code, the
 * beginning and the end. For the rest of the share: what stands around the complaints, from the first on, then what the
 * question asks for. Of lines that repeat, only the first.
 */
export function pruneLog(
  lines: readonly string[],
  question: string,
  { keep, failed }: { keep: number; failed: boolean },
): ReadonlySet<number> {
  const log = readLog(lines);
  const costs = lines.map((line) => estimateTokens(line) + 1);
  const kept = mustKeep(log, failed);
  let left = keep * sum(costs);
  for (const line of kept) left -= costs[line] ?? 0;
  for (const line of surroundings(log, kept)) {
    if ((costs[line] ?? 0) > left) break;
    kept.add(line);
    left -= costs[line] ?? 0;
  }
  if (left > 0) for (const line of asked(log, question, { costs, budget: left })) kept.add(line);
  return kept;
}

interface Log {
  readonly lines: readonly string[];
  readonly complaints: readonly number[];
  /** For each line that repeats an earlier one, the first that said it. */
  readonly repeats: ReadonlyMap<number, number>;
}

/** Complaints repeat only word for word: with another number it is another place. */
function readLog(lines: readonly string[]): Log {
  const seen = new Map<string, { readonly first: number; count: number }>();
  const repeats = new Map<number, number>();
  const complaints: number[] = [];
  for (const [index, line] of lines.entries()) {
    const complains = isComplaint(line);
    if (line.trim().length >= SHORTEST_REPEAT) {
      const key = complains || isFrame(line) ? line : shapeOf(line);
      const known = seen.get(key) ?? { first: index, count: 0 };
      seen.set(key, known);
      if (++known.count > SAME_SHOWN) repeats.set(index, known.first);
    }
    if (complains && !repeats.has(index)) complaints.push(index);
  }
  return { lines, complaints, repeats };
}

function mustKeep({ lines, complaints }: Log, failed: boolean): Set<number> {
  const kept = new Set<number>();
  const tail = failed ? TAIL_LINES_FAILED : TAIL_LINES;
  for (let i = 0; i < Math.min(HEAD_LINES, lines.length); i++) kept.add(i);
  for (let i = Math.max(0, lines.length - tail); i < lines.length; i++) kept.add(i);
  for (const [order, at] of complaints.entries()) {
    kept.add(at);
    const end = Math.min(complaints[order + 1] ?? lines.length, at + PLACE_WITHIN);
    const place = findPlace(lines, at, end);
    if (place === undefined) continue;
    kept.add(place);
    for (let i = place - 1; i > at && isFrame(lines[i] ?? ""); i--) kept.add(i);
  }
  return kept;
}

/** The first line after a complaint that names the project's own code. */
function findPlace(lines: readonly string[], at: number, end: number): number | undefined {
  for (let i = at + 1; i < end; i++) if (isOwnPlace(lines[i] ?? "")) return i;
  return undefined;
}

/** The lines around complaints that are not kept yet: for all of them what they go on with, then what led to them. */
function* surroundings({ lines, complaints, repeats }: Log, kept: ReadonlySet<number>): Generator<number> {
  for (const at of complaints) {
    let left = AFTER_COMPLAINT;
    for (let i = at + 1; i < lines.length && left > 0; i++) {
      if ((lines[i] ?? "").trim() !== "") left--;
      if (!kept.has(i) && !repeats.has(i)) yield i;
    }
  }
  for (const at of complaints) {
    for (let i = Math.max(0, at - BEFORE_COMPLAINT); i < at; i++)
      if (!kept.has(i) && !repeats.has(i)) yield i;
    for (let i = at + 1; i < lines.length && isFrame(lines[i] ?? ""); i++)
      if (!kept.has(i) && !repeats.has(i)) yield i;
  }
}

/** What the question asks for; a line that repeats another only if it holds more of it. */
function* asked(
  { lines, repeats }: Log,
  question: string,
  room: { readonly costs: readonly number[]; readonly budget: number },
): Generator<number> {
  const blocks = evenBlocks(lines);
  const scores = scoreBlocks(blocks, termsOfLines(lines), wishesOf(question));
  if (!scores.found) return;
  for (const line of selectLines({ blocks, scores, ...room })) {
    const first = repeats.get(line);
    if (first === undefined || (scores.lines[line] ?? 0) > (scores.lines[first] ?? 0)) yield line;
  }
}

/** Logs have no nesting: blocks end at blank lines or after a few lines. */
function evenBlocks(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let start = 0;
  for (let i = 1; i <= lines.length; i++) {
    const ends = i === lines.length || i - start >= BLOCK_LINES || (lines[i] ?? "").trim() === "";
    if (!ends) continue;
    blocks.push({ start, end: i, headers: [] });
    start = i;
  }
  return blocks;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
