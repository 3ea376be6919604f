import { setTimeout as delay } from "node:timers/promises";
import type { GitRepository } from "../workspace/git-repository.ts";
import type { IndexContext } from "./index-context.ts";
import { createJobLog } from "./job-log.ts";
import { hasChanged, LIVE, workOff, type LiveState } from "./live-state.ts";
import { createSweep, tolerate, type Sweep } from "./live-sweep.ts";
import { unlessAborted } from "./shared-look.ts";
import type { ManifestEntry } from "./store.ts";

/** The index of a working tree, which follows its files. */
export interface LiveIndex {
  /** Brings in what has changed, as far as the time allows, and says what is left. */
  freshen(options: FreshenOptions): Promise<Freshness>;
  /** Looks for changes and says how many there are, without bringing any in. */
  look(): Promise<Freshness>;
  /** Works until nothing is left; other calls may look on. */
  finish(options?: FinishOptions): Promise<Freshness>;
  /** Starts working in the background. */
  start(): void;
  readonly entries: ReadonlyMap<string, ManifestEntry>;
  /** Chunks of the records that this index has made since it was opened. */
  chunksMade(): number;
  /** Changes with every change of the entries. */
  generation(): number;
  isStale(path: string): boolean;
  /** Reads these again at the next look: the store has lost what it should have of them. */
  forget(paths: readonly string[]): void;
  close(): Promise<void>;
}

export interface FreshenOptions {
  readonly budgetMs: number;
  /** Looks at every file, however long it takes. */
  readonly thorough?: boolean;
  /** Something has changed that no notice told of. */
  readonly distrust?: boolean;
  /** Whether what does not fit into the time is worked off afterwards; by default it is. */
  readonly background?: boolean;
  readonly signal?: AbortSignal;
}

export interface FinishOptions {
  /** Makes every record anew. */
  readonly force?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** What the index knows of the working tree's state. */
export interface Freshness {
  /** Paths that are not, or not as they are now, in the index. */
  readonly pending: ReadonlySet<string>;
  /** There was no time to look at every file: more of them may have changed. */
  readonly unchecked?: boolean;
  /** The first indexing is through. */
  readonly complete: boolean;
  readonly working: boolean;
  /** HEAD now, and when the index last held everything. */
  readonly head?: string;
  readonly indexedHead?: string;
}

const PROGRESS_MS = 200;
/** Trees of this size may take longer to look at than a query has time; smaller known ones are always looked at whole. */
const LARGE_TREE = 5_000;

/** So long the list of a tree that is being read for the first time is taken for the tree. */
const FIRST_LOOK_LASTS_MS = 10_000;

/** Opens the index of a working tree with what the store has of it. */
export async function openLiveIndex(
  root: string,
  context: IndexContext,
  repository?: GitRepository,
): Promise<LiveIndex> {
  const stored = await context.store.manifest(context.projectId, LIVE);
  const state: LiveState = {
    root,
    context,
    jobs: createJobLog(context, LIVE),
    entries: new Map(
      stored?.entries.filter((entry) => isStillSo(entry, context)).map((entry) => [entry.path, entry]),
    ),
    pending: new Set(),
    urgent: [],
    complete: stored?.complete ?? false,
    indexedHead: stored?.commit,
    head: undefined,
    generation: 0,
    chunksMade: 0,
    stopped: false,
    rebuild: false,
    pump: undefined,
  };
  const sweep = createSweep(state, repository);
  return {
    entries: state.entries,
    chunksMade: () => state.chunksMade,
    generation: () => state.generation,
    isStale: (path) => state.pending.has(path) || hasChanged(state, path),
    forget: (paths) => forgetPaths(state, sweep, paths),
    async look() {
      await sweep();
      return freshnessOf(state);
    },
    freshen: (options) => freshen(state, sweep, options),
    start() {
      // Nobody waits for this work; the next query looks for what is still to do and meets the error itself.
      if (state.pending.size > 0) run(state).catch(() => undefined);
    },
    finish: (options = {}) => finish(state, sweep, options),
    async close() {
      sweep.close();
      state.stopped = true;
      await state.pump?.catch(() => undefined);
    },
  };
}

/** Whether the file would be read in the same way now: the limit of size, or git's hash, may be another one than then. */
function isStillSo({ key, skipped, signature }: ManifestEntry, context: IndexContext): boolean {
  const isTooLarge = (signature?.size ?? 0) > context.maxFileBytes;
  if (key === undefined) return isTooLarge || skipped !== "too_large";
  return !isTooLarge && key.indexOf(".") === HASH_LENGTHS[context.objectFormat];
}

const HASH_LENGTHS = { sha1: 40, sha256: 64 } as const;

async function freshen(state: LiveState, sweep: Sweep, options: FreshenOptions): Promise<Freshness> {
  const { budgetMs, background = true, thorough = false, distrust = false, signal } = options;
  const deadline = Date.now() + budgetMs;
  if (distrust) sweep.distrust();
  // What is edited while a tree is first read is found after that; to look at all of it again and again would only delay
  // the end.
  const isFirst = !state.complete && state.pump !== undefined;
  if (isFirst && !thorough && Date.now() - sweep.lookedAt() < FIRST_LOOK_LASTS_MS) {
    const work = state.pump ?? Promise.resolve();
    await within(unlessAborted(work, signal), budgetMs);
    await firstFiles(state, work, signal);
    if (state.pump !== undefined) return { ...freshnessOf(state), complete: state.complete, unchecked: true };
  }
  const look = sweep();
  const isSmall = state.complete && state.entries.size < LARGE_TREE;
  if (thorough || isSmall) await unlessAborted(look, signal);
  else if (!(await looked(look, budgetMs, signal))) {
    if (background) runAfter(look, state);
    const working = background || state.pump !== undefined;
    return { ...freshnessOf(state), complete: state.complete, working, unchecked: true };
  }
  if (state.pending.size === 0) return freshnessOf(state);
  const alone = state.pump === undefined;
  const work = run(state);
  await tolerate(state, within(work, deadline - Date.now()));
  await tolerate(state, firstFiles(state, work, signal));
  // Work that others began goes on.
  if (!background && alone && state.pending.size > 0) state.stopped = true;
  return freshnessOf(state);
}

/** An answer from no file at all helps nobody: the first ones are waited for this much longer, which is still within two seconds. */
const FIRST_FILES_MS = 600;
const POLL_MS = 20;

async function firstFiles(state: LiveState, work: Promise<void>, signal?: AbortSignal): Promise<void> {
  const until = Date.now() + FIRST_FILES_MS;
  const over = work.then(() => true);
  over.catch(() => undefined);
  while (state.entries.size === 0 && Date.now() < until) {
    signal?.throwIfAborted();
    if (await Promise.race([over, delay(POLL_MS, false)])) return;
  }
}

/** Goes on with what a look finds that nobody waits for; the next query meets its error itself. */
function runAfter(look: Promise<void>, state: LiveState): void {
  look.then(() => (state.pending.size > 0 ? run(state) : undefined)).catch(() => undefined);
}

function run(state: LiveState): Promise<void> {
  // Work that was told to stop ends after its batch; only then may it begin anew.
  if (state.pump !== undefined && state.stopped)
    return state.pump.catch(() => undefined).then(() => run(state));
  if (state.pump === undefined) state.stopped = false;
  state.pump ??= workOff(state).finally(() => {
    state.pump = undefined;
  });
  return state.pump;
}

async function finish(
  state: LiveState,
  sweep: Sweep,
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
    if (total > 0) await run(state);
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", stop);
  }
  signal?.throwIfAborted();
  onProgress?.(total, total);
  return freshnessOf(state);
}

function forgetPaths(state: LiveState, sweep: Sweep, paths: readonly string[]): void {
  if (paths.length === 0) return;
  for (const path of paths) state.entries.delete(path);
  state.generation++;
  sweep.distrust();
}

/** Entries whose record is not in the store: made by another version of Pith, or damaged. */
async function lostPaths({ entries, context: { store } }: LiveState): Promise<string[]> {
  const keyed = [...entries.values()].filter(({ key }) => key !== undefined);
  const known = await store.known([...new Set(keyed.flatMap(({ key }) => key ?? []))]);
  return keyed.filter(({ key }) => key !== undefined && !known.has(key)).map(({ path }) => path);
}

function freshnessOf({ pending, complete, pump, head, indexedHead }: LiveState): Freshness {
  return {
    // As it is now: what is brought in later is not in the answer that this is told with.
    pending: new Set(pending),
    complete: complete || pending.size === 0,
    working: pump !== undefined,
    ...(head !== undefined && { head }),
    ...(indexedHead !== undefined && { indexedHead }),
  };
}

/** Whether the look at the files came to its end in time; if not, it goes on for the next query. */
async function looked(look: Promise<void>, milliseconds: number, signal?: AbortSignal): Promise<boolean> {
  let isDone = false;
  const end = async (): Promise<void> => {
    await unlessAborted(look, signal);
    isDone = true;
  };
  await within(end(), milliseconds);
  return isDone;
}

/** Waits for the work, at most this long; an error before that is the caller's. */
async function within(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, milliseconds));
  });
  work.catch(() => undefined);
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
