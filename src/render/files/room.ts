import { type Budget, MAX_TOKENS_CEILING } from "../../kernel/budget.ts";
import type { PruningOutcome, ReplyRoom } from "../../model/pruning.ts";
import { costIn } from "./file-lines.ts";

/** Adds a token to each gap: a mark and the line after it are rounded together in the reply and separately here. */
const TOKENS_FOR_ROUNDING = 1;

/** An outcome of pruning with the largest numbers possible, to reserve room for it. */
export function fullOutcome(lines: number, bytes: number): PruningOutcome {
  return {
    attempted: true,
    applied: true,
    lines_before: lines,
    lines_after: lines,
    tokens_before: bytes,
    tokens_after: bytes,
    kept: [],
  };
}

/** Writes what a line, as the first of a run or not, and a gap add to a reply. */
interface Writer<L> {
  readonly line: (line: L, isFirst: boolean) => string;
  readonly gap: (start: number, end: number) => string;
}

/** Counts what remains of a budget as the room for lines and gaps. */
export function roomOf<L>(budget: Budget, lines: readonly L[], write: Writer<L>): ReplyRoom {
  const costOf = costIn(budget);
  return {
    tokens: budget.remainingTokens,
    wholeCost: wholeCost(lines, (line) => costOf(write.line(line, true))),
    lineCosts: Float64Array.from(lines, (line, index) => costOf(write.line(line, index === 0))),
    gapCost: (start, end) => costOf(write.gap(start, end)) + TOKENS_FOR_ROUNDING,
  };
}

/** Adds up the costs until it is clear that no reply has room for them, because a text may have very many lines. */
function wholeCost<L>(lines: readonly L[], costOf: (line: L) => number): number {
  let sum = 0;
  for (const line of lines) {
    sum += costOf(line);
    if (sum > 2 * MAX_TOKENS_CEILING) break;
  }
  return sum;
}
