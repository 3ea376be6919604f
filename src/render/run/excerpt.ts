import { TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { Excerpt, LogLine } from "../../model/run.ts";

/**
 * The share of its limit that a cut text spends on its beginning. The rest is for its end, where errors usually are.
 */
const HEAD_SHARE = 0.2;

/**
 * The first and the last lines of an output whose middle was cut, and the range of lines that is missing between them.
 */
export interface CutLines {
  readonly head: readonly LogLine[];
  readonly tail: readonly LogLine[];
  /** The numbers of the first and the last missing line, and how many lines are missing. */
  readonly gap?: { readonly from: number; readonly to: number; readonly lines: number };
}

export interface CutLimits {
  readonly tokens: number;
  readonly lines?: number;
  readonly write: (line: LogLine) => string;
}

/** Cuts an excerpt of an output to a number of tokens and lines. */
export function cutExcerpt(excerpt: Excerpt, limits: CutLimits): CutLines {
  const { tokens: maxTokens, lines: maxLines = Number.POSITIVE_INFINITY, write } = limits;
  const lines = [...excerpt.first, ...excerpt.last];
  const complete = excerpt.total === lines.length;
  if (complete && lines.length <= maxLines && sizeOf(lines, write) <= maxTokens)
    return { head: lines, tail: [] };
  const headLimits = { tokens: maxTokens * HEAD_SHARE, lines: Math.floor(maxLines * HEAD_SHARE), write };
  const head = takeWhileFits(excerpt.first, headLimits);
  const following = complete ? lines.slice(head.length) : excerpt.last;
  const room = { tokens: maxTokens - sizeOf(head, write), lines: maxLines - head.length, write };
  const tail = takeWhileFits([...following].reverse(), room).reverse();
  const missing = excerpt.total - head.length - tail.length;
  // If an excerpt holds only the end of a log, its gap begins at line 1.
  const first = complete || excerpt.first.length > 0 ? (lines[0]?.number ?? 1) : 1;
  const from = (head.at(-1)?.number ?? first - 1) + 1;
  const to = (tail[0]?.number ?? (lines.at(-1)?.number ?? 0) + 1) - 1;
  return { head, tail, ...(missing > 0 ? { gap: { from, to: Math.max(from, to), lines: missing } } : {}) };
}

/** Writes an output whose middle was cut; `mark` writes the line that stands for the missing lines. */
export function cutText(
  { head, tail, gap }: CutLines,
  write: (line: LogLine) => string,
  mark: (gap: NonNullable<CutLines["gap"]>) => string,
): string {
  return [...head.map(write), ...(gap === undefined ? [] : [mark(gap)]), ...tail.map(write)].join("\n");
}

function takeWhileFits(
  lines: readonly LogLine[],
  { tokens, lines: maxLines = 0, write }: CutLimits,
): LogLine[] {
  const taken: LogLine[] = [];
  let size = 0;
  for (const line of lines) {
    size += sizeOf([line], write);
    if (size > tokens || taken.length >= maxLines) break;
    taken.push(line);
  }
  return taken;
}

function sizeOf(lines: readonly LogLine[], write: (line: LogLine) => string): number {
  return lines.reduce((sum, line) => sum + estimateTokens(`${write(line)}\n`), 0) * TOKEN_SAFETY_FACTOR;
}
