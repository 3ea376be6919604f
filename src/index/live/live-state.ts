import { isSameFile, isSettled } from "../../workspace/files/file-signature.ts";
import { readBatch, type IndexedFile } from "./file-batch.ts";
import type { IndexContext } from "./index-context.ts";
import type { JobLog } from "./job-log.ts";
import type { ManifestEntry } from "../store/store.ts";

/** The ref name that stands for the working tree. */
export const LIVE = "live";

/** The mutable state of a working tree's index. */
export interface LiveState {
  readonly root: string;
  readonly context: IndexContext;
  readonly jobs: JobLog;
  readonly entries: Map<string, ManifestEntry>;
  pending: Set<string>;
  /** Files that a caller waits for; they are indexed before all others. */
  prioritized: readonly string[];
  /** Pending paths in the order of their priority, as of the last scan. */
  pendingInOrder: readonly string[];
  /** True once all files have been listed since this index was opened: a file that is not pending is then indexed. */
  isListed: boolean;
  isComplete: boolean;
  indexedHead: string | undefined;
  head: string | undefined;
  generation: number;
  chunksCreated: number;
  isStopped: boolean;
  /** True while the index closes: this process will not continue the work. */
  isClosing: boolean;
  /** Whether records are created again even if the store has them. */
  isRebuilding: boolean;
  activeWork: Promise<void> | undefined;
}

/** Files per write to the store. A killed process loses the work on at most this many files. */
export const FILES_PER_BATCH = 128;
/** The first batches are small so that the first query, which has two seconds, finds something. */
const FILES_IN_FIRST_BATCH = 24;
/** From this many files on, indexing is recorded as a job that other processes can see. */
const MIN_JOB_FILES = 50;

/** Reads, parses and stores files until nothing is pending. */
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
      // The store is updated before memory: a query would find a file that is only in memory, but no outline of it.
      const removed = indexed.gone.filter((path) => entries.has(path));
      const done = isLast(state, batch);
      // A sparse checkout lists many files that do not exist, so a batch may be empty.
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
    // Closing the index ends the parser threads in the middle of a batch, which is not a failure.
    await (state.isClosing ? jobs.interrupt() : jobs.fail(error));
    throw error;
  }
}

/** Clears the segment pool, because segments built during the rebuild may contain old records. */
async function endRebuild(state: LiveState): Promise<void> {
  state.isRebuilding = false;
  await state.context.pool.forget();
  state.generation++;
}

/**
 * Removes indexed files from `pending`. If another scan ran meanwhile, it may have seen a later write and wait for it:
 * then only files that are certainly unchanged since they were read are removed.
 */
function removeFromPending(state: LiveState, batch: readonly string[], seen: ReadonlySet<string>): void {
  for (const path of batch)
    if (state.pending === seen || isCertainlyUnchanged(state, path)) state.pending.delete(path);
}

function isCertainlyUnchanged({ root, entries }: LiveState, path: string): boolean {
  const signature = entries.get(path)?.signature;
  return signature !== undefined && isSettled(signature) && isSameFile(`${root}/${path}`, signature);
}

/** Returns true if all files have been listed and only those of this batch are pending. */
function isLast({ pending, isListed }: LiveState, batch: readonly string[]): boolean {
  if (!isListed) return false;
  const taken = new Set(batch);
  for (const path of pending) if (!taken.has(path)) return false;
  return true;
}

/** Writes indexed files to the store. With `done`, the index is marked complete for the current HEAD. */
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
 * Takes the next files to index: first those a caller waits for, then by priority. If another process indexes the same
 * tree, this one starts at the other end of the list.
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
  // Paths already passed are dropped; checking them again for every batch would dominate in a large tree.
  state.pendingInOrder = fromEnd
    ? pendingInOrder.slice(0, pendingInOrder.length - checked)
    : pendingInOrder.slice(checked);
  return batch.length > 0 ? batch : [...pending].slice(0, size);
}
