import type { ExplainLevel, Hit, RankingFactors } from "../../model/hit.ts";

/** The parts of a search result's score, in the order in which they are shown. */
const PARTS = [
  "exact_match_boost",
  "qualified_name_boost",
  "path_affinity",
  "definition_boost",
  "kind_match",
  "bm25_score",
  "partial_match",
  "history_boost",
  "semantic_contribution",
  "role_adjustment",
] as const satisfies readonly (keyof RankingFactors)[];

type Part = (typeof PARTS)[number];

/**
 * The parts of a result's score, which add up to `final_score`. The level `full` lists all of them. The level `basic`
 * lists those that are not zero; the adjustment for the file's role (such as test or documentation) is distributed over
 * them, so that each is between 0 and 1.
 */
export function reasonsJson(reasons: RankingFactors, level: ExplainLevel): Record<string, number> {
  const final = rounded(reasons.final_score);
  const parts = level === "full" ? reasons : distributeRole(reasons);
  const shown = roundedTo(final, parts);
  const similarity = reasons.semantic_similarity;
  return {
    ...(level === "full" ? shown : withoutZeros(shown)),
    ...(similarity !== undefined && { semantic_similarity: rounded(similarity) }),
    final_score: final,
  };
}

/** Distributes the adjustment for the file's role (such as test or documentation) over the other parts of the score. */
function distributeRole(reasons: RankingFactors): Partial<Record<Part, number>> {
  const { role_adjustment: role = 0, semantic_contribution: meaning = 0, final_score: final } = reasons;
  // The contribution of semantic search already includes the adjustment for the file's role.
  const before = final - meaning - role;
  const factor = before === 0 ? 1 : (before + role) / before;
  const parts: Partial<Record<Part, number>> = {};
  for (const name of PARTS) {
    const value = reasons[name];
    if (value === undefined || name === "role_adjustment") continue;
    parts[name] = name === "semantic_contribution" ? value : value * factor;
  }
  return parts;
}

const DECIMALS = 1_000;

function rounded(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS;
}

/**
 * Rounds the parts of a score to three decimals. The largest part absorbs the rounding error, so that they still add
 * up.
 */
function roundedTo(sum: number, parts: Partial<Record<Part, number>>): Partial<Record<Part, number>> {
  const shown: Partial<Record<Part, number>> = {};
  let rest = Math.round(sum * DECIMALS);
  let largest: Part = "bm25_score";
  for (const name of PARTS) {
    const value = parts[name];
    if (value === undefined) continue;
    shown[name] = rounded(value);
    rest -= Math.round(value * DECIMALS);
    if (value > (parts[largest] ?? 0)) largest = name;
  }
  shown[largest] = rounded((shown[largest] ?? 0) + rest / DECIMALS);
  return shown;
}

function withoutZeros(parts: Partial<Record<Part, number>>): Partial<Record<Part, number>> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== 0));
}

/** The reasons for a result's rank in a few words; undefined if the caller asked for no explanation. */
export function explanation({ reasons, score }: Hit, level: ExplainLevel): string | undefined {
  if (level === "off" || reasons === undefined) return undefined;
  if (level === "full") return fullReasons(reasons);
  const tags = [
    reasons.exact_match_boost > 0 ? "exact" : undefined,
    (reasons.partial_match ?? 0) > 0 ? "partial" : undefined,
    reasons.qualified_name_boost > 0 ? "qualified" : undefined,
    reasons.definition_boost > 0 ? "def" : undefined,
    reasons.kind_match > 0 ? "kind" : undefined,
    reasons.path_affinity > 0 ? "path" : undefined,
    reasons.bm25_score > 0 ? "words" : undefined,
    reasons.semantic_similarity === undefined
      ? undefined
      : `meaning ${reasons.semantic_similarity.toFixed(2)}`,
    score.toFixed(2),
  ];
  return tags.filter((tag) => tag !== undefined).join(" ");
}

function fullReasons(reasons: RankingFactors): string {
  return Object.entries(reasonsJson(reasons, "full"))
    .map(([name, value]) => `${name.replace(/_(?:boost|score|affinity|match)$/, "")} ${value}`)
    .join(" ");
}
