import { TOKEN_SAFETY_FACTOR } from "../kernel/budget.ts";
import { estimateTokens } from "../kernel/tokens.ts";

/** Tokens for the separator between two parts of a reply, or for the JSON around them. */
export const TOKENS_BETWEEN_PARTS = 6;
/** A part of a reply with fewer tokens than this would show little more than how to see the rest of it. */
const MIN_TOKENS_PER_PART = 80;
/** The share of a reply for the names of the parts that it does not show. */
const NAMES_SHARE = 0.3;

/** How several parts share the budget of a reply. */
export interface SharedBudget {
  /** The tokens of each part that is shown: the first ones, in their order. */
  readonly shares: readonly number[];
  /** The names of the other parts, or as many of them as there is room for. */
  readonly notShown: readonly string[];
  /** How many more parts are neither shown nor named. */
  readonly notNamed: number;
}

export const NOTHING_LEFT_OUT: SharedBudget = { shares: [], notShown: [], notNamed: 0 };

/**
 * Shares the tokens of a reply among parts that cost so many tokens each. If there are too many to show something of
 * each, the last ones are only named.
 */
export function shareAmongParts(
  costs: readonly number[],
  available: number,
  nameOf: (part: number) => string,
): SharedBudget {
  const least = costs.map((cost) => Math.min(cost, MIN_TOKENS_PER_PART));
  const needed = least.reduce((sum, cost) => sum + cost, 0);
  if (needed <= available || costs.length < 2)
    return { shares: shareTokens(costs, available), notShown: [], notNamed: 0 };
  const forNames = available * NAMES_SHARE;
  let left = available - forNames;
  let shown = 0;
  while (shown < least.length - 1 && (shown === 0 || (least[shown] ?? 0) <= left))
    left -= least[shown++] ?? 0;
  const names = costs.map((_, i) => nameOf(i)).slice(shown);
  const notShown = names.slice(0, countFitting(names, forNames - TOKENS_FOR_NOTE));
  return {
    shares: shareTokens(costs.slice(0, shown), available - forNames),
    notShown,
    notNamed: names.length - notShown.length,
  };
}

/** Tokens of the words around the names of parts that are not shown. */
const TOKENS_FOR_NOTE = 20;

function countFitting(names: readonly string[], tokens: number): number {
  let left = tokens;
  const first = names.findIndex((name) => {
    left -= estimateTokens(`${name}, `) * TOKEN_SAFETY_FACTOR;
    return left < 0;
  });
  return first < 0 ? names.length : Math.max(1, first);
}

/** Shares tokens among several parts: small ones get all they need, and the larger ones share the rest evenly. */
export function shareTokens(costs: readonly number[], available: number): readonly number[] {
  const shares = costs.map(() => 0);
  const ascending = [...costs.keys()].toSorted((a, b) => (costs[a] ?? 0) - (costs[b] ?? 0));
  let left = available;
  for (const [rank, i] of ascending.entries()) {
    const share = Math.min(costs[i] ?? 0, Math.floor(left / (ascending.length - rank)));
    shares[i] = share;
    left -= share;
  }
  return shares;
}

/** Says which parts a reply does not show; undefined if it shows all. */
export function notShownNote({ notShown, notNamed }: SharedBudget): string | undefined {
  if (notShown.length === 0) return undefined;
  const more = notNamed > 0 ? ` and ${notNamed} more` : "";
  return `[not shown: ${notShown.join(", ")}${more}; ask for fewer at once]`;
}

/** The fields of a JSON reply for the parts that it does not show. */
export function notShownFields({ notShown, notNamed }: SharedBudget): object {
  return {
    ...(notShown.length > 0 && { not_shown: notShown }),
    ...(notNamed > 0 && { not_shown_more: notNamed }),
  };
}
