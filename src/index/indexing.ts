import { PithError } from "../kernel/errors.ts";
import { waitAtMost } from "../kernel/with-timeout.ts";
import type { IndexReport } from "../model/index-report.ts";
import type { SemanticStatus } from "../model/semantic.ts";
import type { Freshness, TreeIndex } from "./live/tree-index.ts";
import type { ProjectIndex } from "./live/project-index.ts";
import { refOf, type IndexCore } from "./core.ts";
import { corpusOf } from "./semantic-corpus.ts";
import { applyRetention } from "./live/retention.ts";

export interface IndexRequest {
  readonly root: string;
  readonly ref?: string;
  readonly force?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
  /** Reports the progress of embedding. If this callback is given, indexing ends only when all code is embedded. */
  readonly onEmbedding?: (done: number, total: number) => void;
  /** Time limit of the reply; work that takes longer continues in the background, and the reply says so. */
  readonly answerMs?: number;
  readonly signal?: AbortSignal;
}

/** Creates the function that brings an index fully up to date, building it first if necessary. */
export function createIndexing(core: IndexCore): (request: IndexRequest) => Promise<IndexReport> {
  const bringIn = indexFully(core);
  return async (request) => {
    try {
      return await answerInTime(core, request, bringIn);
    } catch (error) {
      // With `force`, a damaged store is replaced by a new one. This is done here because damage may show only during
      // indexing.
      if (request.force !== true || !isDamagedStore(error)) throw error;
      await core.recreateStore();
      return bringIn(request);
    }
  };
}

/** Waits for indexing as long as the caller can wait for a reply; after that, indexing continues in the background. */
async function answerInTime(
  core: IndexCore,
  request: IndexRequest,
  bringIn: (request: IndexRequest) => Promise<IndexReport>,
): Promise<IndexReport> {
  const { answerMs, signal } = request;
  if (answerMs === undefined) return bringIn(request);
  const started = performance.now();
  const ending = new AbortController();
  const end = () => ending.abort(signal?.reason);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted === true) end();
  let far: { done: number; total: number } | undefined;
  let answered = false;
  const work = bringIn({
    ...request,
    signal: ending.signal,
    onProgress(done, total) {
      far = { done, total };
      if (!answered) request.onProgress?.(done, total);
    },
  });
  const report = await waitAtMost(answerMs, work).finally(() => signal?.removeEventListener("abort", end));
  answered = true;
  if (report !== undefined) return report;
  work.catch((error: unknown) => {
    core.settings.logger.event("index.failed", { root: request.root, message: String(error) }, "warn");
  });
  return unfinished(core, request, { ...far, seconds: (performance.now() - started) / 1_000 });
}

async function unfinished(
  core: IndexCore,
  request: IndexRequest,
  far: { readonly done?: number; readonly total?: number; readonly seconds: number },
): Promise<IndexReport> {
  const project = await core.project(request.root);
  const { done = 0, total } = far;
  const left = total === undefined ? "The files are still being listed" : `${total - done} files to go`;
  return {
    repository_id: project.projectId,
    project_id: project.projectId,
    database_name: (await core.store()).name,
    ref: refOf(request.ref),
    files_indexed: done,
    chunks_created: 0,
    duration_seconds: far.seconds,
    status: "running",
    status_message: `${left}; work continues, and searches use what is indexed so far; call again to follow it`,
    errors: [],
  };
}

function indexFully(core: IndexCore): (request: IndexRequest) => Promise<IndexReport> {
  return async (request) => {
    const started = performance.now();
    const project = await core.project(request.root);
    const ref = refOf(request.ref);
    const index = await project.index(ref);
    const before = index.generation();
    const chunksBefore = index.chunksCreated();
    let touched = 0;
    const freshness = await index.finish({
      ...(request.force !== undefined && { force: request.force }),
      onProgress: (done, total) => {
        touched = total;
        request.onProgress?.(done, total);
      },
      ...(request.signal !== undefined && { signal: request.signal }),
    });
    await applyRetention(core);
    await project.history.finish();
    const changed = index.generation() !== before;
    // The searchable view of the files is built now, so that the next query does not have to wait for it.
    if (changed && index.entries.size > MIN_FILES_TO_BUILD_VIEW) await project.view(index);
    const semantic = await embed(core, { project, index, ref }, request);
    const done = await report(project, index, {
      ref,
      freshness,
      touched,
      changed,
      seconds: (performance.now() - started) / 1_000,
      chunks: index.chunksCreated() - chunksBefore,
      core,
    });
    return semantic === undefined ? done : { ...done, semantic };
  };
}

/** Number of files from which building the searchable view takes a second or more. */
const MIN_FILES_TO_BUILD_VIEW = 10_000;

/** Returns whether a store is damaged. One that a newer version of Pith wrote is not, and it must not be replaced. */
function isDamagedStore(error: unknown): boolean {
  const isIncompatible = error instanceof PithError && error.code === "index_incompatible";
  return isIncompatible && error.data["schema_version"] === undefined;
}

/** Starts embedding new code, and waits until it is done if the caller follows its progress. */
async function embed(
  core: IndexCore,
  { project, index, ref }: { project: ProjectIndex; index: TreeIndex; ref: string },
  { onEmbedding, signal }: IndexRequest,
): Promise<SemanticStatus | undefined> {
  const { semantic } = core.settings;
  if (semantic === undefined) return undefined;
  const view = await project.view(index);
  const corpus = corpusOf({ project, store: await core.store(), view, ref });
  semantic.enqueue(corpus);
  if (onEmbedding === undefined) return semantic.status(corpus);
  return semantic.finish(corpus, { onProgress: onEmbedding, ...(signal !== undefined && { signal }) });
}

async function report(
  project: ProjectIndex,
  index: TreeIndex,
  found: {
    ref: string;
    freshness: Freshness;
    touched: number;
    changed: boolean;
    seconds: number;
    core: IndexCore;
    chunks: number;
  },
): Promise<IndexReport> {
  const { freshness, touched, changed } = found;
  const left = freshness.pending.size;
  let files = 0;
  for (const { key } of index.entries.values()) if (key !== undefined) files++;
  const without = index.entries.size - files;
  const store = await found.core.store();
  const message =
    left > 0
      ? `${left} files to go`
      : changed
        ? `Files read: ${touched}${without > 0 ? `; without text or too large: ${without}` : ""}`
        : "Nothing changed: the index is up to date";
  return {
    repository_id: project.projectId,
    project_id: project.projectId,
    database_name: store.name,
    ref: found.ref,
    files_indexed: files,
    chunks_created: found.chunks,
    duration_seconds: found.seconds,
    status: left === 0 ? "success" : "running",
    status_message: store.fallback === undefined ? message : `${message}. ${store.fallback.reason}`,
    errors: unreadableFiles(index),
  };
}

/** Upper bound on the unreadable files listed in a report; the rest is counted. */
const MAX_ERRORS = 20;

/**
 * Returns one message per file that could not be read, up to a limit; the last message gives the number of the others.
 */
function unreadableFiles({ entries }: TreeIndex): string[] {
  const paths = [...entries.values()].flatMap(({ path, skipped }) =>
    skipped === "unreadable" ? [path] : [],
  );
  const named = paths.slice(0, MAX_ERRORS).map((path) => `${path}: cannot be read`);
  const more = paths.length - named.length;
  return more > 0 ? [...named, `${more} more files cannot be read`] : named;
}
