import { forEachYielding } from "../../kernel/for-each-yielding.ts";
import { blobHash } from "../../workspace/git/git-objects.ts";
import {
  isSameAs,
  isSameFile,
  isSettled,
  readContent,
  statOf,
} from "../../workspace/files/walk-signature.ts";
import { readBatch, type IndexedFile } from "./file-batch.ts";
import type { IndexContext } from "./index-context.ts";
import type { JobLog } from "./job-log.ts";
import { pathPurpose } from "../text/paths.ts";
import type { ManifestEntry } from "../store/store.ts";

/** The name of the working tree among the refs. */
export const LIVE = "live";

/** A working tree's index as it changes. */
export interface LiveState {
  readonly root: string;
  readonly context: IndexContext;
  readonly jobs: JobLog;
  readonly entries: Map<string, ManifestEntry>;
  pending: Set<string>;
  /** Files that somebody waits for: they are read before all others. */
  prioritized: readonly string[];
  /** Pending paths in the order they were found last. */
  pendingInOrder: readonly string[];
  /** All files have been listed since this index was opened: what is not pending is in it. */
  listed: boolean;
  complete: boolean;
  indexedHead: string | undefined;
  head: string | undefined;
  generation: number;
  chunksCreated: number;
  stopped: boolean;
  /** Nobody will go on with the work in this process. */
  closing: boolean;
  /** Records are made anew even where the store has them. */
  rebuild: boolean;
  activeWork: Promise<void> | undefined;
}

/** Files a publication: a kill loses at most the work on these. */
const FILES_PER_BATCH = 128;
/** The first batches are small: the first query has two seconds. */
const FILES_IN_FIRST_BATCH = 24;
/** A change of this size is a job of its own that others may see. */
const MIN_JOB_FILES = 50;
/** What a look at the listed files has shown. */
interface FoundChanges {
  /** New, or not surely the same as when they were read. */
  readonly found: readonly string[];
  /** In the index, and no file any more. */
  readonly absent: readonly string[];
  /** Files that have several names. */
  readonly linked: readonly string[];
}

/** Looks at every listed file. Git lists what it tracks, also where a sparse checkout or a deletion left no file. */
export async function findChanges(state: LiveState, files: readonly string[]): Promise<FoundChanges> {
  const { root, entries } = state;
  // Nothing is known yet: all have to be read, and a look at each of a hundred thousand only delays the first answer.
  if (entries.size === 0 && !state.complete) return { found: files, absent: [], linked: [] };
  const found: string[] = [];
  const absent: string[] = [];
  const linked: string[] = [];
  let confirmed = 0;
  await forEachYielding(files, (path) => {
    const entry = entries.get(path);
    const stats = statOf(`${root}/${path}`);
    if (!stats?.isFile()) {
      if (entry !== undefined) absent.push(path);
      return;
    }
    if (stats.nlink > 1) linked.push(path);
    if (entry?.signature !== undefined && isSameAs(stats, entry.signature)) {
      if (isSettled(entry.signature)) return;
      if (confirmed++ < MAX_CONFIRMED && isConfirmed(state, entry)) return;
    }
    found.push(path);
  });
  // One that came back while the others were looked at is none of them.
  return { found, absent: absent.filter((path) => !statOf(`${root}/${path}`)?.isFile()), linked };
}

/** Files that were just written are read again on the spot, as long as they are few. */
const MAX_CONFIRMED = 64;

/** The times could hide a second write: the content decides. */
function isConfirmed({ root, entries, context }: LiveState, entry: ManifestEntry): boolean {
  const content = readContent(`${root}/${entry.path}`, context.maxFileBytes);
  if (content === undefined || "tooLarge" in content || entry.key === undefined) return false;
  if (!entry.key.startsWith(`${blobHash(content.bytes, context.objectFormat)}.`)) return false;
  entries.set(entry.path, { ...entry, signature: content.signature });
  return true;
}

/** Whether the file is another one by now than the one in the index. */
export function hasChanged({ root, entries }: LiveState, path: string): boolean {
  const known = entries.get(path)?.signature;
  return known === undefined || !isSameFile(`${root}/${path}`, known);
}

/** Sources before tests, prose and data: while the index is young, what is asked for most is there first. */
export async function orderByPriority(paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length <= FILES_PER_BATCH) return paths;
  const rank = (path: string): number => {
    const { kind, role } = pathPurpose(path);
    if (kind !== "code") return kind === "prose" ? 2 : 3;
    return role.test || role.example || role.vendored ? 1 : 0;
  };
  const ranks = new Map<string, number>();
  await forEachYielding(paths, (path) => ranks.set(path, rank(path)));
  return paths.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

/** Reads, parses and publishes until nothing is pending. */
export async function indexPending(state: LiveState): Promise<void> {
  const { jobs, entries } = state;
  if (state.pending.size > MIN_JOB_FILES)
    await jobs.begin(state.complete ? "incremental" : "full", state.pending.size);
  try {
    for (
      let size = FILES_IN_FIRST_BATCH;
      state.pending.size > 0 && !state.stopped;
      size = Math.min(FILES_PER_BATCH, size * 2)
    ) {
      const batch = takeBatch(state, size);
      const seen = state.pending;
      const indexed = await readBatch(state.root, batch, {
        ...state.context,
        rebuild: state.rebuild,
        ahead: seen.size,
      });
      // Stored first: what memory has and the store has not would be found, and be without an outline.
      const removed = indexed.gone.filter((path) => entries.has(path));
      const done = isLast(state, batch);
      // Of a sparse checkout most files are listed and not there.
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
    if (state.pending.size === 0 && state.rebuild) await endRebuild(state);
    await (state.closing && state.pending.size > 0 ? jobs.interrupt() : jobs.end());
  } catch (error) {
    // Closing takes the parser threads away in the middle of a batch.
    await (state.closing ? jobs.interrupt() : jobs.fail(error));
    throw error;
  }
}

/** What was put together meanwhile may hold records from before. */
async function endRebuild(state: LiveState): Promise<void> {
  state.rebuild = false;
  await state.context.pool.forget();
  state.generation++;
}

/**
 * What was read is pending no more. But where somebody looked at the tree meanwhile, they may have seen a later write than
 * the one that was read, and wait for it: then only files that surely are as they were read are struck off.
 */
function removeFromPending(state: LiveState, batch: readonly string[], seen: ReadonlySet<string>): void {
  for (const path of batch)
    if (state.pending === seen || isCertainlyUnchanged(state, path)) state.pending.delete(path);
}

function isCertainlyUnchanged({ root, entries }: LiveState, path: string): boolean {
  const signature = entries.get(path)?.signature;
  return signature !== undefined && isSettled(signature) && isSameFile(`${root}/${path}`, signature);
}

/** Whether all files are known, and none is pending but those of the batch. */
function isLast({ pending, listed }: LiveState, batch: readonly string[]): boolean {
  if (!listed) return false;
  const taken = new Set(batch);
  for (const path of pending) if (!taken.has(path)) return false;
  return true;
}

/** Stores what was read; with nothing left to read, the index is complete for this HEAD. */
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
  state.complete = true;
  state.indexedHead = head;
}

/**
 * A few changes come at once. Of many, those that somebody waits for come first, then sources; a second process begins
 * at the other end.
 */
function takeBatch(state: LiveState, size: number): string[] {
  const { pending, pendingInOrder } = state;
  const wanted = state.prioritized.filter((path) => pending.has(path));
  state.prioritized = wanted.slice(size);
  if (wanted.length > 0) return wanted.slice(0, size);
  const fromEnd = state.jobs.othersAtWork();
  const batch: string[] = [];
  let looked = 0;
  for (; looked < pendingInOrder.length && batch.length < size; looked++) {
    const path = pendingInOrder[fromEnd ? pendingInOrder.length - 1 - looked : looked] ?? "";
    if (pending.has(path)) batch.push(path);
  }
  // What was passed is not looked at again: of a hundred thousand files that would be most of the work.
  state.pendingInOrder = fromEnd
    ? pendingInOrder.slice(0, pendingInOrder.length - looked)
    : pendingInOrder.slice(looked);
  return batch.length > 0 ? batch : [...pending].slice(0, size);
}
