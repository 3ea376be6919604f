import { PithError } from "../../kernel/errors.ts";
import type { FreshnessPolicy } from "../../model/hit.ts";
import { refOf, type IndexCore, type IndexSettings } from "../core.ts";
import type { HitSource } from "../query/hit-source.ts";
import { isUpToDate, type Freshness, type TreeIndex } from "./tree-index.ts";
import type { ProjectIndex } from "./project-index.ts";
import { filesWithWords, scanPatterns } from "../query/word-scan.ts";

export interface OpenRequest {
  readonly root: string;
  readonly ref?: string;
  readonly policy: FreshnessPolicy;
  /** Called with the number of indexed files while the request waits for the first indexing. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
  /** Text of the question. If there is no time to index all files, those that contain its words are indexed first. */
  readonly question?: string;
  /** Paths of the files that are indexed before all others. */
  readonly paths?: readonly string[];
  /**
   * Time when the answer is due, in milliseconds since 1970. If it is missing, the request does not wait for the whole
   * index.
   */
  readonly answerBy?: number;
  /** Checks the files themselves, because one changed without a notification from the file watcher. */
  readonly forceRescan?: boolean;
  /** Waits as long as possible for the rest of the index, because nothing was found in the files indexed so far. */
  readonly waitFully?: boolean;
}

export interface Opened {
  readonly source: HitSource;
  readonly freshness: Freshness;
  /** The words that were searched for in files that are not yet indexed. */
  readonly scannedFor?: readonly string[];
}

/** Longest wait of the first query for the whole index. Clients usually allow three times as much. */
const FIRST_WAIT_MS = 20_000;
/** Time that a call has at least, even if the configuration sets less. */
const MIN_CALL_MS = 2_000;
/** Share of a call's time that is reserved for composing the answer. */
const REPLY_RESERVE = 0.15;
/** Time budget of a request for certain files, which does not wait for the rest of the index. */
const SHORT_BUDGET_MS = 200;
/** Longest wait of a request for certain files until these are indexed. */
const FEW_FILES_MS = 5_000;
/** Upper bound on the changed files that an error message lists. */
const MAX_NAMED_FILES = 20;

/** Returns the time a call may spend before it composes its answer. */
export function searchTimeMs({ answerMs }: Pick<IndexSettings, "answerMs">): number {
  return Math.max(MIN_CALL_MS, answerMs) * (1 - REPLY_RESERVE);
}

/**
 * Opens the index for a request and updates it as far as the freshness policy and the time allow. If the first indexing
 * is not complete by then, files that contain words of the question are found by a text search and indexed first.
 */
export async function openFresh(core: IndexCore, request: OpenRequest): Promise<Opened> {
  const project = await core.project(request.root);
  const ref = refOf(request.ref);
  const index = await project.index(ref);
  const opened = { project, index, ref };
  const freshen = () => index.refresh(freshenOptions(core.settings, request));
  let freshness = await freshen();
  const scan = await prioritizeMatchingFiles(opened, freshness, request);
  freshness = scan?.freshness ?? freshness;
  if (request.paths !== undefined && !isUpToDate(freshness))
    freshness = await index.prioritize(request.paths, prioritizeOptions(request, Date.now() + FEW_FILES_MS));
  let view = await project.view(index);
  if (view.missing.length > 0) {
    index.forget(view.missing);
    freshness = await freshen();
    view = await project.view(index);
  }
  if (request.policy === "strict" && freshness.pending.size > 0) throw staleError(freshness);
  return {
    source: { ...opened, store: await core.store(), view },
    freshness,
    ...(scan !== undefined && { scannedFor: scan.words }),
  };
}

function freshenOptions(
  { timeBudgetMs }: IndexSettings,
  { policy, answerBy, waitFully = false, forceRescan, onProgress, signal }: OpenRequest,
): Parameters<TreeIndex["refresh"]>[0] {
  const left = answerBy === undefined ? 0 : answerBy - Date.now();
  return {
    budgetMs: answerBy === undefined ? Math.min(timeBudgetMs, SHORT_BUDGET_MS) : timeBudgetMs,
    first: {
      ms: waitFully ? left : Math.min(FIRST_WAIT_MS, left / 2),
      minMs: timeBudgetMs,
      waitFully,
      ...(onProgress !== undefined && { onProgress }),
    },
    background: policy === "balanced",
    fullScan: policy === "strict",
    ...(forceRescan !== undefined && { forceRescan }),
    ...(signal !== undefined && { signal }),
  };
}

/** If the index is incomplete, finds files that contain words of the question and indexes them first. */
async function prioritizeMatchingFiles(
  { project, index, ref }: { project: ProjectIndex; index: TreeIndex; ref: string },
  found: Freshness,
  request: OpenRequest,
): Promise<{ readonly freshness: Freshness; readonly words: readonly string[] } | undefined> {
  const { question, answerBy, waitFully = false, signal } = request;
  const { isComplete, head } = found;
  if (question === undefined || answerBy === undefined || isUpToDate(found) || (isComplete && !waitFully))
    return undefined;
  const patterns = scanPatterns(question);
  const by = Math.max(answerBy, Date.now() + MIN_SCAN_MS);
  const commit = ref === "live" ? undefined : head;
  const { paths, words } = await filesWithWords(project, patterns, {
    until: by,
    ...(commit !== undefined && { commit }),
    ...(signal !== undefined && { signal }),
  });
  const freshness = await index.prioritize(paths, prioritizeOptions(request, by));
  return { freshness, words };
}

function prioritizeOptions(
  { policy, signal }: OpenRequest,
  by: number,
): Parameters<TreeIndex["prioritize"]>[1] {
  return {
    budgetMs: by - Date.now(),
    background: policy === "balanced",
    ...(signal !== undefined && { signal }),
  };
}

/**
 * Time that the text search of unindexed files has at least, even if the answer is due earlier, because it may be the
 * only source of results.
 */
const MIN_SCAN_MS = 10_000;

function staleError({ pending, isComplete, head, indexedHead }: Freshness): PithError {
  if (!isComplete)
    return new PithError(
      "index_in_progress",
      `The first indexing is in progress: ${pending.size} files to go`,
      {
        pending_files: pending.size,
      },
    );
  return new PithError("index_stale", `The index is stale: ${pending.size} changed files are not in it yet`, {
    ...(indexedHead !== undefined && { last_indexed_commit: indexedHead }),
    ...(head !== undefined && { current_head: head }),
    changed_files: [...pending].slice(0, MAX_NAMED_FILES),
  });
}
