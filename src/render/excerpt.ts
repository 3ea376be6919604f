import { SAFETY } from "../kernel/budget.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import type { Excerpt, LogLine } from "../model/run.ts";

/** Of what does not fit, a fifth is shown from the beginning and the rest from the end: errors come last. */
const HEAD_SHARE = 0.2;

/** Lines cut to a size: how they begin, how they end, and what is missing between. */
export interface CutLines {
  readonly head: readonly LogLine[];
  readonly tail: readonly LogLine[];
  /** The numbers of the first and last line that are missing, and how many lines that are. */
  readonly gap?: { readonly from: number; readonly to: number; readonly lines: number };
}

/** Cuts an excerpt to at most so many tokens and lines. */
export function cutExcerpt(
  excerpt: Excerpt,
  maxTokens: number,
  maxLines = Number.POSITIVE_INFINITY,
): CutLines {
  const lines = [...excerpt.first, ...excerpt.last];
  const complete = excerpt.total === lines.length;
  if (complete && lines.length <= maxLines && sizeOf(lines) <= maxTokens) return { head: lines, tail: [] };
  const head = takeWhileFits(excerpt.first, maxTokens * HEAD_SHARE, Math.floor(maxLines * HEAD_SHARE));
  const behind = complete ? lines.slice(head.length) : excerpt.last;
  const room = { tokens: maxTokens - sizeOf(head), lines: maxLines - head.length };
  const tail = takeWhileFits([...behind].reverse(), room.tokens, room.lines).reverse();
  const missing = excerpt.total - head.length - tail.length;
  // Of an excerpt without its begin all that comes before is missing, from the first line on.
  const first = complete || excerpt.first.length > 0 ? (lines[0]?.number ?? 1) : 1;
  const from = (head.at(-1)?.number ?? first - 1) + 1;
  const to = (tail[0]?.number ?? (lines.at(-1)?.number ?? 0) + 1) - 1;
  return { head, tail, ...(missing > 0 ? { gap: { from, to: Math.max(from, to), lines: missing } } : {}) };
}

/** The text of cut lines; `mark` writes the line that stands for the gap. */
export function cutText(cut: CutLines, mark: (gap: NonNullable<CutLines["gap"]>) => string): string {
  const lines = cut.head.map((line) => line.text);
  if (cut.gap !== undefined) lines.push(mark(cut.gap));
  return [...lines, ...cut.tail.map((line) => line.text)].join("\n");
}

function takeWhileFits(lines: readonly LogLine[], maxTokens: number, maxLines: number): LogLine[] {
  const taken: LogLine[] = [];
  let tokens = 0;
  for (const line of lines) {
    tokens += sizeOf([line]);
    if (tokens > maxTokens || taken.length >= maxLines) break;
    taken.push(line);
  }
  return taken;
}

function sizeOf(lines: readonly LogLine[]): number {
  return lines.reduce((sum, line) => sum + estimateTokens(`${line.text}\n`), 0) * SAFETY;
}
