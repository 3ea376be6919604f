import type { SymbolKind } from "../../model/symbol.ts";
import type { FileHistory } from "./file-history.ts";
import type { ImportGraph } from "./import-counts.ts";
import { isInMainLanguage } from "./main-languages.ts";
import { filesForName } from "../query/name-occurrences.ts";
import type { ParsedQuery } from "../query/query.ts";
import { copiesIn } from "./duplicate-trees.ts";
import { pathRarityOf } from "./path-rarity.ts";
import { scoreChunks, scoresWithinKinds, type ChunkScores } from "./rank-chunks.ts";
import { scoreDefinitions, type DefinitionScore, type DefinitionScores } from "./rank-definitions.ts";
import {
  scorePaths,
  addPathWords,
  scoreSpelledPaths,
  scoreStackFrames,
  SPELLED_WEIGHT,
} from "./rank-paths.ts";
import { rolePrior } from "./role-prior.ts";
import { sumOfParts, type ScoreParts } from "./score-parts.ts";
import type { View, ViewFile } from "../live/view.ts";

/** A file in a search result, with the parts of its score. */
export interface RankedFile {
  readonly file: ViewFile;
  readonly score: number;
  readonly parts: ScoreParts;
  /** True if the path of the file occurs in the query. */
  readonly isSpelled: boolean;
  /** Returns the chunks of the file that match the query, best first. */
  readonly chunks: () => readonly ScoredChunk[];
  /** Number of the definition in this file that the query names. */
  readonly definition?: number;
}

export interface ScoredChunk {
  readonly chunk: number;
  readonly score: number;
}

export interface RankOptions {
  readonly accepts?: (file: ViewFile) => boolean;
  readonly kinds?: ReadonlySet<SymbolKind>;
  readonly imports?: ImportGraph;
  readonly history?: FileHistory;
}

/** Weight of all chunks of a file after the best one, and the factor by which each counts less than the one before. */
const FURTHER_CHUNKS = 0.8;
const DECAY = 0.7;
/**
 * Weight of all chunks of a file after the best one if the query is an issue text (a bug report). It mentions many
 * things once, so the best chunk says more than the sum.
 */
const FURTHER_CHUNKS_LONG = 0.3;

/**
 * Ranking factor for the first chunk of a file, which describes the file's purpose. It is not used if the query is a
 * bug report.
 */
const FIRST_CHUNK = 1.3;

interface ChunkWeights {
  readonly beginning: number;
  readonly further: number;
}
const CHUNK_WEIGHTS: ChunkWeights = { beginning: FIRST_CHUNK, further: FURTHER_CHUNKS };
const LONG_CHUNK_WEIGHTS: ChunkWeights = { beginning: 1, further: FURTHER_CHUNKS_LONG };

/** The ranked files, and the weight of each search term by its rarity. */
export interface Ranking {
  readonly files: readonly RankedFile[];
  readonly weights: readonly number[];
}

/**
 * Word score, as a share of the highest one, from which a file's path score counts fully; a matching path alone says
 * little.
 */
const MIN_WORD_SHARE_FOR_PATH = 0.3;
/**
 * Weight of commit messages, relative to the highest score of a file for words in its text. They are not used if the
 * query is a bug report, because they do not help there.
 */
const HISTORY_WEIGHT = 0.3;
/** Ranking factor for a file that is a copy of another one. */
const COPY_FACTOR = 0.7;
/**
 * Ranking factor, if the query is a bug report, for scripts and settings outside the project's main languages, which
 * such a report is seldom about.
 */
const MINOR_LANGUAGE_FACTOR = 0.5;
/** Number of the best files for which all definitions are compared with the query. */
const MAX_FINALISTS = 120;

/** Ranks all files that match a query, best first. */
export function rankFiles(view: View, query: ParsedQuery, options: RankOptions = {}): Ranking {
  const scored = scoresOf(view, query, options);
  const words = wordScores(view, scored, query.route === "long" ? LONG_CHUNK_WEIGHTS : CHUNK_WEIGHTS);
  const definitions = scoreDefinitions(view, query, { ...options, weights: scored.weights });
  const relevant = filesForName(view, query.symbol, options);
  const { weights } = scored;
  const candidates = firstScores(view, query, {
    ...options,
    words,
    definitions,
    weights,
    ...(relevant !== undefined && { relevant }),
  });
  const ranked = candidates.map((candidate, rank): RankedFile => {
    const { number, file, isSpelled } = candidate;
    const defined = definitions.of(number, rank < MAX_FINALISTS);
    const parts = partsOf(candidate, defined, words.unit);
    return {
      file,
      score: sumOfParts(parts),
      parts,
      isSpelled,
      chunks: () => chunksOf(view, file, scored),
      ...(defined.symbol !== undefined && { definition: defined.symbol }),
    };
  });
  sortRanked(ranked);
  raiseAnswers(ranked, definitions.answers);
  return { files: ranked, weights };
}

function scoresOf(view: View, { groups }: ParsedQuery, { kinds }: RankOptions): ChunkScores {
  const scored = scoreChunks(view, groups);
  return kinds === undefined ? scored : scoresWithinKinds(view, scored, kinds);
}

/**
 * Returns the parts of a file's score. The part for its role is the change that the role's factor makes to the sum of
 * the others.
 */
function partsOf(
  { inText, inPath, history, path, prior }: Candidate,
  { reasons }: DefinitionScore,
  unit: number,
): ScoreParts {
  const before = {
    exactMatch: unit * reasons.exactMatch,
    partialMatch: unit * reasons.partialMatch,
    qualifiedName: unit * reasons.qualifiedName,
    path: inPath + unit * (path + reasons.ownFile),
    definition: unit * reasons.definition,
    kindMatch: unit * reasons.kindMatch,
    words: inText,
    history: unit * history,
    role: 0,
  };
  return { ...before, role: sumOfParts(before) * (prior - 1) };
}

/** Moves files that define the requested name before all files that only use it, and keeps their order. */
function raiseAnswers(ranked: RankedFile[], answers: ReadonlyMap<ViewFile, number>): void {
  if (answers.size === 0) return;
  const top = ranked[0]?.score ?? 0;
  for (const [index, entry] of ranked.entries()) {
    const rank = answers.get(entry.file);
    if (rank !== undefined) ranked[index] = raiseScore(entry, top * (1 + 1 / (1 + rank)));
  }
  sortRanked(ranked);
}

/** Raises the score of a file to the given value and counts the difference as part of its definition score. */
export function raiseScore<T extends RankedFile>(entry: T, score: number): T {
  const { parts } = entry;
  return { ...entry, score, parts: { ...parts, definition: parts.definition + score - entry.score } };
}

interface Candidate {
  readonly number: number;
  readonly file: ViewFile;
  /** Score of the query words in the text of the file. */
  readonly inText: number;
  /** Score of the query words in the path of the file, counted like words of the text. */
  readonly inPath: number;
  /**
   * Score of the query words in the file's commit messages, relative to the highest score for words in a text; `path`
   * is the same for words in its path.
   */
  readonly history: number;
  readonly path: number;
  readonly isSpelled: boolean;
  readonly prior: number;
  readonly first: number;
}

/** Scores the files by everything that is known without reading their definitions. */
function firstScores(
  view: View,
  query: ParsedQuery,
  found: RankOptions & {
    words: WordScores;
    definitions: DefinitionScores;
    weights: readonly number[];
    /** Numbers of the files that may be results, if not all may. */
    relevant?: ReadonlySet<number>;
  },
): Candidate[] {
  const { words, definitions, relevant } = found;
  const pathOf = scorePaths(query, found.weights, pathRarityOf(view));
  const withPath = addPathWords(query, found.weights);
  const copies = copiesIn(view);
  const historyOf = historySignal(query, found.history);
  const framed = scoreStackFrames(view, query);
  const spelledIn = scoreSpelledPaths(query);
  const candidates: Candidate[] = [];
  for (const [number, file] of view.files.entries()) {
    if (relevant?.has(number) === false && !definitions.files.has(number)) continue;
    const inText = words.scores[number] ?? 0;
    const inFile = withPath(file.facts, inText);
    const spelled = framed.get(file) ?? spelledIn(file);
    if (inFile === 0 && spelled === 0 && !definitions.files.has(number)) continue;
    if (found.accepts?.(file) === false) continue;
    const path = pathOf(file.facts) * Math.min(1, inFile / (words.unit * MIN_WORD_SHARE_FOR_PATH)) + spelled;
    const generated = view.isGenerated(file);
    const importers = found.imports?.importers(file.path) ?? 0;
    const minor = query.route === "long" && file.facts.kind === "code" && !isInMainLanguage(view, file);
    const prior =
      rolePrior(file, { generated, importers, roles: query.roles }) *
      (copies.has(file) ? COPY_FACTOR : 1) *
      (minor ? MINOR_LANGUAGE_FACTOR : 1);
    const history = historyOf(file.path);
    const first = (inFile + words.unit * (history + path + definitions.named(number))) * prior;
    candidates.push({
      number,
      file,
      inText,
      inPath: inFile - inText,
      history,
      path,
      isSpelled: spelled >= SPELLED_WEIGHT,
      prior,
      first,
    });
  }
  return candidates.sort((a, b) => b.first - a.first);
}

function historySignal(query: ParsedQuery, history: FileHistory | undefined): (path: string) => number {
  if (history === undefined || query.route !== "text") return () => 0;
  const stems = query.groups.flatMap(({ stem, isShortForm }) =>
    stem === undefined || isShortForm === true ? [] : [stem],
  );
  const sayingOf = history.scoreFiles(stems);
  return (path) => HISTORY_WEIGHT * sayingOf(path);
}

interface WordScores {
  /** The score of each file for the query words in its text. */
  readonly scores: Float64Array;
  /** The highest score of any file, which is the unit of all other scores. */
  readonly unit: number;
}

function wordScores(view: View, { scores }: ChunkScores, shares: ChunkWeights): WordScores {
  const byFile = new Float64Array(view.files.length);
  let best = 0;
  for (const [index, { segment, fileOf }] of view.segments.entries()) {
    const all = scores[index] ?? new Float32Array();
    for (let document = 0; document < fileOf.length; document++) {
      if ((fileOf[document] ?? -1) < 0) continue;
      const score = aggregate(
        all.subarray(segment.chunkStart[document], segment.chunkStart[document + 1]),
        shares,
      );
      if (score === 0) continue;
      best = Math.max(best, score);
      view.eachFile(index, document, (file) => {
        byFile[file] = score;
      });
    }
  }
  return { scores: byFile, unit: best === 0 ? 1 : best };
}

/** Adds up the scores of a file's chunks: the best one counts fully, each further one less. */
function aggregate(chunks: Float32Array, { beginning, further }: ChunkWeights): number {
  const found: number[] = [];
  for (let chunk = 0; chunk < chunks.length; chunk++) {
    const score = chunks[chunk] ?? 0;
    if (score > 0) found.push(chunk === 0 ? score * beginning : score);
  }
  if (found.length < 2) return found[0] ?? 0;
  found.sort((a, b) => b - a);
  let sum = 0;
  let share = DECAY;
  for (let at = 1; at < found.length && share > 0.001; at++) {
    sum += (found[at] ?? 0) * share;
    share *= DECAY;
  }
  return (found[0] ?? 0) + further * sum;
}

function chunksOf(
  view: View,
  { segment: index, document }: ViewFile,
  { scores }: ChunkScores,
): readonly ScoredChunk[] {
  const segment = view.segments[index]?.segment;
  const start = segment?.chunkStart[document] ?? 0;
  const all =
    scores[index]?.subarray(start, segment?.chunkStart[document + 1] ?? start) ?? new Float32Array();
  const chunks: ScoredChunk[] = [];
  for (let chunk = 0; chunk < all.length; chunk++) {
    const score = all[chunk] ?? 0;
    if (score > 0) chunks.push({ chunk, score });
  }
  return chunks.sort((a, b) => b.score - a.score || a.chunk - b.chunk);
}

function sortRanked(ranked: RankedFile[]): RankedFile[] {
  return ranked.sort((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1));
}
