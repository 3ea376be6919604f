import type { RankingFactors } from "../../model/hit.ts";

/** What a score is made of, in the unit of the word score: the parts sum to it. */
export interface ScoreParts {
  readonly exactMatch: number;
  /** A definition bears the name in another spelling, or only begins with it or has its parts. */
  readonly partialMatch: number;
  readonly qualifiedName: number;
  readonly path: number;
  /** Includes what lifts the definition of an asked name above every mention of it. */
  readonly definition: number;
  readonly kindMatch: number;
  readonly words: number;
  /** What the subjects of its commits say of a file. */
  readonly history: number;
  /** What a file's role adds or takes: tests, generated files and copies count less, files that many import count more. */
  readonly role: number;
}

export const NO_PARTS: ScoreParts = {
  exactMatch: 0,
  partialMatch: 0,
  qualifiedName: 0,
  path: 0,
  definition: 0,
  kindMatch: 0,
  words: 0,
  history: 0,
  role: 0,
};

export function sumOfParts(parts: ScoreParts): number {
  return (
    parts.exactMatch +
    parts.partialMatch +
    parts.qualifiedName +
    parts.path +
    parts.definition +
    parts.kindMatch +
    parts.words +
    parts.history +
    parts.role
  );
}

/** The parts of a score that is multiplied. */
export function scaleParts(parts: ScoreParts, factor: number): ScoreParts {
  return {
    exactMatch: parts.exactMatch * factor,
    partialMatch: parts.partialMatch * factor,
    qualifiedName: parts.qualifiedName * factor,
    path: parts.path * factor,
    definition: parts.definition * factor,
    kindMatch: parts.kindMatch * factor,
    words: parts.words * factor,
    history: parts.history * factor,
    role: parts.role * factor,
  };
}

/** The parts as shares of the best result's score, which is 1. */
export function factorsOfParts(parts: ScoreParts, best: number): RankingFactors {
  const shares = scaleParts(parts, best === 0 ? 0 : 1 / best);
  return {
    exact_match_boost: shares.exactMatch,
    qualified_name_boost: shares.qualifiedName,
    path_affinity: shares.path,
    definition_boost: shares.definition,
    kind_match: shares.kindMatch,
    bm25_score: shares.words,
    ...(shares.partialMatch !== 0 && { partial_match: shares.partialMatch }),
    ...(shares.history !== 0 && { history_boost: shares.history }),
    ...(shares.role !== 0 && { role_adjustment: shares.role }),
    final_score: sumOfParts(shares),
  };
}
