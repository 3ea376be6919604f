import type { ExplainLevel, Hit } from "../model/hit.ts";
import { reasonsJson } from "./hits-fields.ts";

/** Why a result stands where it stands, in a few words; nothing where nobody asks. */
export function explanation({ reasons, score }: Hit, level: ExplainLevel): string | undefined {
  if (level === "off" || reasons === undefined) return undefined;
  if (level === "full")
    return Object.values(reasonsJson(reasons, "full")).length === 0 ? undefined : fullReasons(reasons);
  const tags = [
    reasons.exact_match_boost > 0 ? "exact" : undefined,
    reasons.qualified_name_boost > 0 ? "qualified" : undefined,
    reasons.definition_boost > 0 ? "def" : undefined,
    reasons.path_affinity > 0 ? "path" : undefined,
    reasons.bm25_score > 0 ? "words" : undefined,
    reasons.semantic_similarity === undefined
      ? undefined
      : `meaning ${reasons.semantic_similarity.toFixed(2)}`,
    score.toFixed(2),
  ];
  return tags.filter((tag) => tag !== undefined).join(" ");
}

function fullReasons(reasons: NonNullable<Hit["reasons"]>): string {
  return Object.entries(reasonsJson(reasons, "full"))
    .map(([name, value]) => `${name.replace(/_(?:boost|score|affinity|match)$/, "")} ${value}`)
    .join(" ");
}
