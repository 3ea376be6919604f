import { estimateTokens } from "../../kernel/tokens.ts";
import { costOf } from "../kept-lines.ts";

/** Input of the selection of lines: the relevance and token cost of each line, and the token budget. */
export interface LineSelection {
  readonly relevance: Float64Array;
  /** Number of tokens of each line, greater than 0. */
  readonly costs: Float64Array;
  /** The most tokens that the lines of a selection may cost, whatever else `remaining` counts. */
  readonly tokens: number;
  /** Returns the tokens that a selection leaves of the budget; negative if it is too large. */
  readonly remaining: (chosen: Uint8Array) => number;
  /** Cost in tokens of each run of kept lines, in addition to its lines: the mark for the lines omitted before it. */
  readonly gapCost: number;
  /** Lines that are kept in any case. */
  readonly fixed?: Uint8Array;
  /** Relevance per token below which nothing more is kept, even if the budget allows it. */
  readonly minPrice?: number;
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
/** Gain of a line that is kept in any case; far more than the relevance of a whole text. */
const GAIN_OF_FIXED = 1e5;
/** Shares of the rest of the budget that are tried in turn, because a line may require others. */
const SHARES_OF_REST = [1, 0.5, 0.2] as const;

/**
 * Selects the runs of lines with the highest total relevance that fit into a budget. Each token has a price, in units
 * of relevance; for a given price, one pass finds the selection with the highest relevance minus cost. A binary search
 * finds the lowest price whose selection fits.
 */
export function selectLines(choice: LineSelection): Uint8Array {
  const { relevance, costs, fixed, minPrice = 0 } = choice;
  const ratios = relevance.map((value, line) => value / (costs[line] ?? 1));
  let low = minPrice;
  let high = low;
  for (const ratio of ratios) high = Math.max(high, ratio);
  let best: Uint8Array = fixed?.slice() ?? new Uint8Array(relevance.length);
  choice.addRequired?.(best);
  for (let step = 0; step < BISECTION_STEPS; step++) {
    const price = (low + high) / 2;
    const chosen = selectAtPrice(choice, price);
    if (completeIfAffordable(chosen, choice)) {
      best = chosen;
      high = price;
    } else low = price;
  }
  return withRemainingBudget(best, choice, ratios);
}

/**
 * Adds the required lines and returns true if the selection then fits. A selection that is too large without them, as
 * many are during a binary search, is not completed, because that would take time and could not make it smaller.
 */
function completeIfAffordable(chosen: Uint8Array, choice: LineSelection): boolean {
  if (costOf(chosen, choice.costs) > choice.tokens) return false;
  choice.addRequired?.(chosen);
  return choice.remaining(chosen) >= 0;
}

/**
 * Finds the best selection for a price per token by dynamic programming: for each line, it computes the best totals
 * with this line kept and with it omitted.
 */
function selectAtPrice({ relevance, costs, gapCost, fixed }: LineSelection, price: number): Uint8Array {
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
    kept = Math.max(kept, opened) + (fixed?.[line] === 1 ? GAIN_OF_FIXED : gain);
  }
  const chosen = new Uint8Array(count);
  let keeps = kept > left ? 1 : 0;
  for (let line = count - 1; line >= 0; line--) {
    chosen[line] = keeps;
    keeps = ((before[line] ?? 0) >> keeps) & 1;
  }
  return chosen;
}

/** Spends what remains of the budget on lines next to kept ones, and less of it if these require too much. */
function withRemainingBudget(chosen: Uint8Array, choice: LineSelection, ratios: Float64Array): Uint8Array {
  const rest = choice.remaining(chosen);
  const beside = linesBeside(chosen, ratios);
  for (const share of SHARES_OF_REST) {
    const filled = chosen.slice();
    addBestBeside(filled, { beside, ratios, tokens: rest * share }, choice);
    if (completeIfAffordable(filled, choice)) return filled;
  }
  return chosen;
}

/** Returns the omitted lines next to kept ones, those with the highest relevance per token first. */
function linesBeside(chosen: Uint8Array, ratios: Float64Array): readonly number[] {
  const beside: number[] = [];
  for (let line = 0; line < chosen.length; line++)
    if (chosen[line] === 0 && (chosen[line - 1] === 1 || chosen[line + 1] === 1)) beside.push(line);
  return beside.sort((a, b) => (ratios[b] ?? 0) - (ratios[a] ?? 0) || a - b);
}

/** Adds the best lines next to kept ones for a number of tokens. */
function addBestBeside(
  chosen: Uint8Array,
  {
    beside,
    ratios,
    tokens,
  }: { readonly beside: readonly number[]; readonly ratios: Float64Array; readonly tokens: number },
  { costs, minPrice = 0 }: LineSelection,
): void {
  let left = tokens;
  for (let at = 0; at < beside.length && left > 0; at++) {
    const line = beside[at] ?? 0;
    for (const step of [-1, 1]) {
      if (chosen[line] === 0 && chosen[line - step] !== 1) continue;
      for (let next = line; next >= 0 && next < chosen.length && chosen[next] === 0; next += step) {
        if ((costs[next] ?? 0) > left || (ratios[next] ?? 0) <= minPrice) break;
        chosen[next] = 1;
        left -= costs[next] ?? 0;
      }
    }
  }
}

/** Returns the number of tokens of each line, including its line break. */
export function costsOf(lines: readonly string[]): Float64Array {
  return Float64Array.from(lines, (line) => estimateTokens(line) + 1);
}
