import { estimateTokens } from "../../kernel/tokens.ts";
import type { Block } from "./blocks.ts";
import { wishesOf } from "./question.ts";
import { scoreBlocks } from "./score.ts";
import { selectLines } from "./select.ts";
import { termsOfLines } from "./terms-of-lines.ts";

/** Lines that say what went wrong, in the words that tools use for it. */
const COMPLAINT =
  /\b(?:error|errors|exception|fatal|panic(?:ked)?|traceback|failed|failure|failures|assert\w*|segfault|undefined reference|cannot|could not|denied|not found|unresolved|abort(?:ed)?)\b|^\s*(?:E\s{2,}|✗|✖|×|●|not ok\b|FAIL\b|ERR!)|\w(?:Error|Exception):/i;
/** Counts of nothing are no complaint: "0 errors", "no failures". */
const NO_COMPLAINT = /\b(?:0|no|zero)\s+(?:\w+\s+)?(?:errors?|failures?|failed|exceptions?)\b/i;
/** A line of a stack trace, in the main languages. */
const FRAME =
  /^\s*(?:at\s|File "|\d+:\s+0x|#\d+\s|from\s\S+:\d+|\S+\.(?:go|rs|py|rb|js|ts|java|kt|cs|php):\d+|goroutine\s|\.\.\. \d+ more|Caused by:)/;

const AROUND_COMPLAINT = 2;
const HEAD_LINES = 3;
const TAIL_LINES = 8;
/** The end of a failing command tells most: its last lines always stay. */
const TAIL_LINES_FAILED = 15;
const BLOCK_LINES = 8;

/**
 * The lines of a log that matter: complaints with what stands around them, whole stack traces, the beginning and the
 * end, and what the question asks for. Only the first of lines that repeat.
 */
export function pruneLog(
  lines: readonly string[],
  question: string,
  { keep, failed }: { keep: number; failed: boolean },
): ReadonlySet<number> {
  const repeats = repeatedLines(lines);
  const kept = mustKeep(lines, repeats, failed);
  const costs = lines.map((line) => estimateTokens(line) + 1);
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  const spent = [...kept].reduce((sum, line) => sum + (costs[line] ?? 0), 0);
  const blocks = evenBlocks(lines);
  const scores = scoreBlocks(blocks, termsOfLines(lines), wishesOf(question));
  if (scores.found && spent < keep * total) {
    const chosen = selectLines({ blocks, scores, costs, budget: keep * total - spent });
    for (const line of chosen) if (!repeats.has(line)) kept.add(line);
  }
  return kept;
}

function mustKeep(lines: readonly string[], repeats: ReadonlySet<number>, failed: boolean): Set<number> {
  const kept = new Set<number>();
  const tail = failed ? TAIL_LINES_FAILED : TAIL_LINES;
  for (let i = 0; i < Math.min(HEAD_LINES, lines.length); i++) kept.add(i);
  for (let i = Math.max(0, lines.length - tail); i < lines.length; i++) kept.add(i);
  for (const [index, line] of lines.entries()) {
    if (repeats.has(index) || !isComplaint(line)) continue;
    for (let i = index - AROUND_COMPLAINT; i <= index + AROUND_COMPLAINT; i++)
      if (i >= 0 && i < lines.length && !repeats.has(i)) kept.add(i);
    for (let i = index + 1; i < lines.length && FRAME.test(lines[i] ?? ""); i++) kept.add(i);
    for (let i = index - 1; i >= 0 && FRAME.test(lines[i] ?? ""); i--) kept.add(i);
  }
  return kept;
}

/** Whether a line says that something went wrong. Very long lines are judged by their beginning. */
export function isComplaint(line: string): boolean {
  const start = line.slice(0, 500);
  return COMPLAINT.test(start) && !NO_COMPLAINT.test(start);
}

/** Lines that say what an earlier one said, numbers aside. */
function repeatedLines(lines: readonly string[]): ReadonlySet<number> {
  const seen = new Map<string, number>();
  const repeats = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (line.trim().length < 8) continue;
    const shape = line.replaceAll(/\d+/g, "0");
    const count = (seen.get(shape) ?? 0) + 1;
    seen.set(shape, count);
    if (count > 2) repeats.add(index);
  }
  return repeats;
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
