import { waitAtMost } from "../../kernel/with-timeout.ts";
import type { GitRepository } from "../../workspace/git/git-repository.ts";
import { runToEnd, unlessAborted, waitForFirst, waitUntilNone, type FirstWork } from "./waiting.ts";
import type { FinishOptions, Freshness, PrioritizeOptions, RefreshOptions, TreeIndex } from "./tree-index.ts";
import type { IndexContext } from "./index-context.ts";
import { createJobLog } from "./job-log.ts";
import { indexPending, LIVE, type LiveState } from "./live-state.ts";
import { createTreeScan, hasChanged, ignoreStoreOutage, type TreeScan } from "./tree-scan.ts";
import type { ManifestEntry } from "../store/store.ts";

/**
 * Number of files from which checking a tree for changes may take longer than a query can wait. Smaller trees that are
 * completely indexed are always checked.
 */
const LARGE_TREE_FILES = 5_000;

/** Time for which a scan of the tree is not repeated during the first indexing. */
const FIRST_SCAN_VALID_MS = 10_000;

/** Opens the index of a working tree, starting from what is in the store. */
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
    isListed: false,
    isComplete: stored?.complete ?? false,
    indexedHead: stored?.commit,
    head: undefined,
    generation: 0,
    chunksCreated: 0,
    isStopped: false,
    isClosing: false,
    isRebuilding: false,
    activeWork: undefined,
  };
  const scan = createTreeScan(state, repository);
  return {
    entries: state.entries,
    chunksCreated: () => state.chunksCreated,
    generation: () => state.generation,
    isStale: (path) => state.pending.has(path) || hasChanged(state, path),
    forget: (paths) => forgetPaths(state, scan, paths),
    async scan() {
      await scan();
      return freshnessOf(state);
    },
    refresh: (options) => refresh(state, scan, options),
    prioritize: (paths, options) => prioritize(state, { ...options, paths }),
    start() {
      // Nobody waits for this background work; if it fails, the next query scans again and reports the error.
      if (state.pending.size > 0) startIndexing(state).catch(() => undefined);
    },
    finish: (options = {}) => finish(state, scan, options),
    async close() {
      scan.close();
      state.isStopped = true;
      state.isClosing = true;
      await state.activeWork?.catch(() => undefined);
    },
  };
}

/**
 * Checks whether the stored facts about a file still apply: since then, the size limit or git's hash algorithm may have
 * changed.
 */
function isStillValid({ key, skipped, signature }: ManifestEntry, context: IndexContext): boolean {
  const isTooLarge = (signature?.size ?? 0) > context.maxFileBytes;
  if (key === undefined) return isTooLarge || skipped !== "too_large";
  return !isTooLarge && key.indexOf(".") === HASH_LENGTHS[context.objectFormat];
}

const HASH_LENGTHS = { sha1: 40, sha256: 64 } as const;

async function refresh(state: LiveState, scan: TreeScan, options: RefreshOptions): Promise<Freshness> {
  const { background = true, fullScan = false, forceRescan = false, signal } = options;
  const budgetMs = state.isComplete ? options.budgetMs : Math.max(options.budgetMs, options.first?.ms ?? 0);
  const deadline = Date.now() + budgetMs;
  if (forceRescan) scan.forceRescan();
  // During the first indexing, the tree is not scanned for every query, which would only delay it; edits are found
  // later.
  const isFirst = !state.isComplete && state.activeWork !== undefined;
  if (isFirst && !fullScan && Date.now() - scan.scannedAt() < FIRST_SCAN_VALID_MS) {
    const work = state.activeWork ?? Promise.resolve();
    await waitForFirst(firstWork(state, work), { ...options.first, ms: budgetMs, ...withSignal(signal) });
    if (state.activeWork !== undefined)
      return { ...freshnessOf(state), isComplete: state.isComplete, isUnchecked: true };
  }
  const scanned = scan();
  const isSmall = state.isComplete && state.entries.size < LARGE_TREE_FILES;
  if (fullScan || isSmall) await unlessAborted(scanned, signal);
  else if (!(await isScannedInTime(scanned, budgetMs, signal))) {
    if (background) runAfterScan(scanned, state);
    const isWorking = background || state.activeWork !== undefined;
    return { ...freshnessOf(state), isComplete: state.isComplete, isWorking, isUnchecked: true };
  }
  if (state.pending.size === 0) return freshnessOf(state);
  const isIdle = state.activeWork === undefined;
  if (state.isComplete) await indexUntil(deadline, state);
  else {
    const first = { ...options.first, ms: deadline - Date.now(), ...withSignal(signal) };
    await ignoreStoreOutage(state, waitForFirst(firstWork(state, startIndexing(state)), first));
  }
  // A call without `background` stops the indexing that it started itself, but not that of another call.
  if (!background && isIdle && state.pending.size > 0) state.isStopped = true;
  return freshnessOf(state);
}

/**
 * Indexes pending files (those that wait to be indexed) until the deadline. A scan at the same time may add files that
 * were just indexed to the pending ones, so indexing is repeated as long as it makes progress.
 */
async function indexUntil(deadline: number, state: LiveState): Promise<void> {
  let before: number;
  do {
    before = state.generation;
    // Indexing starts even if no time is left, and then continues in the background.
    await ignoreStoreOutage(state, waitAtMost(deadline - Date.now(), startIndexing(state)));
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
  // Before all files have been listed for the first time, `pending` (the files to be indexed) may lack the requested
  // files.
  if (!state.isListed) for (const path of paths) if (hasChanged(state, path)) state.pending.add(path);
  state.prioritized = paths.filter((path) => state.pending.has(path));
  const awaited = new Set(state.prioritized.slice(0, MAX_AWAITED));
  if (awaited.size === 0) return freshnessOf(state);
  const isIdle = state.activeWork === undefined;
  const left = (): number => {
    for (const path of awaited)
      if (!state.pending.has(path) || !hasChanged(state, path)) awaited.delete(path);
    return awaited.size;
  };
  await ignoreStoreOutage(
    state,
    waitUntilNone(startIndexing(state), left, { ms: budgetMs, ...withSignal(signal) }),
  );
  if (!background && isIdle && state.pending.size > 0) state.isStopped = true;
  return freshnessOf(state);
}

/** Upper bound on the files whose indexing a query waits for; an answer shows far fewer. */
const MAX_AWAITED = 256;

/** Indexes in the background the changed files that a scan finds. If this fails, the next query reports the error. */
function runAfterScan(scanned: Promise<void>, state: LiveState): void {
  scanned.then(() => (state.pending.size > 0 ? startIndexing(state) : undefined)).catch(() => undefined);
}

function startIndexing(state: LiveState): Promise<void> {
  // Indexing that was asked to stop ends after its current batch of files; it can start again only then.
  if (state.activeWork !== undefined && state.isStopped)
    return state.activeWork.catch(() => undefined).then(() => startIndexing(state));
  if (state.activeWork === undefined) state.isStopped = false;
  state.activeWork ??= indexUntilDone(state);
  return state.activeWork;
}

/**
 * Indexes until no file waits to be indexed. This includes files that are found while the last batch is being stored,
 * so that callers wait for those too.
 */
async function indexUntilDone(state: LiveState): Promise<void> {
  try {
    do await indexPending(state);
    while (state.pending.size > 0 && !state.isStopped);
  } finally {
    state.activeWork = undefined;
  }
}

async function finish(
  state: LiveState,
  scan: TreeScan,
  { force = false, onProgress, signal }: FinishOptions,
): Promise<Freshness> {
  forgetPaths(state, scan, await findLostPaths(state));
  await unlessAborted(scan(), signal);
  if (force) {
    await state.context.pool.forget();
    state.isRebuilding = true;
    state.pending = new Set([...state.pending, ...state.entries.keys()]);
  }
  await runToEnd(state, () => (state.pending.size > 0 ? startIndexing(state) : Promise.resolve()), {
    ...(onProgress !== undefined && { onProgress }),
    ...withSignal(signal),
  });
  return freshnessOf(state);
}

function forgetPaths(state: LiveState, scan: TreeScan, paths: readonly string[]): void {
  if (paths.length === 0) return;
  for (const path of paths) state.entries.delete(path);
  state.generation++;
  scan.forceRescan();
}

/**
 * Returns the paths of files whose index record is not in the store, because it is damaged or from another version of
 * Pith.
 */
async function findLostPaths({ entries, context: { store } }: LiveState): Promise<string[]> {
  const keyed = [...entries.values()].filter(({ key }) => key !== undefined);
  const known = await store.known([...new Set(keyed.flatMap(({ key }) => key ?? []))]);
  return keyed.filter(({ key }) => key !== undefined && !known.has(key)).map(({ path }) => path);
}

function freshnessOf({ pending, isComplete, isListed, activeWork, head, indexedHead }: LiveState): Freshness {
  return {
    // The set is copied, because files indexed from now on are missing from the answer that this result describes.
    pending: new Set(pending),
    isComplete: isComplete || (isListed && pending.size === 0),
    ...(!isListed && { isUnchecked: true }),
    isWorking: activeWork !== undefined,
    ...(head !== undefined && { head }),
    ...(indexedHead !== undefined && { indexedHead }),
  };
}

/**
 * Returns true if the scan for changed files ended in time. Otherwise it continues, and the next query uses its result.
 */
async function isScannedInTime(
  scanned: Promise<void>,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const done = scanned.then(() => true);
  const isDone = (await waitAtMost(milliseconds, done, { signal })) === true;
  signal?.throwIfAborted();
  return isDone;
}
