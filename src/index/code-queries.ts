import type { CodeAnswer, CodeMetadata, DetailLevel, FreshnessPolicy, SearchedFiles } from "../model/hit.ts";
import type { SearchMode } from "../model/semantic.ts";
import { fileFilter, type FileTest } from "./query/filter.ts";
import { describePlaces } from "./query/hits.ts";
import type { HitSource } from "./query/hit-source.ts";
import { kindsNamed } from "./query/kinds.ts";
import { isUpToDate, type Freshness } from "./live/tree-index.ts";
import { searchTimeMs, openFresh, type OpenRequest } from "./live/open-fresh.ts";
import { corpusOf } from "./semantic-corpus.ts";
import { findResult, isResultId } from "./query/result-id.ts";
import { locatePlaces, searchPlaces, type SearchResult, type SearchOptions } from "./query/search.ts";
import { relativePath, type IndexCore } from "./core.ts";
import { withUseCounts } from "./uses/use-counts.ts";

/** Fields common to the requests of the tools search and locate. */
export interface CodeRequest {
  readonly root: string;
  readonly ref?: string;
  readonly path?: string;
  readonly language?: string;
  readonly kind?: string;
  readonly limit: number;
  readonly offset: number;
  /** Returns the list up to its limit, even where the results are far less relevant, so that it can be merged. */
  readonly isWholeList?: boolean;
  readonly level: DetailLevel;
  readonly policy: FreshnessPolicy;
  /** Called with the number of indexed files while the request waits for the first indexing. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export interface SearchRequest extends CodeRequest {
  readonly query: string;
  readonly mode?: SearchMode;
}

export interface ResultRequest extends Pick<CodeRequest, "root" | "ref" | "signal"> {
  readonly id: string;
}

/** The lines that the id of a search result refers to. */
export interface ResultPlace {
  readonly path: string;
  readonly lineStart: number;
  readonly lineEnd: number;
}

export interface LocateRequest extends CodeRequest {
  readonly name: string;
}

/**
 * Creates the queries for code: search by words, lookup of a definition by name, and lookup of an earlier result by its
 * id.
 */
export function createCodeQueries(core: IndexCore) {
  return {
    search: (request: SearchRequest): Promise<CodeAnswer> =>
      answer(core, { ...request, question: request.query }, async (source, options) => {
        if (isResultId(request.query))
          return { places: [findResult(source.view, request.query)], total: 1, counts: "files" };
        return searchPlaces(request.query, source, {
          ...options,
          ...semanticOptions(core, request, source, options),
        });
      }),
    /** Returns the lines of an earlier search result, given its id. */
    async result({ id, ...request }: ResultRequest): Promise<ResultPlace> {
      const answerBy = Date.now() + searchTimeMs(core.settings);
      const { source } = await openFresh(core, { ...request, answerBy, policy: "balanced" });
      const { file, place } = findResult(source.view, id);
      return { path: file.path, lineStart: place.lineStart, lineEnd: place.lineEnd };
    },
    locate: (request: LocateRequest): Promise<CodeAnswer> =>
      answer(core, { ...request, question: request.name }, async (source, options) =>
        locatePlaces(request.name, source, options),
      ),
  };
}

/** A request together with the text that is searched for. */
type CodeQuestion = CodeRequest & { readonly question: string };

type Find = (source: HitSource, options: SearchOptions) => Promise<SearchResult>;

/** Upper bound on the chunks (parts of files) that semantic search returns; beyond these, similarity is chance. */
const MAX_NEAR_CHUNKS = 60;

/**
 * Returns the options for semantic search, or only the requested search mode if no embedding provider is configured.
 */
function semanticOptions(
  { settings: { semantic } }: IndexCore,
  { mode, signal }: SearchRequest,
  source: HitSource,
  { accepts }: SearchOptions,
): Pick<SearchOptions, "mode" | "searchSemantic"> {
  const chosen = mode === undefined ? {} : { mode };
  if (semantic === undefined) return chosen;
  const corpus = corpusOf(source);
  const byPath = (path: string): boolean => {
    const file = source.view.fileAt(path);
    return file !== undefined && accepts?.(file) !== false;
  };
  semantic.enqueue(corpus);
  const options = {
    limit: MAX_NEAR_CHUNKS,
    ...(accepts !== undefined && { accepts: byPath }),
    ...(signal !== undefined && { signal }),
  };
  return { ...chosen, searchSemantic: (question) => semantic.search(question, corpus, options) };
}

/**
 * Answers a query, and repeats it once if a file changed meanwhile; results that are still out of date are marked. An
 * empty result is also repeated if the index is incomplete, with the longest possible wait for the missing files.
 */
async function answer(core: IndexCore, asked: CodeQuestion, find: Find): Promise<CodeAnswer> {
  const started = performance.now();
  const request = { ...asked, answerBy: Date.now() + searchTimeMs(core.settings) };
  const first = await answerOnce(core, request, find);
  const hasChangedMeanwhile = first.isCurrent && first.answer.hits.some((hit) => hit.stale === true);
  const isIncomplete = !first.isCurrent && first.answer.total === 0;
  const { answer: found, isCurrent } = hasChangedMeanwhile
    ? await answerOnce(core, { ...request, forceRescan: true }, find)
    : isIncomplete
      ? await answerOnce(core, { ...request, waitFully: true }, find)
      : first;
  const elapsedMs = Math.round(performance.now() - started);
  if (!isCurrent || !found.hits.some((hit) => hit.stale === true)) return { ...found, elapsedMs };
  const metadata = { ...found.metadata, freshness_status: "stale", result_completeness: "partial" } as const;
  return { ...found, metadata, elapsedMs };
}

async function answerOnce(
  core: IndexCore,
  request: CodeQuestion & OpenRequest,
  find: Find,
): Promise<{ readonly answer: CodeAnswer; readonly isCurrent: boolean }> {
  const { source, freshness, scannedFor } = await openFresh(core, request);
  const { root } = source.project;
  const accepts = fileFilter({
    ...(request.path !== undefined && { path: relativePath(root, request.path) }),
    ...(request.language !== undefined && { language: request.language }),
    hasExtension: (extension) => source.view.files.some(({ path }) => path.toLowerCase().endsWith(extension)),
  });
  const kinds = kindsNamed(request.kind);
  const file = request.path === undefined ? undefined : source.view.fileAt(relativePath(root, request.path));
  const { places, total, counts, endsAtDrop, unread, quoted, how, nearest, strength } = await find(source, {
    ...(file !== undefined && { file: file.path }),
    offset: request.offset,
    limit: request.limit,
    ...(request.isWholeList === true && { isWholeList: true }),
    ...(kinds !== undefined && { kinds }),
    ...(accepts !== undefined && { accepts }),
  });
  const described = await describePlaces(places, source, request.level);
  const hits = counts === "definitions" ? await withUseCounts(described, places, source) : described;
  const results = hits.filter(({ isFurther }) => isFurther === undefined).length;
  const isCut = request.offset + results < total;
  const answered = {
    hits,
    total,
    counts,
    ...(strength !== undefined && { strength }),
    ...(unread !== undefined && { unread }),
    ...(quoted !== undefined && { quoted }),
    offset: request.offset,
    ...(endsAtDrop !== undefined && { endsAtDrop }),
    metadata: {
      ...metadataOf(freshness, source.ref, isCut),
      ...(unread !== undefined && { result_completeness: "partial" as const }),
      ...(scannedFor !== undefined && { scanned_for: scannedFor }),
      ...how,
    },
    searched: searchedFiles(source, freshness, accepts),
    ...(nearest !== undefined && { nearest }),
    projectId: source.project.projectId,
    databaseName: source.store.name,
    elapsedMs: 0,
  };
  return { answer: answered, isCurrent: isUpToDate(freshness) };
}

export function metadataOf(freshness: Freshness, ref: string, truncated: boolean): CodeMetadata {
  const { pending, isComplete, isWorking } = freshness;
  const whole = isUpToDate(freshness);
  return {
    freshness_status: whole ? "fresh" : !isComplete && isWorking ? "syncing" : "stale",
    indexing_status: isComplete ? "ready" : isWorking ? "indexing" : "not_indexed",
    result_completeness: whole ? (truncated ? "truncated" : "complete") : "partial",
    ref,
    ...(pending.size > 0 && { pending_files: pending.size }),
  };
}

/** Counts the files that pass the request's filter, by state: searched, waiting to be indexed, and skipped. */
export function searchedFiles(
  { index, view }: HitSource,
  { pending }: Freshness,
  filter: FileTest | undefined,
): SearchedFiles {
  const accepts = filter ?? (() => true);
  const counts = { tooLarge: 0, binary: 0, minified: 0 };
  for (const { path, skipped } of index.entries.values()) {
    if (skipped === undefined || !accepts({ path })) continue;
    if (skipped === "too_large") counts.tooLarge++;
    else if (skipped === "minified") counts.minified++;
    else counts.binary++;
  }
  const files = view.files.filter(accepts);
  const notParsed = files.filter((file) => !view.isParsed(file)).length;
  let waiting = 0;
  for (const path of pending) if (accepts({ path })) waiting++;
  return { filtered: filter !== undefined, files: files.length, pending: waiting, ...counts, notParsed };
}
