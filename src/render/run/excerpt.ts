import { TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { LogLine } from "../../model/run.ts";

/**
 * The share of its limit that a cut text spends on its beginning. The rest is for its end, where errors usually are.
 */
const HEAD_SHARE = 0.2;

/** A line of a log, or a text that stands for several consecutive lines. */
export interface Span {
  /** The number of the first line. */
  readonly number: number;
  /** The number of the last line (default: the first). */
  readonly end?: number;
}

/** The beginning and the end of a sequence of lines; the lines between them may be missing. */
export interface Ends<T extends Span> {
  readonly total: number;
  readonly first: readonly T[];
  readonly last: readonly T[];
}

/**
 * The first and the last lines of an output whose middle was cut, and the range of lines that is missing between them.
 */
export interface CutLines<T extends Span = LogLine> {
  readonly head: readonly T[];
  readonly tail: readonly T[];
  /** The numbers of the first and the last missing line, and how many lines are missing. */
  readonly gap?: { readonly from: number; readonly to: number; readonly lines: number };
}

export interface CutLimits<T extends Span> {
  readonly tokens: number;
  readonly lines?: number;
  /** The share of the tokens that the beginning of a cut output may take. */
  readonly headShare?: number;
  readonly write: (line: T) => string;
}

/** Cuts an excerpt of an output to a number of tokens and lines. */
export function cutExcerpt<T extends Span>(excerpt: Ends<T>, limits: CutLimits<T>): CutLines<T> {
  const { tokens: maxTokens, lines: maxLines = Number.POSITIVE_INFINITY, write } = limits;
  const { headShare = HEAD_SHARE } = limits;
  const lines = [...excerpt.first, ...excerpt.last];
  const complete = excerpt.total === countLines(lines);
  if (complete && fits(lines, limits)) return { head: lines, tail: [] };
  const headLimits = { tokens: maxTokens * headShare, lines: Math.floor(maxLines * headShare), write };
  const head = takeWhileFits(excerpt.first, headLimits);
  const following = complete ? lines.slice(head.length) : excerpt.last;
  const room = { tokens: maxTokens - sizeOf(head, write), lines: maxLines - heightOf(head, write), write };
  const tail = takeWhileFits([...following].reverse(), room).reverse();
  const missing = excerpt.total - countLines(head) - countLines(tail);
  // If an excerpt holds only the end of a log, its gap begins at line 1.
  const first = complete || excerpt.first.length > 0 ? (lines[0]?.number ?? 1) : 1;
  const from = endOf(head.at(-1), first - 1) + 1;
  const to = (tail[0]?.number ?? endOf(lines.at(-1), 0) + 1) - 1;
  return { head, tail, ...(missing > 0 ? { gap: { from, to: Math.max(from, to), lines: missing } } : {}) };
}

/** Writes an output whose middle was cut; `mark` writes the line that stands for the missing lines. */
export function cutText<T extends Span>(
  { head, tail, gap }: CutLines<T>,
  write: (line: T) => string,
  mark: (gap: NonNullable<CutLines["gap"]>) => string,
): string {
  return [...head.map(write), ...(gap === undefined ? [] : [mark(gap)]), ...tail.map(write)].join("\n");
}

/** Checks whether lines stay within the limits. It stops at the first line too many, since a log may be large. */
export function fits<T extends Span>(lines: readonly T[], limits: CutLimits<T>): boolean {
  return takeWhileFits(lines, { lines: Number.POSITIVE_INFINITY, ...limits }).length === lines.length;
}

function endOf(span: Span | undefined, otherwise: number): number {
  return span === undefined ? otherwise : (span.end ?? span.number);
}

function countLines(lines: readonly Span[]): number {
  return lines.reduce((sum, line) => sum + endOf(line, 0) - line.number + 1, 0);
}

function takeWhileFits<T extends Span>(
  lines: readonly T[],
  { tokens, lines: maxLines = 0, write }: CutLimits<T>,
): T[] {
  const taken: T[] = [];
  let size = 0;
  let height = 0;
  for (const line of lines) {
    size += sizeOf([line], write);
    height += heightOf([line], write);
    if (size > tokens || height > maxLines) break;
    taken.push(line);
  }
  return taken;
}

/** The number of lines that are written. A text that stands for many lines of a log may itself have only a few. */
function heightOf<T extends Span>(lines: readonly T[], write: (line: T) => string): number {
  return lines.reduce((sum, line) => sum + write(line).split("\n").length, 0);
}

function sizeOf<T extends Span>(lines: readonly T[], write: (line: T) => string): number {
  return lines.reduce((sum, line) => sum + estimateTokens(`${write(line)}\n`), 0) * TOKEN_SAFETY_FACTOR;
}
