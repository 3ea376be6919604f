/** What is to be chosen from: for each line what it is worth and what it costs. */
export interface Choice {
  readonly worth: Float64Array;
  /** Tokens of each line, more than none. */
  readonly costs: Float64Array;
  readonly budget: number;
  /** What each stretch costs beside its lines: the mark of what is left out before it, and a reader's trouble. */
  readonly gap: number;
  /** Adds to chosen lines what must go with them. */
  readonly complete?: (chosen: Uint8Array) => void;
}

/** The price of a token is found by halving; a step more changes less than one line in a thousand. */
const STEPS = 12;

/**
 * Chooses the stretches of lines that are worth the most for a budget. At a given price for a token the best choice is found
 * in one pass over the lines (keep or leave each, a stretch pays for its gap); the price is the lowest that the budget allows.
 */
export function chooseLines(choice: Choice): Uint8Array {
  const { worth, costs, budget } = choice;
  const count = worth.length;
  let low = 0;
  let high = worth.reduce((most, value, line) => Math.max(most, value / (costs[line] ?? 1)), 0);
  let best: Uint8Array = new Uint8Array(count);
  for (let step = 0; step < STEPS; step++) {
    const price = (low + high) / 2;
    const chosen = chooseAtPrice(choice, price);
    choice.complete?.(chosen);
    if (costOf(chosen, costs) <= budget) {
      best = chosen;
      high = price;
    } else low = price;
  }
  topUp(best, choice);
  choice.complete?.(best);
  return best;
}

/** The best choice by dynamic programming: for each line the best sum that ends with keeping it and with leaving it. */
function chooseAtPrice({ worth, costs, gap }: Choice, price: number): Uint8Array {
  const count = worth.length;
  // Whether the line before was kept in the best choice that keeps this line (bit 1) or leaves it (bit 0).
  const before = new Uint8Array(count);
  let kept = Number.NEGATIVE_INFINITY;
  let left = 0;
  for (let line = 0; line < count; line++) {
    const gain = (worth[line] ?? 0) - price * (costs[line] ?? 0);
    const opened = left - price * gap;
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

/** What the last stretch that did not fit leaves over goes to the best lines beside those that are kept. */
function topUp(chosen: Uint8Array, { worth, costs, budget }: Choice): void {
  let left = budget - costOf(chosen, costs);
  const beside: number[] = [];
  for (let line = 0; line < chosen.length; line++)
    if (chosen[line] === 0 && (chosen[line - 1] === 1 || chosen[line + 1] === 1)) beside.push(line);
  const ratio = (line: number): number => (worth[line] ?? 0) / (costs[line] ?? 1);
  beside.sort((a, b) => ratio(b) - ratio(a) || a - b);
  for (let at = 0; at < beside.length && left > 0; at++) {
    const line = beside[at] ?? 0;
    for (const step of [-1, 1]) {
      if (chosen[line] === 0 && chosen[line - step] !== 1) continue;
      for (let next = line; next >= 0 && next < chosen.length && chosen[next] === 0; next += step) {
        if ((costs[next] ?? 0) > left || (worth[next] ?? 0) <= 0) break;
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
