import { estimateTokens } from "../../kernel/tokens.ts";

/** Input of the selection of lines: the relevance and token cost of each line, and the token budget. */
export interface LineSelection {
  readonly relevance: Float64Array;
  /** Number of tokens of each line, greater than 0. */
  readonly costs: Float64Array;
  readonly budget: number;
  /** Cost in tokens of each run of kept lines, in addition to its lines: the mark for the lines omitted before it. */
  readonly gapCost: number;
  /**
   * Adds the lines that must be kept with the chosen ones, such as the declaration of a function of which a part is
   * chosen.
   */
  readonly addRequired?: (chosen: Uint8Array) => void;
}

/**
 * Number of steps of the binary search for the price of a token; a further step changes less than one line in a
 * thousand.
 */
const BISECTION_STEPS = 12;

/**
 * Selects the runs of lines with the highest total relevance that fit into a budget. Each token has a price, in units
 * of relevance; for a given price, one pass finds the selection with the highest relevance minus cost. A binary search
 * finds the lowest price whose selection fits.
 */
export function selectLines(choice: LineSelection): Uint8Array {
  const { relevance, costs, budget } = choice;
  const count = relevance.length;
  let low = 0;
  let high = relevance.reduce((most, value, line) => Math.max(most, value / (costs[line] ?? 1)), 0);
  let best: Uint8Array = new Uint8Array(count);
  for (let step = 0; step < BISECTION_STEPS; step++) {
    const price = (low + high) / 2;
    const chosen = selectAtPrice(choice, price);
    choice.addRequired?.(chosen);
    if (costOf(chosen, costs) <= budget) {
      best = chosen;
      high = price;
    } else low = price;
  }
  useRemainingBudget(best, choice);
  choice.addRequired?.(best);
  return best;
}

/**
 * Finds the best selection for a price per token by dynamic programming: for each line, it computes the best totals
 * with this line kept and with it omitted.
 */
function selectAtPrice({ relevance, costs, gapCost }: LineSelection, price: number): Uint8Array {
  const count = relevance.length;
  // For each line, two bits say whether the best selection keeps the previous line: bit 1 if this line is kept, bit 0
  // if it is omitted.
  const before = new Uint8Array(count);
  let kept = Number.NEGATIVE_INFINITY;
  let left = 0;
  for (let line = 0; line < count; line++) {
    const gain = (relevance[line] ?? 0) - price * (costs[line] ?? 0);
    const opened = left - price * gapCost;
    before[line] = (kept > left ? 1 : 0) | (kept >= opened ? 2 : 0);
    left = Math.max(left, kept);
    kept = Math.max(kept, opened) + gain;
  }
  const chosen = new Uint8Array(count);
  let keeps = kept > left ? 1 : 0;
  for (let line = count - 1; line >= 0; line--) {
    chosen[line] = keeps;
    keeps = ((before[line] ?? 0) >> keeps) & 1;
  }
  return chosen;
}

/** Spends the remaining budget on the most relevant lines next to kept ones. */
function useRemainingBudget(chosen: Uint8Array, { relevance, costs, budget }: LineSelection): void {
  let left = budget - costOf(chosen, costs);
  const beside: number[] = [];
  for (let line = 0; line < chosen.length; line++)
    if (chosen[line] === 0 && (chosen[line - 1] === 1 || chosen[line + 1] === 1)) beside.push(line);
  const ratio = (line: number): number => (relevance[line] ?? 0) / (costs[line] ?? 1);
  beside.sort((a, b) => ratio(b) - ratio(a) || a - b);
  for (let at = 0; at < beside.length && left > 0; at++) {
    const line = beside[at] ?? 0;
    for (const step of [-1, 1]) {
      if (chosen[line] === 0 && chosen[line - step] !== 1) continue;
      for (let next = line; next >= 0 && next < chosen.length && chosen[next] === 0; next += step) {
        if ((costs[next] ?? 0) > left || (relevance[next] ?? 0) <= 0) break;
        chosen[next] = 1;
        left -= costs[next] ?? 0;
      }
    }
  }
}

function costOf(chosen: Uint8Array, costs: Float64Array): number {
  let sum = 0;
  for (let line = 0; line < chosen.length; line++) if (chosen[line] === 1) sum += costs[line] ?? 0;
  return sum;
}

/** Returns the number of tokens of each line, including its line break. */
export function costsOf(lines: readonly string[]): Float64Array {
  return Float64Array.from(lines, (line) => estimateTokens(line) + 1);
}
