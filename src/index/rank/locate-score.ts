import type { RankingFactors } from "../../model/hit.ts";
import type { FoundSymbol } from "../query/locate.ts";

/**
 * Share of the score that a definition gets for the match of its name alone; the rest depends on qualifiers and
 * ranking.
 */
const MATCH_SHARE = 0.5;

/**
 * Creates the scores of definitions found by name, which are ordered by match quality (tier), fit to the qualifiers,
 * and own score. Each tier has its own range of scores, each fit a part of that range, and the own score decides within
 * that part, so that scores never rise down the list.
 */
export function scoreLookup(found: readonly FoundSymbol[]): (entry: FoundSymbol) => RankingFactors {
  const ranges = rangesOf(found);
  return (entry) => {
    const { low, width, step, best } = ranges.get(keyOf(entry)) ?? NO_RANGE;
    const definition = best === 0 ? 0 : (width * entry.score) / best;
    const isExact = entry.match === "exact";
    return {
      exact_match_boost: isExact ? low : 0,
      qualified_name_boost: step,
      path_affinity: 0,
      definition_boost: definition,
      kind_match: 0,
      bm25_score: 0,
      ...(!isExact && { partial_match: low }),
      final_score: low + step + definition,
    };
  };
}

interface Range {
  /** Lowest score of a definition in this tier (quality of the name match). */
  readonly low: number;
  /** Start, relative to `low`, and width of the part of the range that belongs to one fit to the qualifiers. */
  readonly step: number;
  readonly width: number;
  readonly best: number;
}

const NO_RANGE: Range = { low: 0, step: 0, width: 0, best: 0 };

function keyOf({ tier, fit }: FoundSymbol): string {
  return `${tier} ${fit}`;
}

function rangesOf(found: readonly FoundSymbol[]): ReadonlyMap<string, Range> {
  const bests = new Map<string, number>();
  const fits = new Map<number, Set<number>>();
  for (const entry of found) {
    const key = keyOf(entry);
    bests.set(key, Math.max(bests.get(key) ?? 0, entry.score));
    fits.set(entry.tier, (fits.get(entry.tier) ?? new Set()).add(entry.fit));
  }
  const tiers = [...fits.keys()].sort((a, b) => b - a);
  const ranges = new Map<string, Range>();
  for (const [place, tier] of tiers.entries()) {
    const low = Math.max(tiers[place + 1] ?? 0, tier * MATCH_SHARE);
    const own = [...(fits.get(tier) ?? [])].sort((a, b) => a - b);
    const width = (tier - low) / own.length;
    for (const [rank, fit] of own.entries()) {
      const key = `${tier} ${fit}`;
      ranges.set(key, { low, step: rank * width, width, best: bests.get(key) ?? 0 });
    }
  }
  return ranges;
}
