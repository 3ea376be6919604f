import { addToGroup } from "../kernel/group-by.ts";
import type { Corpus, SliceCache } from "./corpus.ts";
import type { Embedded } from "./progress.ts";
import type { QuantisedVector } from "./quantise.ts";
import type { Space, VectorStore } from "./store.ts";
import { createStateTracker, type CorpusState, type Layout } from "./corpus-state.ts";
import { createVectorPool, type NearestChunk, type NearestOptions, type VectorPool } from "./vector-pool.ts";

/**
 * Nearest-neighbour search in the chunks of a corpus. After a change of the embedding model, the vectors of the
 * previous model are used as long as they cover more chunks than those of the current one.
 */
export interface VectorIndex {
  /** Chooses the model whose vectors are searched; undefined while no model has any. */
  choose(corpus: Corpus): Promise<Choice | undefined>;
  /** Chooses the model whose vectors are searched and loads them into memory. */
  prepare(corpus: Corpus): Promise<Choice | undefined>;
  nearest(
    corpus: Corpus,
    choice: Choice,
    options: SemanticQueryOptions & { readonly query: Float32Array },
  ): Promise<SemanticHit[]>;
  /** Adds a new vector of the current embedding model. */
  add(chunk: string, vector: QuantisedVector): void;
  /** Stops using a previous embedding model that the provider no longer offers. */
  abandon(space: Space): void;
  bytes(): number;
}

export interface Choice {
  readonly space: Space;
  readonly isPrevious: boolean;
  /** Share of the files that have vectors of the current embedding model, from 0 to 1. */
  readonly coverage: number;
}

export interface SemanticQueryOptions {
  /** Maximum number of chunks to return. */
  readonly limit: number;
  readonly accepts?: (path: string) => boolean;
  readonly signal?: AbortSignal;
}

export interface SemanticHit {
  readonly path: string;
  readonly lineStart: number;
  readonly lineEnd: number;
  readonly similarity: number;
}

export interface VectorIndexOptions {
  readonly store: VectorStore;
  readonly sliceCache: SliceCache;
  readonly embedded: Embedded;
  readonly space: () => Space;
  readonly maxBytes: number;
}

export function createVectorIndex(options: VectorIndexOptions): VectorIndex {
  const { store, embedded } = options;
  const stateOf = createStateTracker(options.sliceCache, embedded);
  const pools = createPools(options);
  const previous = createPreviousModels(store);
  const choose = async (corpus: Corpus): Promise<Choice | undefined> => {
    const state = await stateOf(corpus);
    const space = options.space();
    const current = { space, isPrevious: false, coverage: state.coverage };
    if (state.coverage === 1) {
      pools.keepOnly(space);
      return space.width === 0 ? undefined : current;
    }
    const before = await previous.find(state, space);
    if (before !== undefined && before.count > state.done) return { ...current, ...before, isPrevious: true };
    return space.width === 0 || state.done === 0 ? undefined : current;
  };
  return {
    choose,
    async prepare(corpus) {
      const choice = await choose(corpus);
      if (choice !== undefined && !isSearching(store)) await pools.load(choice.space, await stateOf(corpus));
      return choice;
    },
    async nearest(corpus, { space }, { query, limit, accepts }) {
      const state = await stateOf(corpus);
      const { layout } = state;
      const wanted = accepts === undefined ? undefined : filterOf(corpus, layout, accepts);
      const asked = { query, limit, ...(wanted !== undefined && { accepts: wanted }) };
      const found = isSearching(store)
        ? await nearestInStore(store, space, layout, asked)
        : await pools.nearest(space, state, asked);
      return found.map(({ place, similarity }) => ({
        path: corpus.files[layout.files[place] ?? 0]?.path ?? "",
        lineStart: layout.starts[place] ?? 1,
        lineEnd: layout.ends[place] ?? 1,
        similarity,
      }));
    },
    add: (chunk, vector) => pools.add(options.space(), chunk, vector),
    abandon(space) {
      previous.abandon(space);
      pools.drop(space);
    },
    bytes: () => pools.bytes(),
  };
}

/** Keeps the vectors that are in memory, separately for each embedding model. */
function createPools({ store, embedded, space: current, maxBytes }: VectorIndexOptions) {
  const byModel = new Map<number, VectorPool>();
  const load = async (space: Space, state: CorpusState): Promise<VectorPool> => {
    const pool = byModel.get(space.spaceId) ?? createVectorPool(space, store, maxBytes);
    byModel.set(space.spaceId, pool);
    const { chunks } = state.layout;
    const isCurrent = space.spaceId === current().spaceId;
    if (!pool.holds(state))
      await pool.load(state, chunks, isCurrent ? (chunk) => embedded.has(chunk) : undefined);
    return pool;
  };
  return {
    load,
    async nearest(
      space: Space,
      state: CorpusState,
      asked: NearestOptions & { readonly query: Float32Array },
    ): Promise<NearestChunk[]> {
      const pool = await load(space, state);
      return pool.nearest(asked.query, state.layout.chunks, { ...asked, owner: state });
    },
    add(space: Space, chunk: string, vector: QuantisedVector): void {
      byModel.get(space.spaceId)?.add(chunk, vector);
    },
    drop: (space: Space) => void byModel.delete(space.spaceId),
    keepOnly(space: Space): void {
      for (const id of byModel.keys()) if (id !== space.spaceId) byModel.delete(id);
    },
    bytes: () => [...byModel.values()].reduce((sum, pool) => sum + pool.bytes(), 0),
  };
}

interface PreviousModel {
  readonly space: Space;
  /** Number of chunks that have a vector of this model. */
  readonly count: number;
}

/**
 * Finds the previous embedding model whose vectors cover most chunks. It must belong to the current provider, which has
 * to embed the questions with it.
 */
function createPreviousModels(store: VectorStore) {
  const known = new WeakMap<Layout, Promise<PreviousModel | undefined>>();
  const abandoned = new Set<number>();
  const search = async ({ chunks }: Layout, current: Space): Promise<PreviousModel | undefined> => {
    let best: PreviousModel | undefined;
    for (const space of await store.spaces()) {
      const isCandidate = space.spaceId !== current.spaceId && space.provider === current.provider;
      if (!isCandidate || space.width === 0 || abandoned.has(space.spaceId)) continue;
      const { size } = await store.known(space.spaceId, [...new Set(chunks)]);
      if (size > (best?.count ?? 0)) best = { space, count: size };
    }
    return best;
  };
  return {
    async find({ layout }: CorpusState, current: Space): Promise<PreviousModel | undefined> {
      const found = known.get(layout) ?? search(layout, current);
      known.set(layout, found);
      const model = await found;
      return model === undefined || abandoned.has(model.space.spaceId) ? undefined : model;
    },
    abandon: (space: Space) => void abandoned.add(space.spaceId),
  };
}

/** Turns a test of file paths into a test of chunks, which calls the former only once per file. */
function filterOf(
  corpus: Corpus,
  { files }: Layout,
  accepts: (path: string) => boolean,
): (place: number) => boolean {
  const wanted = corpus.files.map(({ path }) => accepts(path));
  return (place) => wanted[files[place] ?? -1] === true;
}

/** A store that can search for nearest vectors itself, such as PostgreSQL with pgvector. */
type SearchingStore = VectorStore & Required<Pick<VectorStore, "nearest">>;

function isSearching(store: VectorStore): store is SearchingStore {
  return store.nearest !== undefined;
}

/** Maximum number of accepted chunks that are listed in a query to the store; the query is then restricted to them. */
const MAX_LISTED_CHUNKS = 10_000;
/**
 * If a query accepts too many chunks to list them, the store searches all of its chunks and is asked for more and more
 * results until enough of them are accepted. The first request is for this many times the limit.
 */
const FIRST_OVERFETCH = 4;
const MAX_REQUESTED = 6_400;

async function nearestInStore(
  store: SearchingStore,
  { spaceId }: Space,
  layout: Layout,
  { query, limit, accepts }: NearestOptions & { readonly query: Float32Array },
): Promise<NearestChunk[]> {
  const places = new Map<string, number[]>();
  for (const [place, chunk] of layout.chunks.entries()) {
    if (accepts?.(place) !== false) addToGroup(places, chunk, place);
  }
  const among = places.size <= MAX_LISTED_CHUNKS ? [...places.keys()] : undefined;
  for (let requested = among === undefined ? limit * FIRST_OVERFETCH : limit; ; requested *= 4) {
    const options = { limit: requested, ...(among !== undefined && { among }) };
    const near = await store.nearest(spaceId, query, options);
    const found = near.flatMap(({ chunk, similarity }) =>
      (places.get(chunk) ?? []).map((place) => ({ place, similarity })),
    );
    if (found.length >= limit || near.length < requested || requested >= MAX_REQUESTED)
      return found.slice(0, limit);
  }
}
