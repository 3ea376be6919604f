import type { CodeAnswer, CodeMetadata, Hit, RankingFactors, SearchedFiles } from "../../model/hit.ts";

/** The results of a page: each with the further places of its file. */
type HitGroup = readonly Hit[];

/** Number of the first results that are shown with their code. */
const MAX_BODIES = 3;

/**
 * Merges the answers of several projects into one, best first. Scores of definitions are comparable as they are; those
 * of a search are shares of the best result of its project, so they are scaled by the score of that result.
 */
export function mergeAnswers(
  answers: readonly CodeAnswer[],
  page: { readonly offset: number; readonly limit: number },
): CodeAnswer {
  const [first] = answers;
  if (first === undefined) throw new Error("no answer to merge");
  const best = Math.max(...answers.map(({ strength = 1 }) => strength));
  const groups = answers.flatMap((answer) => groupsOf(scaled(answer, best)));
  const sorted = groups.toSorted((a, b) => scoreOf(b) - scoreOf(a));
  const shown = sorted.slice(page.offset, page.offset + page.limit);
  const total = sum(answers, ({ total: count }) => count);
  const nearest = [...new Set(answers.flatMap((answer) => answer.nearest ?? []))];
  const unread = sum(answers, ({ unread: count = 0 }) => count);
  const counts = answers.every(({ counts: one }) => one === first.counts) ? first.counts : "files";
  return {
    hits: shown.flatMap((group, at) => (at < MAX_BODIES ? group : group.map(withoutBody))),
    total,
    counts,
    ...(unread > 0 && { unread }),
    ...quotedIn(answers),
    offset: page.offset,
    metadata: mergeMetadata(
      answers.map(({ metadata }) => metadata),
      page.offset + shown.length < total,
    ),
    searched: mergeSearched(answers.map(({ searched }) => searched)),
    ...(nearest.length > 0 && shown.length === 0 && { nearest }),
    projectId: answers.map(({ projectId }) => projectId).join(","),
    ...(first.databaseName !== undefined && { databaseName: first.databaseName }),
    elapsedMs: sum(answers, ({ elapsedMs }) => elapsedMs),
  };
}

function quotedIn(answers: readonly CodeAnswer[]): Pick<CodeAnswer, "quoted"> {
  const [first, ...others] = answers.flatMap(({ quoted }) => quoted ?? []);
  if (first === undefined) return {};
  const lines = sum(others, (one) => one.lines) + first.lines;
  return { quoted: { texts: first.texts, lines, files: sum(others, (one) => one.files) + first.files } };
}

function groupsOf(hits: readonly Hit[]): HitGroup[] {
  const groups: Hit[][] = [];
  for (const hit of hits)
    if (hit.isFurther === true) groups.at(-1)?.push(hit);
    else groups.push([hit]);
  return groups;
}

function scoreOf([first]: HitGroup): number {
  return first?.score ?? 0;
}

function scaled({ hits, strength = 1 }: CodeAnswer, best: number): readonly Hit[] {
  const factor = best === 0 ? 1 : strength / best;
  return factor === 1
    ? hits
    : hits.map(({ reasons, ...hit }) => ({
        ...hit,
        score: hit.score * factor,
        ...(reasons !== undefined && { reasons: scaledFactors(reasons, factor) }),
      }));
}

/** Scales the parts of a score, which add up to it. The similarity is a cosine and stays. */
function scaledFactors(reasons: RankingFactors, factor: number): RankingFactors {
  const { semantic_similarity: similarity, ...parts } = reasons;
  const all: RankingFactors = {
    ...parts,
    exact_match_boost: parts.exact_match_boost * factor,
    qualified_name_boost: parts.qualified_name_boost * factor,
    path_affinity: parts.path_affinity * factor,
    definition_boost: parts.definition_boost * factor,
    kind_match: parts.kind_match * factor,
    bm25_score: parts.bm25_score * factor,
    final_score: parts.final_score * factor,
    ...(parts.partial_match !== undefined && { partial_match: parts.partial_match * factor }),
    ...(parts.history_boost !== undefined && { history_boost: parts.history_boost * factor }),
    ...(parts.role_adjustment !== undefined && { role_adjustment: parts.role_adjustment * factor }),
    ...(parts.semantic_contribution !== undefined && {
      semantic_contribution: parts.semantic_contribution * factor,
    }),
  };
  return similarity === undefined ? all : { ...all, semantic_similarity: similarity };
}

function withoutBody(hit: Hit): Hit {
  const { showsBody, ...rest } = hit;
  return showsBody === true ? rest : hit;
}

/** Returns the metadata of the least current and least complete answer. */
export function mergeMetadata(all: readonly CodeMetadata[], isCut: boolean): CodeMetadata {
  const stale = all.find(({ freshness_status: status }) => status !== "fresh") ?? all[0];
  if (stale === undefined) throw new Error("no answer to merge");
  const isPartial = all.some(({ result_completeness: completeness }) => completeness === "partial");
  const pending = all.reduce((count, { pending_files: files = 0 }) => count + files, 0);
  return {
    ...stale,
    result_completeness: isPartial ? "partial" : isCut ? "truncated" : "complete",
    ...(pending > 0 && { pending_files: pending }),
  };
}

/** Adds up which files of several projects were searched. */
export function mergeSearched(all: readonly SearchedFiles[]): SearchedFiles {
  return {
    filtered: all.some(({ filtered }) => filtered),
    files: sum(all, ({ files }) => files),
    pending: sum(all, ({ pending }) => pending),
    tooLarge: sum(all, ({ tooLarge }) => tooLarge),
    binary: sum(all, ({ binary }) => binary),
    minified: sum(all, ({ minified }) => minified),
    notParsed: sum(all, ({ notParsed }) => notParsed),
  };
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
