import { PithError } from "../../kernel/errors.ts";
import type { FreshnessPolicy } from "../../model/hit.ts";
import { refOf, type IndexCore, type IndexSettings } from "../core.ts";
import type { HitSource } from "../query/hits.ts";
import { isUpToDate, type Freshness, type TreeIndex } from "./tree-index.ts";
import type { ProjectIndex } from "./project-index.ts";
import { filesWithWords, scanPatterns } from "../query/word-scan.ts";

export interface OpenRequest {
  readonly root: string;
  readonly ref?: string;
  readonly policy: FreshnessPolicy;
  /** Tells how far a first index is while it is waited for. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
  /** What is asked for: files that have its words are read first where there is no time for all. */
  readonly question?: string;
  /** Files that are read before all others. */
  readonly paths?: readonly string[];
  /** When the answer is due, in milliseconds since 1970; left out, the index as a whole is not waited for. */
  readonly answerBy?: number;
  /** Something has changed that no notice told of. */
  readonly forceRescan?: boolean;
  /** Nothing was found in what there is: waits as long as it can for the rest. */
  readonly waitFully?: boolean;
}

export interface Opened {
  readonly source: HitSource;
  readonly freshness: Freshness;
  /** The words that the files which are not in the index yet were scanned for. */
  readonly scannedFor?: readonly string[];
}

/** A first question waits this long for the whole index if that is within reach; a third of the time that clients give. */
const FIRST_WAIT_MS = 20_000;
/** No answer has to come sooner than this, whatever the configuration says. */
const MIN_CALL_MS = 2_000;
/** What is kept of a call's time for putting the answer together. */
const REPLY_RESERVE = 0.15;
/** Who asks for single files does not wait for the others, */
const SHORT_BUDGET_MS = 200;
/** and gets them within this time. */
const FEW_FILES_MS = 5_000;
/** Changed files named in an error. */
const MAX_NAMED_FILES = 20;

/** How long a call may take until its answer is put together. */
export function searchTimeMs({ answerMs }: Pick<IndexSettings, "answerMs">): number {
  return Math.max(MIN_CALL_MS, answerMs) * (1 - REPLY_RESERVE);
}

/**
 * The index of a request, brought up to date as far as its policy and the time allow. Where the first index is not
 * through by then, the files that have words of the question are found by a scan and read before the others.
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

/** Finds the files that have words of the question, and reads them first. */
async function prioritizeMatchingFiles(
  { project, index, ref }: { project: ProjectIndex; index: TreeIndex; ref: string },
  found: Freshness,
  request: OpenRequest,
): Promise<{ readonly freshness: Freshness; readonly words: readonly string[] } | undefined> {
  const { question, answerBy, waitFully = false, signal } = request;
  const { complete, head } = found;
  if (question === undefined || answerBy === undefined || isUpToDate(found) || (complete && !waitFully))
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

/** A scan may take this long even if the answer is due before: without it there may be nothing to answer. */
const MIN_SCAN_MS = 10_000;

function staleError({ pending, complete, head, indexedHead }: Freshness): PithError {
  if (!complete)
    return new PithError(
      "index_in_progress",
      `The first indexing is under way: ${pending.size} files to go`,
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
