import type { Block } from "./blocks.ts";
import type { Scores } from "./score.ts";

/** A block that does not fit is cut to its best lines where at least this share of the budget is left. */
const WORTH_CUTTING = 0.1;

export interface Selection {
  readonly blocks: readonly Block[];
  readonly scores: Scores;
  /** Tokens of each line. */
  readonly costs: readonly number[];
  readonly budget: number;
}

/**
 * Chooses lines for a budget: the best blocks with the declarations around them, then the neighbours of the best, because
 * what was meant often stands beside what was named.
 */
export function selectLines({ blocks, scores, costs, budget }: Selection): Set<number> {
  const kept = new Set<number>();
  let left = budget;
  const spend = (lines: readonly number[]): boolean => {
    const fresh = lines.filter((line) => !kept.has(line));
    const cost = fresh.reduce((sum, line) => sum + (costs[line] ?? 0), 0);
    if (cost > left) return false;
    left -= cost;
    for (const line of fresh) kept.add(line);
    return true;
  };
  const order = [...blocks.keys()]
    .filter((index) => (scores.blocks[index] ?? 0) > 0)
    .sort((a, b) => (scores.blocks[b] ?? 0) - (scores.blocks[a] ?? 0) || a - b);
  for (const index of order) {
    const block = blocks[index];
    if (block === undefined || spend([...block.headers, ...linesOf(block)])) continue;
    if (left > budget * WORTH_CUTTING) spend([...block.headers, ...bestWindow(block, scores, costs, left)]);
  }
  for (const index of order)
    for (const beside of [index + 1, index - 1]) {
      const block = blocks[beside];
      if (block !== undefined) spend([...block.headers, ...linesOf(block)]);
    }
  return kept;
}

function linesOf({ start, end }: Block): readonly number[] {
  return Array.from({ length: end - start }, (_, i) => start + i);
}

/** The stretch of a block that has the most for what it costs. */
function bestWindow(
  block: Block,
  { lines }: Scores,
  costs: readonly number[],
  room: number,
): readonly number[] {
  let best = { from: block.start, to: block.start, score: -1 };
  let from = block.start;
  let cost = block.headers.reduce((sum, header) => sum + (costs[header] ?? 0), 0);
  let score = 0;
  for (let to = block.start; to < block.end; to++) {
    cost += costs[to] ?? 0;
    score += lines[to] ?? 0;
    while (cost > room && from <= to) {
      cost -= costs[from] ?? 0;
      score -= lines[from] ?? 0;
      from++;
    }
    if (score > best.score) best = { from, to: to + 1, score };
  }
  return linesOf({ start: best.from, end: best.to, headers: [] });
}
