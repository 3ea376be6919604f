import type { GitRepository } from "../../workspace/git/git-repository.ts";
import { untilNone, waitForFirst, type FirstWait, type FirstWork } from "./first-wait.ts";
import type { IndexContext } from "./index-context.ts";
import { createJobLog } from "./job-log.ts";
import { hasChanged, LIVE, workOff, type LiveState } from "./live-state.ts";
import { createSweep, tolerate, type Sweep } from "./live-sweep.ts";
import { unlessAborted } from "./single-flight.ts";
import type { ManifestEntry } from "../store/store.ts";

/** The index of a working tree, which follows its files. */
export interface LiveIndex {
  /** Brings in what has changed, as far as the time allows, and says what is left. */
  freshen(options: FreshenOptions): Promise<Freshness>;
  /** Reads these files before all others, and waits until the first of them are in, or the time is over. */
  bringIn(paths: readonly string[], options: BringInOptions): Promise<Freshness>;
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
  /** How to wait where the index is being built for the first time. */
  readonly first?: FirstWait;
  /** Looks at every file, however long it takes. */
  readonly thorough?: boolean;
  /** Something has changed that no notice told of. */
  readonly forceRescan?: boolean;
  /** Whether what does not fit into the time is worked off afterwards; by default it is. */
  readonly background?: boolean;
  readonly signal?: AbortSignal;
}

export interface BringInOptions {
  readonly budgetMs: number;
  /** Whether the work on the other files goes on afterwards; by default it does. */
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

/** Whether all files are in the index as they are now. */
export function isWhole({ pending, unchecked = false }: Freshness): boolean {
  return pending.size === 0 && !unchecked;
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
    wanted: [],
    urgent: [],
    listed: false,
    complete: stored?.complete ?? false,
    indexedHead: stored?.commit,
    head: undefined,
    generation: 0,
    chunksMade: 0,
    stopped: false,
    closing: false,
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
    bringIn: (paths, options) => bringIn(state, { ...options, paths }),
    start() {
      // Nobody waits for this work; the next query looks for what is still to do and meets the error itself.
      if (state.pending.size > 0) run(state).catch(() => undefined);
    },
    finish: (options = {}) => finish(state, sweep, options),
    async close() {
      sweep.close();
      state.stopped = true;
      state.closing = true;
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
  const { background = true, thorough = false, forceRescan = false, signal } = options;
  const budgetMs = state.complete ? options.budgetMs : Math.max(options.budgetMs, options.first?.ms ?? 0);
  const deadline = Date.now() + budgetMs;
  if (forceRescan) sweep.forceRescan();
  // What is edited while a tree is first read is found after that; to look at all of it again and again would only delay
  // the end.
  const isFirst = !state.complete && state.pump !== undefined;
  if (isFirst && !thorough && Date.now() - sweep.lookedAt() < FIRST_LOOK_LASTS_MS) {
    const work = state.pump ?? Promise.resolve();
    await waitForFirst(firstWork(state, work), { ...options.first, ms: budgetMs, ...aborting(signal) });
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
  if (state.complete) await workUntil(deadline, state);
  else {
    const first = { ...options.first, ms: deadline - Date.now(), ...aborting(signal) };
    await tolerate(state, waitForFirst(firstWork(state, run(state)), first));
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
    await tolerate(state, within(run(state), deadline - Date.now()));
  } while (state.pending.size > 0 && state.generation !== before && Date.now() < deadline);
}

function firstWork(state: LiveState, work: Promise<void>): FirstWork {
  return { work, pending: () => state.pending.size, indexed: () => state.entries.size };
}

function aborting(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

async function bringIn(
  state: LiveState,
  { paths, budgetMs, background = true, signal }: BringInOptions & { readonly paths: readonly string[] },
): Promise<Freshness> {
  // Until all files are listed nobody knows that these are to be read.
  if (!state.listed) for (const path of paths) if (hasChanged(state, path)) state.pending.add(path);
  state.wanted = paths.filter((path) => state.pending.has(path));
  const awaited = new Set(state.wanted.slice(0, MAX_AWAITED));
  if (awaited.size === 0) return freshnessOf(state);
  const alone = state.pump === undefined;
  const left = (): number => {
    for (const path of awaited)
      if (!state.pending.has(path) || !hasChanged(state, path)) awaited.delete(path);
    return awaited.size;
  };
  await tolerate(state, untilNone(run(state), left, { ms: budgetMs, ...aborting(signal) }));
  if (!background && alone && state.pending.size > 0) state.stopped = true;
  return freshnessOf(state);
}

/** So many files are waited for at most; the answer shows far fewer. */
const MAX_AWAITED = 256;

/** Goes on with what a look finds that nobody waits for; the next query meets its error itself. */
function runAfter(look: Promise<void>, state: LiveState): void {
  look.then(() => (state.pending.size > 0 ? run(state) : undefined)).catch(() => undefined);
}

function run(state: LiveState): Promise<void> {
  // Work that was told to stop ends after its batch; only then may it begin anew.
  if (state.pump !== undefined && state.stopped)
    return state.pump.catch(() => undefined).then(() => run(state));
  if (state.pump === undefined) state.stopped = false;
  state.pump ??= workUntilDone(state);
  return state.pump;
}

/** Files found while the last batch was being stored belong to this work too: whoever waits for it waits for them. */
async function workUntilDone(state: LiveState): Promise<void> {
  try {
    do await workOff(state);
    while (state.pending.size > 0 && !state.stopped);
  } finally {
    state.pump = undefined;
  }
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
  sweep.forceRescan();
}

/** Entries whose record is not in the store: made by another version of Pith, or damaged. */
async function lostPaths({ entries, context: { store } }: LiveState): Promise<string[]> {
  const keyed = [...entries.values()].filter(({ key }) => key !== undefined);
  const known = await store.known([...new Set(keyed.flatMap(({ key }) => key ?? []))]);
  return keyed.filter(({ key }) => key !== undefined && !known.has(key)).map(({ path }) => path);
}

function freshnessOf({ pending, complete, listed, pump, head, indexedHead }: LiveState): Freshness {
  return {
    // As it is now: what is brought in later is not in the answer that this is told with.
    pending: new Set(pending),
    complete: complete || (listed && pending.size === 0),
    ...(!listed && { unchecked: true }),
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
