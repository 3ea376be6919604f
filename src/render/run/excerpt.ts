import { TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { Excerpt, LogLine } from "../../model/run.ts";

/** Of what does not fit, a fifth is shown from the beginning and the rest from the end: errors come last. */
const HEAD_SHARE = 0.2;

/** Lines cut to a size: how they begin, how they end, and what is missing between. */
export interface CutLines {
  readonly head: readonly LogLine[];
  readonly tail: readonly LogLine[];
  /** The numbers of the first and last line that are missing, and how many lines that are. */
  readonly gap?: { readonly from: number; readonly to: number; readonly lines: number };
}

export interface CutLimits {
  readonly tokens: number;
  readonly lines?: number;
  /** How a line is written. */
  readonly write: (line: LogLine) => string;
}

/** Cuts an excerpt to at most so many tokens and lines. */
export function cutExcerpt(excerpt: Excerpt, limits: CutLimits): CutLines {
  const { tokens: maxTokens, lines: maxLines = Number.POSITIVE_INFINITY, write } = limits;
  const lines = [...excerpt.first, ...excerpt.last];
  const complete = excerpt.total === lines.length;
  if (complete && lines.length <= maxLines && sizeOf(lines, write) <= maxTokens)
    return { head: lines, tail: [] };
  const most = { tokens: maxTokens * HEAD_SHARE, lines: Math.floor(maxLines * HEAD_SHARE), write };
  const head = takeWhileFits(excerpt.first, most);
  const behind = complete ? lines.slice(head.length) : excerpt.last;
  const room = { tokens: maxTokens - sizeOf(head, write), lines: maxLines - head.length, write };
  const tail = takeWhileFits([...behind].reverse(), room).reverse();
  const missing = excerpt.total - head.length - tail.length;
  // Of an excerpt without its begin all that comes before is missing, from the first line on.
  const first = complete || excerpt.first.length > 0 ? (lines[0]?.number ?? 1) : 1;
  const from = (head.at(-1)?.number ?? first - 1) + 1;
  const to = (tail[0]?.number ?? (lines.at(-1)?.number ?? 0) + 1) - 1;
  return { head, tail, ...(missing > 0 ? { gap: { from, to: Math.max(from, to), lines: missing } } : {}) };
}

/** The text of cut lines; `mark` writes the line that stands for the gap. */
export function cutText(
  { head, tail, gap }: CutLines,
  write: (line: LogLine) => string,
  mark: (gap: NonNullable<CutLines["gap"]>) => string,
): string {
  return [...head.map(write), ...(gap === undefined ? [] : [mark(gap)]), ...tail.map(write)].join("\n");
}

function takeWhileFits(lines: readonly LogLine[], { tokens, lines: most = 0, write }: CutLimits): LogLine[] {
  const taken: LogLine[] = [];
  let size = 0;
  for (const line of lines) {
    size += sizeOf([line], write);
    if (size > tokens || taken.length >= most) break;
    taken.push(line);
  }
  return taken;
}

function sizeOf(lines: readonly LogLine[], write: (line: LogLine) => string): number {
  return lines.reduce((sum, line) => sum + estimateTokens(`${write(line)}\n`), 0) * TOKEN_SAFETY_FACTOR;
}
