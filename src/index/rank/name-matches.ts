import { TEST_KINDS, type SymbolKind } from "../../model/symbol.ts";
import { kindWeight } from "./kind-weights.ts";
import type { ParsedQuery } from "../query/query.ts";
import type { SymbolBrief } from "../store/record.ts";
import { stemOf } from "../text/stems.ts";
import { partsOfIdentifier } from "../text/terms.ts";

/** Weight of the name that matches the query best, such as `make_password` for "make a password". */
const SINGLE_NAME_WEIGHT = 0.3;
/** Weight of all matching names of a file together. With a higher weight, long files would win by their length. */
const ALL_NAMES_WEIGHT = 0.15;
const NESTED_FACTOR = 0.8;

/**
 * Creates a function that scores a file by the query words in the names it defines, relative to the highest score of a
 * file for words in its text.
 */
export function scoreNameMatches(
  query: ParsedQuery,
  weights: readonly number[],
  kinds?: ReadonlySet<SymbolKind>,
) {
  const byStem = new Map<string, number>();
  let total = 0;
  for (const [index, { stem, isWhole }] of query.groups.entries()) {
    if (isWhole || stem === undefined) continue;
    byStem.set(stem, weights[index] ?? 0);
    total += weights[index] ?? 0;
  }
  const unit = total === 0 ? 1 : total;
  return (symbols: readonly SymbolBrief[]): number => {
    const matchedStems = new Set<string>();
    let best = 0;
    for (const { name, kind, parent } of symbols) {
      if (PROSE_KINDS.has(kind) || kinds?.has(kind) === false) continue;
      const stems = stemsOfName(name);
      let hits = 0;
      let weight = 0;
      for (const stem of stems) {
        const found = byStem.get(stem);
        if (found === undefined) continue;
        hits++;
        weight += found;
        matchedStems.add(stem);
      }
      if (hits < 2) continue;
      const nested = parent >= 0 && kindWeight(kind) < 1 ? NESTED_FACTOR : 1;
      best = Math.max(best, (weight / unit) * (hits / stems.length) * nested);
    }
    let allNames = 0;
    for (const stem of matchedStems) allNames += byStem.get(stem) ?? 0;
    return SINGLE_NAME_WEIGHT * Math.min(1, best) + ALL_NAMES_WEIGHT * Math.min(1, allNames / unit);
  };
}

const PROSE_KINDS: ReadonlySet<SymbolKind> = new Set([
  "heading",
  "key",
  "rule",
  "section",
  "import",
  ...TEST_KINDS,
]);

/** Caches the word stems of names, because every query checks the same names. */
const stemsByName = new Map<string, readonly string[]>();
const MAX_CACHED = 20_000;

function stemsOfName(name: string): readonly string[] {
  const known = stemsByName.get(name);
  if (known !== undefined) return known;
  const stems = partsOfIdentifier(name).map(stemOf);
  if (stemsByName.size >= MAX_CACHED) stemsByName.clear();
  stemsByName.set(name, stems);
  return stems;
}
