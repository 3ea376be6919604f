import { isSameFile, isSettled } from "../../workspace/files/file-signature.ts";
import { readBatch, type IndexedFile } from "./file-batch.ts";
import type { IndexContext } from "./index-context.ts";
import type { JobLog } from "./job-log.ts";
import type { ManifestEntry } from "../store/store.ts";

/** Name that stands for the working tree where a git ref is expected. */
export const LIVE = "live";

/** The state of the index of a working tree, which changes during indexing. */
export interface LiveState {
  readonly root: string;
  readonly context: IndexContext;
  readonly jobs: JobLog;
  readonly entries: Map<string, ManifestEntry>;
  pending: Set<string>;
  /** Paths of the files that a caller waits for; they are indexed before all others. */
  prioritized: readonly string[];
  /** Paths of the files that the last scan found to be indexed, most important first. */
  pendingInOrder: readonly string[];
  /**
   * True once all files have been listed since this index was opened; from then on, every file that is not in `pending`
   * is indexed.
   */
  isListed: boolean;
  isComplete: boolean;
  indexedHead: string | undefined;
  head: string | undefined;
  generation: number;
  chunksCreated: number;
  isStopped: boolean;
  /** True while the index is being closed; this process does not continue its indexing. */
  isClosing: boolean;
  /** Whether index records are created even for contents whose record is in the store. */
  isRebuilding: boolean;
  activeWork: Promise<void> | undefined;
}

/** Number of files per write to the store. A process that is killed loses the work on at most this many files. */
export const FILES_PER_BATCH = 128;
/** Size of the first batch of files. It is small so that the first query, which has two seconds, finds something. */
const FILES_IN_FIRST_BATCH = 24;
/** From this many files on, indexing is recorded as a job that other processes can see. */
const MIN_JOB_FILES = 50;

/** Reads, parses and stores files until none waits to be indexed. */
export async function indexPending(state: LiveState): Promise<void> {
  const { jobs, entries } = state;
  if (state.pending.size > MIN_JOB_FILES)
    await jobs.begin(state.isComplete ? "incremental" : "full", state.pending.size);
  try {
    for (
      let size = FILES_IN_FIRST_BATCH;
      state.pending.size > 0 && !state.isStopped;
      size = Math.min(FILES_PER_BATCH, size * 2)
    ) {
      const batch = takeBatch(state, size);
      const seen = state.pending;
      const indexed = await readBatch(state.root, batch, {
        ...state.context,
        rebuild: state.isRebuilding,
        ahead: seen.size,
      });
      // The store is updated before memory, because a query that finds a file in memory also needs its outline from the
      // store.
      const removed = indexed.gone.filter((path) => entries.has(path));
      const done = isLast(state, batch);
      // A batch may contain no file at all, because a sparse checkout lists many files that do not exist.
      if (done || indexed.files.length + removed.length > 0)
        await publishFiles(state, indexed.files, { removed, done });
      for (const { entry, record } of indexed.files) {
        entries.set(entry.path, entry);
        state.chunksCreated += record?.chunks ?? 0;
      }
      for (const path of removed) entries.delete(path);
      removeFromPending(state, batch, seen);
      state.generation++;
    }
    if (state.pending.size === 0 && state.isRebuilding) await endRebuild(state);
    await (state.isClosing && state.pending.size > 0 ? jobs.interrupt() : jobs.end());
  } catch (error) {
    // If the index is being closed, its parser threads end in the middle of a batch; this does not count as a failure.
    await (state.isClosing ? jobs.interrupt() : jobs.fail(error));
    throw error;
  }
}

/**
 * Ends a rebuild, in which all index records are created again. Index data in memory may be compiled from old records,
 * so it is dropped.
 */
async function endRebuild(state: LiveState): Promise<void> {
  state.isRebuilding = false;
  await state.context.pool.forget();
  state.generation++;
}

/**
 * Removes indexed files from `pending` (the files to be indexed). If a scan replaced `pending` meanwhile, it may list a
 * file because of a later write; then only files that have certainly not changed since they were read are removed.
 */
function removeFromPending(state: LiveState, batch: readonly string[], seen: ReadonlySet<string>): void {
  for (const path of batch)
    if (state.pending === seen || isCertainlyUnchanged(state, path)) state.pending.delete(path);
}

function isCertainlyUnchanged({ root, entries }: LiveState, path: string): boolean {
  const signature = entries.get(path)?.signature;
  return signature !== undefined && isSettled(signature) && isSameFile(`${root}/${path}`, signature);
}

/** Returns true if all files have been listed and only those of this batch are still to be indexed. */
function isLast({ pending, isListed }: LiveState, batch: readonly string[]): boolean {
  if (!isListed) return false;
  const taken = new Set(batch);
  for (const path of pending) if (!taken.has(path)) return false;
  return true;
}

/** Writes indexed files to the store. With `done`, the index is marked as complete for the current commit. */
export async function publishFiles(
  state: LiveState,
  files: readonly IndexedFile[],
  { removed, done }: { readonly removed: readonly string[]; readonly done: boolean },
): Promise<void> {
  const { context, head } = state;
  await context.store.publish({
    projectId: context.projectId,
    ref: LIVE,
    records: files.flatMap(({ entry: { key }, record }) =>
      key === undefined || record === undefined ? [] : [{ key, record }],
    ),
    changed: files.map(({ entry }) => entry),
    removed,
    ...(done && { complete: true, ...(head !== undefined && { commit: head }) }),
    at: Date.now(),
  });
  if (!done) return;
  state.isComplete = true;
  state.indexedHead = head;
}

/**
 * Takes the next files to index: first those that a caller waits for, then the most important ones. If another process
 * indexes the same tree, this one starts at the other end of the list.
 */
function takeBatch(state: LiveState, size: number): string[] {
  const { pending, pendingInOrder } = state;
  const wanted = state.prioritized.filter((path) => pending.has(path));
  state.prioritized = wanted.slice(size);
  if (wanted.length > 0) return wanted.slice(0, size);
  const fromEnd = state.jobs.othersAtWork();
  const batch: string[] = [];
  let checked = 0;
  for (; checked < pendingInOrder.length && batch.length < size; checked++) {
    const path = pendingInOrder[fromEnd ? pendingInOrder.length - 1 - checked : checked] ?? "";
    if (pending.has(path)) batch.push(path);
  }
  // Paths that were checked are dropped; in a large tree, checking them again for every batch would take most of the
  // time.
  state.pendingInOrder = fromEnd
    ? pendingInOrder.slice(0, pendingInOrder.length - checked)
    : pendingInOrder.slice(checked);
  return batch.length > 0 ? batch : [...pending].slice(0, size);
}
