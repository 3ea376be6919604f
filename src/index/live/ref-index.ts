import { listTree, readBlobs } from "../../workspace/git/git-objects.ts";
import { resolveCommit, type GitRepository } from "../../workspace/git/git-repository.ts";
import { contentOfFile, isBinaryName, keyOfFile } from "../store/content.ts";
import { recordNewTexts } from "./file-batch.ts";
import { runToEnd, unlessAborted, waitForFirst, waitUntilNone } from "./waiting.ts";
import type { IndexContext } from "./index-context.ts";
import { createJobLog } from "./job-log.ts";
import type { PrioritizeOptions, FinishOptions, Freshness, TreeIndex } from "./tree-index.ts";
import type { SegmentPool } from "../store/segment-pool.ts";
import { singleFlight } from "./single-flight.ts";
import type { ManifestEntry } from "../store/store.ts";

/**
 * Upper bounds on the number and size of the git blobs read per call of git, because all of them are in memory at once.
 */
const BLOBS_PER_BATCH = 256;
const BYTES_PER_BATCH = 64 * 1024 * 1024;

interface RefState {
  readonly entries: Map<string, ManifestEntry>;
  /** Git blobs that have no index record yet, by path. */
  pending: Map<string, PendingBlob>;
  commit: string | undefined;
  indexed: string | undefined;
  generation: number;
  chunksCreated: number;
  isStopped: boolean;
  /** True while the index is being closed; this process does not continue its indexing. */
  isClosing: boolean;
  /** Whether index records are created even for blobs whose record is in the store. */
  isRebuilding: boolean;
  activeWork: Promise<void> | undefined;
}

interface PendingBlob {
  readonly hash: string;
  readonly size: number;
}

/** Opens the index of a branch, tag or commit. It is read from git's objects, without the working tree. */
export async function openRefIndex(
  ref: string,
  context: IndexContext,
  repository: GitRepository,
): Promise<TreeIndex> {
  const stored = await context.store.manifest(context.projectId, ref);
  const state: RefState = {
    entries: new Map(stored?.entries.map((entry) => [entry.path, entry])),
    pending: new Map(),
    commit: undefined,
    indexed: stored?.complete === true ? stored.commit : undefined,
    generation: 0,
    chunksCreated: 0,
    isStopped: false,
    isClosing: false,
    isRebuilding: false,
    activeWork: undefined,
  };
  const shared = singleFlight(() => readTree(state, { ref, context, repository }));
  const scan = (signal?: AbortSignal): Promise<void> => unlessAborted(shared(), signal);
  const run = (): Promise<void> => {
    // Indexing that was asked to stop ends after its current batch; it can start again only then.
    if (state.activeWork !== undefined && state.isStopped)
      return state.activeWork.catch(() => undefined).then(run);
    if (state.activeWork === undefined) state.isStopped = false;
    state.activeWork ??= indexPending(state, { ref, context, repository }).finally(() => {
      state.activeWork = undefined;
    });
    return state.activeWork;
  };
  return {
    entries: state.entries,
    chunksCreated: () => state.chunksCreated,
    generation: () => state.generation,
    isStale: (path) => state.pending.has(path),
    forget() {
      state.commit = undefined;
      state.indexed = undefined;
      state.generation++;
    },
    scan: () => scan().then(() => freshnessOf(state)),
    async refresh({ budgetMs, first, signal }) {
      await scan(signal);
      const counts = { pending: () => state.pending.size, indexed: () => state.entries.size };
      const ms = Math.max(budgetMs, first?.ms ?? 0);
      await waitForFirst({ work: run(), ...counts }, { ...first, ms, ...(signal && { signal }) });
      return freshnessOf(state);
    },
    prioritize: (paths, options) => prioritize(state, run, { ...options, paths }),
    start() {
      // Nobody waits for this background work; if it fails, the next query reports the error.
      run().catch(() => undefined);
    },
    finish: (options = {}) => finish(state, { scan, run, pool: context.pool }, options),
    async close() {
      state.isStopped = true;
      state.isClosing = true;
      await state.activeWork?.catch(() => undefined);
    },
  };
}

async function prioritize(
  state: RefState,
  run: () => Promise<void>,
  { paths, budgetMs, signal }: PrioritizeOptions & { readonly paths: readonly string[] },
): Promise<Freshness> {
  const wanted = paths.filter((path) => state.pending.has(path));
  putFirst(state, wanted);
  const awaited = wanted.slice(0, BLOBS_PER_BATCH);
  const left = () => awaited.filter((path) => state.pending.has(path)).length;
  await waitUntilNone(run(), left, { ms: budgetMs, ...(signal && { signal }) });
  return freshnessOf(state);
}

/** Moves these paths to the front of `pending` (the files to be indexed), so that they are indexed next. */
function putFirst(state: RefState, paths: readonly string[]): void {
  const former = [...state.pending];
  const wanted = new Set(paths);
  const moved = paths.flatMap((path): [string, PendingBlob][] => {
    const blob = state.pending.get(path);
    return blob === undefined ? [] : [[path, blob]];
  });
  state.pending.clear();
  for (const [path, blob] of [...moved, ...former.filter(([path]) => !wanted.has(path))])
    state.pending.set(path, blob);
}

async function beginRebuild(state: RefState, pool: SegmentPool): Promise<void> {
  await pool.forget();
  state.isRebuilding = true;
  state.commit = undefined;
  state.indexed = undefined;
}

async function finish(
  state: RefState,
  steps: { scan: (signal?: AbortSignal) => Promise<void>; run: () => Promise<void>; pool: SegmentPool },
  options: FinishOptions,
): Promise<Freshness> {
  const { scan, run, pool } = steps;
  if (options.force === true) await beginRebuild(state, pool);
  await scan(options.signal);
  await runToEnd(state, run, options);
  return freshnessOf(state);
}

interface RefPlace {
  readonly ref: string;
  readonly context: IndexContext;
  readonly repository: GitRepository;
}

/** Resolves the git ref to a commit and, if it has moved to another one, finds the blobs without an index record. */
async function readTree(state: RefState, { ref, context, repository }: RefPlace): Promise<void> {
  const commit = await resolveCommit(repository, ref);
  if (commit === state.commit || (state.commit === undefined && commit === state.indexed)) {
    state.commit = commit;
    return;
  }
  const tree = await listTree(repository, commit);
  const entries = tree.map(({ path, hash, size }): ManifestEntry & PendingBlob => {
    if (size > context.maxFileBytes) return { path, hash, size, skipped: "too_large" };
    if (isBinaryName(path)) return { path, hash, size, skipped: "binary" };
    return { path, hash, size, key: keyOfFile(path, hash) };
  });
  const keys = entries.flatMap(({ key }) => (key === undefined ? [] : [key]));
  const known = state.isRebuilding ? new Set<string>() : await context.store.known(keys);
  state.commit = commit;
  state.entries.clear();
  state.pending = new Map();
  for (const { hash, size, ...entry } of entries) {
    if (entry.key === undefined || known.has(entry.key)) state.entries.set(entry.path, entry);
    else state.pending.set(entry.path, { hash, size });
  }
  state.generation++;
}

async function indexPending(state: RefState, place: RefPlace): Promise<void> {
  const { commit } = state;
  if (commit === undefined || (state.pending.size === 0 && state.indexed === commit)) return;
  const jobs = createJobLog(place.context, place.ref);
  if (state.pending.size > BLOBS_PER_BATCH) await jobs.begin("full", state.pending.size);
  try {
    await indexBlobs(state, commit, place);
    await (state.isClosing && state.pending.size > 0 ? jobs.interrupt() : jobs.end());
  } catch (error) {
    // If the index is being closed, its parser threads end in the middle of a batch; this does not count as a failure.
    await (state.isClosing ? jobs.interrupt() : jobs.fail(error));
    throw error;
  }
}

/** Indexes git blobs in batches until none is left or the index is stopped. */
async function indexBlobs(
  state: RefState,
  commit: string,
  { ref, context, repository }: RefPlace,
): Promise<void> {
  while (state.pending.size > 0 && !state.isStopped) {
    const batch = takeBatch(state.pending);
    const blobs = await readBlobs(repository, [...new Set(batch.map(([, { hash }]) => hash))]);
    const read = batch.map(([path, { hash }]) => readEntry(path, hash, blobs.get(hash)));
    const texts = new Map(read.flatMap(({ text }) => (text === undefined ? [] : [[text.key, text]])));
    const records = await recordNewTexts([...texts.values()], { ...context, rebuild: state.isRebuilding });
    await context.store.publish({
      projectId: context.projectId,
      ref,
      records: Array.from(records, ([key, record]) => ({ key, record })),
      changed: read.map(({ entry }) => entry),
      removed: [],
      complete: false,
      at: Date.now(),
    });
    // If the ref has moved to another commit meanwhile, the next call indexes that commit.
    if (state.commit !== commit) return;
    // Memory is updated after the store, because a query that finds a file in memory also needs its outline from the
    // store.
    for (const { entry } of read) state.entries.set(entry.path, entry);
    for (const { chunks } of records.values()) state.chunksCreated += chunks;
    for (const [path] of batch) state.pending.delete(path);
    state.generation++;
  }
  if (state.pending.size === 0) await publishAll(state, commit, { ref, context });
  if (state.pending.size === 0 && state.isRebuilding) {
    state.isRebuilding = false;
    await context.pool.forget();
  }
}

/** Takes the next git blobs to be indexed, as many as may be in memory at once. */
function takeBatch(pending: ReadonlyMap<string, PendingBlob>): [string, PendingBlob][] {
  const batch: [string, PendingBlob][] = [];
  let bytes = 0;
  for (const one of pending) {
    bytes += one[1].size;
    if (batch.length === BLOBS_PER_BATCH || (batch.length > 0 && bytes > BYTES_PER_BATCH)) break;
    batch.push(one);
  }
  return batch;
}

/**
 * Writes all paths of a commit to the store in one step, so that readers see either the old commit's files or the new
 * ones.
 */
async function publishAll(
  state: RefState,
  commit: string,
  { ref, context }: Pick<RefPlace, "ref" | "context">,
): Promise<void> {
  const before = await context.store.manifest(context.projectId, ref);
  await context.store.publish({
    projectId: context.projectId,
    ref,
    records: [],
    changed: [...state.entries.values()],
    removed: (before?.entries ?? []).map(({ path }) => path).filter((path) => !state.entries.has(path)),
    commit,
    complete: true,
    at: Date.now(),
  });
  state.indexed = commit;
}

function readEntry(path: string, hash: string, bytes: Buffer | undefined) {
  if (bytes === undefined) return { entry: { path, skipped: "unreadable" } satisfies ManifestEntry };
  const file = contentOfFile(path, bytes, hash);
  if ("skipped" in file) return { entry: { path, skipped: file.skipped } satisfies ManifestEntry };
  return { entry: { path, key: file.key } satisfies ManifestEntry, text: file };
}

function freshnessOf(state: RefState): Freshness {
  return {
    pending: new Set(state.pending.keys()),
    isComplete: state.pending.size === 0,
    isWorking: state.activeWork !== undefined,
    ...(state.commit !== undefined && { head: state.commit }),
    ...(state.indexed !== undefined && { indexedHead: state.indexed }),
  };
}
