import { Budget, TOKEN_SAFETY_FACTOR } from "../kernel/budget.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import type { Masked } from "../model/masked.ts";
import type { Rendered } from "./rendered.ts";
import { shareAmongParts, type SharedBudget, TOKENS_BETWEEN_PARTS } from "./shared-budget.ts";

interface PartWriter<T> {
  readonly render: (part: T, budget: Budget) => Rendered;
  readonly nameOf: (part: T) => string;
  /** Tokens that each part needs beside its text, such as for the line that names the call for the rest. */
  readonly extraTokens?: number;
  /** How many times its tokens a part must be offered to show all, because it divides them among its sections. */
  readonly offer?: number;
}

/** Writes several parts that share the rest of a budget: first each as a whole, to see what it needs, then its share. */
export function renderSharing<T>(
  parts: readonly T[],
  budget: Budget,
  { render, nameOf, extraTokens = 0, offer = 1 }: PartWriter<T>,
): { readonly rendered: readonly Rendered[]; readonly shared: SharedBudget } {
  const costs = parts.map((part) => {
    const { text } = render(part, new Budget(budget.maxTokens));
    return Math.ceil(estimateTokens(text) * TOKEN_SAFETY_FACTOR * offer) + TOKENS_BETWEEN_PARTS + extraTokens;
  });
  const names = parts.map(nameOf);
  const shared = shareAmongParts(costs, budget.remainingTokens, (i) => names[i] ?? "");
  const rendered = parts
    .slice(0, shared.shares.length)
    .map((part, i) => render(part, new Budget(shared.shares[i] ?? 0)));
  return { rendered, shared };
}

/** Joins the masked secrets of several parts of a reply. */
export function joinMasked(rendered: readonly Rendered[]): { readonly masked?: Masked } {
  const found = rendered.flatMap(({ masked }) => (masked === undefined ? [] : [masked]));
  if (found.length === 0) return {};
  const places = [...new Set(found.flatMap((one) => one.places))];
  return { masked: { count: found.reduce((sum, { count }) => sum + count, 0), places } };
}
