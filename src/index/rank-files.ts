import type { SymbolKind } from "../model/symbol.ts";
import type { ImportGraph } from "./imports.ts";
import type { ParsedQuery, QueryWishes } from "./query.ts";
import { scoreChunks, type ChunkScores } from "./rank-chunks.ts";
import { createDefinitionSignal } from "./rank-definitions.ts";
import { createPathSignal, spelledPath } from "./rank-paths.ts";
import type { View, ViewFile } from "./view.ts";

/** A file in the order of a search, with what brought it there. */
export interface RankedFile {
  readonly file: ViewFile;
  readonly score: number;
  readonly reasons: RankingReasons;
  /** Its chunks with a score, best first. */
  readonly chunks: readonly { readonly chunk: number; readonly score: number }[];
  /** Of a name that the query spells: the definition in this file. */
  readonly definition?: number;
}

/** The seed's factors. All but `bm25` are shares of the best word score. */
export interface RankingReasons {
  readonly exactMatch: number;
  readonly qualifiedName: number;
  readonly path: number;
  readonly definition: number;
  readonly kindMatch: number;
  readonly bm25: number;
  /** What the file's role, imports and generated code multiply the sum with. */
  readonly prior: number;
}

export interface RankOptions {
  readonly accepts?: (file: ViewFile) => boolean;
  readonly kinds?: ReadonlySet<SymbolKind>;
  readonly imports?: ImportGraph;
}

/** Weight of the further chunks of a file, each counting less than the one before. */
const FURTHER = 0.8;
const DECAY = 0.7;
/** An issue text names many things once: its best place says more than the sum of places. */
const FURTHER_LONG = 0.3;

/** Files in order, and how rare each of the query's groups is. */
export interface Ranking {
  readonly files: readonly RankedFile[];
  readonly weights: readonly number[];
}

/** Below this share of the best score a file is no result. */
const LEAST_SHARE = 0.08;

/** Orders the files of a view for a query, best first. */
export function rankFiles(view: View, query: ParsedQuery, options: RankOptions = {}): Ranking {
  const scored = scoreChunks(view, query.groups);
  const words = wordScores(view, scored, query);
  const top = words.reduce((best, { score }) => Math.max(best, score), 0);
  const pathOf = createPathSignal(query, scored.weights);
  const definitions = createDefinitionSignal(view, query, scored.weights, options.kinds);
  const byFile = new Map(words.map((entry) => [entry.file, entry]));
  for (const file of definitions.files)
    if (!byFile.has(file)) byFile.set(file, { file, score: 0, chunks: [] });
  if (query.paths.length > 0) addSpelled(view, query, byFile);
  const unit = top === 0 ? 1 : top;
  const ranked: RankedFile[] = [];
  for (const [number, { score, chunks }] of byFile) {
    const file = view.files[number];
    if (file === undefined || options.accepts?.(file) === false) continue;
    const path = pathOf(file.facts) + spelledPath(query, file.path);
    const defined = definitions.of(number);
    const importers = options.imports?.importers(file.path) ?? 0;
    const prior = rolePrior(file, {
      generated: view.documentOf(file).generated,
      importers,
      asks: query.asks,
    });
    const reasons = { ...defined.reasons, path, bm25: score, prior };
    const sum = score + unit * (path + defined.total);
    ranked.push({
      file,
      score: sum * prior,
      reasons,
      chunks,
      ...(defined.symbol !== undefined && { definition: defined.symbol }),
    });
  }
  sortRanked(ranked);
  const raised =
    options.imports === undefined || query.route === "long" ? ranked : propagate(ranked, options.imports);
  const least = LEAST_SHARE * (raised[0]?.score ?? 0);
  return { files: raised.filter((entry) => entry.score > least), weights: scored.weights };
}

/** A file whose path is spelled out counts even where no word matches. */
function addSpelled(view: View, query: ParsedQuery, byFile: Map<number, WordScore>): void {
  for (const [number, { path }] of view.files.entries())
    if (!byFile.has(number) && spelledPath(query, path) > 0)
      byFile.set(number, { file: number, score: 0, chunks: [] });
}

interface WordScore {
  readonly file: number;
  readonly score: number;
  readonly chunks: readonly { chunk: number; score: number }[];
}

function wordScores(view: View, { scores }: ChunkScores, query: ParsedQuery): WordScore[] {
  const further = query.route === "long" ? FURTHER_LONG : FURTHER;
  const found: WordScore[] = [];
  for (const [index, { segment, fileOf }] of view.segments.entries()) {
    const all = scores[index];
    if (all === undefined) continue;
    for (let document = 0; document < fileOf.length; document++) {
      if ((fileOf[document] ?? -1) < 0) continue;
      const start = segment.chunkStart[document] ?? 0;
      const end = segment.chunkStart[document + 1] ?? start;
      const chunks: { chunk: number; score: number }[] = [];
      for (let chunk = start; chunk < end; chunk++) {
        const score = all[chunk] ?? 0;
        if (score > 0) chunks.push({ chunk: chunk - start, score });
      }
      if (chunks.length === 0) continue;
      chunks.sort((a, b) => b.score - a.score || a.chunk - b.chunk);
      const score = aggregate(chunks, further);
      view.eachFile(index, document, (file) => found.push({ file, score, chunks }));
    }
  }
  return found;
}

function aggregate(chunks: readonly { score: number }[], further: number): number {
  let sum = 0;
  let share = DECAY;
  for (const { score } of chunks.slice(1)) {
    if (share < 0.001) break;
    sum += score * share;
    share *= DECAY;
  }
  return (chunks[0]?.score ?? 0) + further * sum;
}

/** What a file that is imported by many, a test, an example or a vendored file is multiplied with. */
export function rolePrior(
  { facts }: ViewFile,
  found: { readonly generated: boolean; readonly importers: number; readonly asks?: QueryWishes },
): number {
  const { role, kind } = facts;
  const { asks } = found;
  let prior = 1 + (0.3 * Math.log(1 + found.importers)) / Math.log(51);
  if (role.test && asks?.test !== true) prior *= 0.35;
  if (role.example && asks?.example !== true) prior *= 0.4;
  else if (kind === "prose" && asks?.prose !== true && asks?.example !== true) prior *= 0.4;
  else if (kind === "data") prior *= 0.3;
  if (role.vendored || found.generated) prior *= 0.4;
  if (role.legacy && asks?.legacy !== true) prior *= 0.6;
  if (role.declarations) prior *= 0.7;
  return prior;
}

/** Files that the best ones import are a little more likely. */
function propagate(ranked: RankedFile[], imports: ImportGraph): RankedFile[] {
  const gains = new Map<string, number>();
  for (const { file, score } of ranked.slice(0, 10)) {
    const targets = imports.importsOf(file.path);
    for (const target of targets)
      gains.set(target, (gains.get(target) ?? 0) + (0.1 * score) / Math.sqrt(targets.length));
  }
  if (gains.size === 0) return ranked;
  const raised = ranked.map((entry) => {
    const gain = gains.get(entry.file.path);
    return gain === undefined || entry.score === 0 ? entry : { ...entry, score: entry.score + gain };
  });
  return sortRanked(raised);
}

function sortRanked(ranked: RankedFile[]): RankedFile[] {
  return ranked.sort((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1));
}
