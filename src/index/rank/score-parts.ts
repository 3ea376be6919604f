import type { RankingFactors } from "../../model/hit.ts";

/** The parts that add up to the score of a file, in the unit of the score for words in the text (BM25). */
export interface ScoreParts {
  readonly exactMatch: number;
  /** Part of the score for a definition whose name is spelled differently or matches only by prefix or parts. */
  readonly partialMatch: number;
  readonly qualifiedName: number;
  readonly path: number;
  /**
   * Part of the score for definitions. It includes the amount that raises a file that defines the requested name above
   * all files that use it.
   */
  readonly definition: number;
  readonly kindMatch: number;
  readonly words: number;
  /** Part of the score for query words in the file's commit messages. */
  readonly history: number;
  /**
   * Part of the score for the file's role: negative for tests, generated files and copies, positive for files that many
   * others import.
   */
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

/** Returns the parts of a score as shares of the best result's score. */
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
