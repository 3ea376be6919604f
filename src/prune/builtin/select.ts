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
  const purse = createPurse(costs, budget);
  const order = [...blocks.keys()]
    .filter((index) => (scores.blocks[index] ?? 0) > 0)
    .sort((a, b) => (scores.blocks[b] ?? 0) - (scores.blocks[a] ?? 0) || a - b);
  for (const index of order) {
    const block = blocks[index];
    if (block === undefined || purse.buy(block)) continue;
    if (purse.left() > budget * WORTH_CUTTING)
      purse.buy({ ...block, ...bestWindow(block, scores, costs, purse.left()) });
  }
  for (const index of order)
    for (const beside of [index + 1, index - 1]) {
      const block = blocks[beside];
      if (block !== undefined) purse.buy(block);
    }
  return purse.bought();
}

/** What is left of a budget, and the lines that were had for it. */
function createPurse(costs: readonly number[], budget: number) {
  const has = new Uint8Array(costs.length);
  let left = budget;
  return {
    left: () => left,
    /** Takes a block with its headers if it can be paid; what is there already costs nothing. */
    buy({ start, end, headers }: Block): boolean {
      let cost = 0;
      for (let line = start; line < end; line++) if (has[line] === 0) cost += costs[line] ?? 0;
      for (const line of headers) if (has[line] === 0) cost += costs[line] ?? 0;
      if (cost > left) return false;
      left -= cost;
      has.fill(1, start, end);
      for (const line of headers) has[line] = 1;
      return true;
    },
    bought(): Set<number> {
      const lines = new Set<number>();
      for (let line = 0; line < has.length; line++) if (has[line] === 1) lines.add(line);
      return lines;
    },
  };
}

/** The stretch of a block that has the most for what it costs. */
function bestWindow(
  block: Block,
  { lines }: Scores,
  costs: readonly number[],
  room: number,
): { readonly start: number; readonly end: number } {
  let best = { start: block.start, end: block.start, score: -1 };
  let start = block.start;
  let cost = block.headers.reduce((sum, header) => sum + (costs[header] ?? 0), 0);
  let score = 0;
  for (let to = block.start; to < block.end; to++) {
    cost += costs[to] ?? 0;
    score += lines[to] ?? 0;
    while (cost > room && start <= to) {
      cost -= costs[start] ?? 0;
      score -= lines[start] ?? 0;
      start++;
    }
    if (score > best.score) best = { start, end: to + 1, score };
  }
  return best;
}
