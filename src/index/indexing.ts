import { PithError } from "../kernel/errors.ts";
import type { IndexReport } from "../model/index-report.ts";
import type { SemanticStatus } from "../model/semantic.ts";
import type { Freshness, LiveIndex } from "./live-index.ts";
import type { ProjectIndex } from "./project-index.ts";
import { refOf, type IndexCore } from "./core.ts";
import { corpusOf } from "./meaning-corpus.ts";
import { tidy } from "./upkeep.ts";

export interface IndexRequest {
  readonly root: string;
  readonly ref?: string;
  readonly force?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
  /** Waits until everything is embedded too, and tells how far that is. */
  readonly onEmbedding?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Brings an index fully up to date, from nothing if need be. */
export function createIndexing(core: IndexCore): (request: IndexRequest) => Promise<IndexReport> {
  const bringIn = bringInWith(core);
  return async (request) => {
    try {
      return await bringIn(request);
    } catch (error) {
      // A damaged store, which may show only half way, is made anew when the caller asks to rebuild.
      if (request.force !== true || !isDamaged(error)) throw error;
      await core.restart();
      return bringIn(request);
    }
  };
}

function bringInWith(core: IndexCore): (request: IndexRequest) => Promise<IndexReport> {
  return async (request) => {
    const started = performance.now();
    const project = await core.project(request.root);
    const ref = refOf(request.ref);
    const index = await project.index(ref);
    const before = index.generation();
    const chunksBefore = index.chunksMade();
    let touched = 0;
    const freshness = await index.finish({
      ...(request.force !== undefined && { force: request.force }),
      onProgress: (done, total) => {
        touched = total;
        request.onProgress?.(done, total);
      },
      ...(request.signal !== undefined && { signal: request.signal }),
    });
    await tidy(core);
    const changed = index.generation() !== before;
    const semantic = await embed(core, { project, index, ref }, request);
    const done = await report(project, index, {
      ref,
      freshness,
      touched,
      changed,
      seconds: (performance.now() - started) / 1_000,
      chunks: index.chunksMade() - chunksBefore,
      core,
    });
    return semantic === undefined ? done : { ...done, semantic };
  };
}

function isDamaged(error: unknown): boolean {
  return error instanceof PithError && error.code === "index_incompatible";
}

/** Starts embedding what is new; a caller who wants to see it through waits for it. */
async function embed(
  core: IndexCore,
  { project, index, ref }: { project: ProjectIndex; index: LiveIndex; ref: string },
  { onEmbedding, signal }: IndexRequest,
): Promise<SemanticStatus | undefined> {
  const { meaning } = core.settings;
  if (meaning === undefined) return undefined;
  const view = await project.view(index);
  const corpus = corpusOf({ project, store: await core.store(), view, ref });
  meaning.follow(corpus);
  if (onEmbedding === undefined) return meaning.status(corpus);
  return meaning.finish(corpus, { onProgress: onEmbedding, ...(signal !== undefined && { signal }) });
}

async function report(
  project: ProjectIndex,
  index: LiveIndex,
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
  const store = await found.core.store();
  const message =
    left > 0
      ? `${left} files to go`
      : changed
        ? `${touched} files brought in`
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
    status_message: store.standIn === undefined ? message : `${message}. ${store.standIn.reason}`,
    errors: [],
  };
}
