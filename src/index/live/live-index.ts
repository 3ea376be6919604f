import { waitAtMost } from "../../kernel/with-timeout.ts";
import type { GitRepository } from "../../workspace/git/git-repository.ts";
import { unlessAborted, waitForFirst, waitUntilNone, type FirstWork } from "./waiting.ts";
import type { FinishOptions, Freshness, PrioritizeOptions, RefreshOptions, TreeIndex } from "./tree-index.ts";
import type { IndexContext } from "./index-context.ts";
import { createJobLog } from "./job-log.ts";
import { hasChanged, LIVE, indexPending, type LiveState } from "./live-state.ts";
import { createTreeScan, ignoreStoreOutage, type TreeScan } from "./tree-scan.ts";
import type { ManifestEntry } from "../store/store.ts";

const PROGRESS_MS = 200;
/** Trees of this size may take longer to look at than a query has time; smaller known ones are always looked at whole. */
const LARGE_TREE_FILES = 5_000;

/** So long the list of a tree that is being read for the first time is taken for the tree. */
const FIRST_SCAN_VALID_MS = 10_000;

/** Opens the index of a working tree with what the store has of it. */
export async function openLiveIndex(
  root: string,
  context: IndexContext,
  repository?: GitRepository,
): Promise<TreeIndex> {
  const stored = await context.store.manifest(context.projectId, LIVE);
  const state: LiveState = {
    root,
    context,
    jobs: createJobLog(context, LIVE),
    entries: new Map(
      stored?.entries.filter((entry) => isStillValid(entry, context)).map((entry) => [entry.path, entry]),
    ),
    pending: new Set(),
    prioritized: [],
    pendingInOrder: [],
    listed: false,
    complete: stored?.complete ?? false,
    indexedHead: stored?.commit,
    head: undefined,
    generation: 0,
    chunksCreated: 0,
    stopped: false,
    closing: false,
    rebuild: false,
    activeWork: undefined,
  };
  const sweep = createTreeScan(state, repository);
  return {
    entries: state.entries,
    chunksCreated: () => state.chunksCreated,
    generation: () => state.generation,
    isStale: (path) => state.pending.has(path) || hasChanged(state, path),
    forget: (paths) => forgetPaths(state, sweep, paths),
    async scan() {
      await sweep();
      return freshnessOf(state);
    },
    refresh: (options) => refresh(state, sweep, options),
    prioritize: (paths, options) => prioritize(state, { ...options, paths }),
    start() {
      // Nobody waits for this work; the next query looks for what is still to do and meets the error itself.
      if (state.pending.size > 0) startWork(state).catch(() => undefined);
    },
    finish: (options = {}) => finish(state, sweep, options),
    async close() {
      sweep.close();
      state.stopped = true;
      state.closing = true;
      await state.activeWork?.catch(() => undefined);
    },
  };
}

/** Whether the file would be read in the same way now: the limit of size, or git's hash, may be another one than then. */
function isStillValid({ key, skipped, signature }: ManifestEntry, context: IndexContext): boolean {
  const isTooLarge = (signature?.size ?? 0) > context.maxFileBytes;
  if (key === undefined) return isTooLarge || skipped !== "too_large";
  return !isTooLarge && key.indexOf(".") === HASH_LENGTHS[context.objectFormat];
}

const HASH_LENGTHS = { sha1: 40, sha256: 64 } as const;

async function refresh(state: LiveState, sweep: TreeScan, options: RefreshOptions): Promise<Freshness> {
  const { background = true, fullScan = false, forceRescan = false, signal } = options;
  const budgetMs = state.complete ? options.budgetMs : Math.max(options.budgetMs, options.first?.ms ?? 0);
  const deadline = Date.now() + budgetMs;
  if (forceRescan) sweep.forceRescan();
  // What is edited while a tree is first read is found after that; to look at all of it again and again would only delay
  // the end.
  const isFirst = !state.complete && state.activeWork !== undefined;
  if (isFirst && !fullScan && Date.now() - sweep.scannedAt() < FIRST_SCAN_VALID_MS) {
    const work = state.activeWork ?? Promise.resolve();
    await waitForFirst(firstWork(state, work), { ...options.first, ms: budgetMs, ...withSignal(signal) });
    if (state.activeWork !== undefined)
      return { ...freshnessOf(state), complete: state.complete, unchecked: true };
  }
  const look = sweep();
  const isSmall = state.complete && state.entries.size < LARGE_TREE_FILES;
  if (fullScan || isSmall) await unlessAborted(look, signal);
  else if (!(await isScannedInTime(look, budgetMs, signal))) {
    if (background) runAfterScan(look, state);
    const working = background || state.activeWork !== undefined;
    return { ...freshnessOf(state), complete: state.complete, working, unchecked: true };
  }
  if (state.pending.size === 0) return freshnessOf(state);
  const alone = state.activeWork === undefined;
  if (state.complete) await workUntil(deadline, state);
  else {
    const first = { ...options.first, ms: deadline - Date.now(), ...withSignal(signal) };
    await ignoreStoreOutage(state, waitForFirst(firstWork(state, startWork(state)), first));
  }
  // Work that others began goes on.
  if (!background && alone && state.pending.size > 0) state.stopped = true;
  return freshnessOf(state);
}

/**
 * Brings in what is pending. Another call's scan may find files pending again that were read meanwhile: they are looked at
 * once more, as long as the work gets on.
 */
async function workUntil(deadline: number, state: LiveState): Promise<void> {
  let before: number;
  do {
    before = state.generation;
    // Also where no time is left: the work is begun here, and goes on in the background.
    await ignoreStoreOutage(state, waitAtMost(deadline - Date.now(), startWork(state)));
  } while (state.pending.size > 0 && state.generation !== before && Date.now() < deadline);
}

function firstWork(state: LiveState, work: Promise<void>): FirstWork {
  return { work, pending: () => state.pending.size, indexed: () => state.entries.size };
}

function withSignal(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

async function prioritize(
  state: LiveState,
  { paths, budgetMs, background = true, signal }: PrioritizeOptions & { readonly paths: readonly string[] },
): Promise<Freshness> {
  // Until all files are listed nobody knows that these are to be read.
  if (!state.listed) for (const path of paths) if (hasChanged(state, path)) state.pending.add(path);
  state.prioritized = paths.filter((path) => state.pending.has(path));
  const awaited = new Set(state.prioritized.slice(0, MAX_AWAITED));
  if (awaited.size === 0) return freshnessOf(state);
  const alone = state.activeWork === undefined;
  const left = (): number => {
    for (const path of awaited)
      if (!state.pending.has(path) || !hasChanged(state, path)) awaited.delete(path);
    return awaited.size;
  };
  await ignoreStoreOutage(
    state,
    waitUntilNone(startWork(state), left, { ms: budgetMs, ...withSignal(signal) }),
  );
  if (!background && alone && state.pending.size > 0) state.stopped = true;
  return freshnessOf(state);
}

/** So many files are waited for at most; the answer shows far fewer. */
const MAX_AWAITED = 256;

/** Goes on with what a look finds that nobody waits for; the next query meets its error itself. */
function runAfterScan(look: Promise<void>, state: LiveState): void {
  look.then(() => (state.pending.size > 0 ? startWork(state) : undefined)).catch(() => undefined);
}

function startWork(state: LiveState): Promise<void> {
  // Work that was told to stop ends after its batch; only then may it begin anew.
  if (state.activeWork !== undefined && state.stopped)
    return state.activeWork.catch(() => undefined).then(() => startWork(state));
  if (state.activeWork === undefined) state.stopped = false;
  state.activeWork ??= workUntilDone(state);
  return state.activeWork;
}

/** Files found while the last batch was being stored belong to this work too: whoever waits for it waits for them. */
async function workUntilDone(state: LiveState): Promise<void> {
  try {
    do await indexPending(state);
    while (state.pending.size > 0 && !state.stopped);
  } finally {
    state.activeWork = undefined;
  }
}

async function finish(
  state: LiveState,
  sweep: TreeScan,
  { force = false, onProgress, signal }: FinishOptions,
): Promise<Freshness> {
  forgetPaths(state, sweep, await lostPaths(state));
  await unlessAborted(sweep(), signal);
  if (force) {
    await state.context.pool.forget();
    state.rebuild = true;
    state.pending = new Set([...state.pending, ...state.entries.keys()]);
  }
  const total = state.pending.size;
  const timer = setInterval(() => onProgress?.(total - state.pending.size, total), PROGRESS_MS);
  const stop = () => {
    state.stopped = true;
  };
  signal?.addEventListener("abort", stop, { once: true });
  try {
    if (total > 0) await startWork(state);
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", stop);
  }
  signal?.throwIfAborted();
  onProgress?.(total, total);
  return freshnessOf(state);
}

function forgetPaths(state: LiveState, sweep: TreeScan, paths: readonly string[]): void {
  if (paths.length === 0) return;
  for (const path of paths) state.entries.delete(path);
  state.generation++;
  sweep.forceRescan();
}

/** Entries whose record is not in the store: made by another version of Pith, or damaged. */
async function lostPaths({ entries, context: { store } }: LiveState): Promise<string[]> {
  const keyed = [...entries.values()].filter(({ key }) => key !== undefined);
  const known = await store.known([...new Set(keyed.flatMap(({ key }) => key ?? []))]);
  return keyed.filter(({ key }) => key !== undefined && !known.has(key)).map(({ path }) => path);
}

function freshnessOf({ pending, complete, listed, activeWork, head, indexedHead }: LiveState): Freshness {
  return {
    // As it is now: what is brought in later is not in the answer that this is told with.
    pending: new Set(pending),
    complete: complete || (listed && pending.size === 0),
    ...(!listed && { unchecked: true }),
    working: activeWork !== undefined,
    ...(head !== undefined && { head }),
    ...(indexedHead !== undefined && { indexedHead }),
  };
}

/** Whether the look at the files came to its end in time; if not, it goes on for the next query. */
async function isScannedInTime(
  look: Promise<void>,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const done = look.then(() => true);
  const isDone = (await waitAtMost(milliseconds, done, { signal })) === true;
  signal?.throwIfAborted();
  return isDone;
}
