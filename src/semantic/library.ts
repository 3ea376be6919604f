import type { Corpus, SliceBook } from "./corpus.ts";
import type { Layout } from "./layout.ts";
import type { Embedded } from "./progress.ts";
import type { QuantisedVector } from "./quantise.ts";
import type { Space, VectorStore } from "./store.ts";
import { isSearching, nearestInStore } from "./store-search.ts";
import { createSurveyor, type Survey } from "./survey.ts";
import { createVectorPool, type NearestChunk, type NearestOptions, type VectorPool } from "./vector-pool.ts";

/** The vectors that corpora are searched by: of the current model, or of the one before it until the new are whole. */
export interface Library {
  /** Whose vectors serve; undefined as long as there are none. */
  choose(corpus: Corpus): Promise<Choice | undefined>;
  /** The same, and reads them into memory if they are not there yet. */
  prepare(corpus: Corpus): Promise<Choice | undefined>;
  nearest(
    corpus: Corpus,
    choice: Choice,
    options: MeaningOptions & { readonly query: Float32Array },
  ): Promise<MeaningHit[]>;
  /** Keeps a vector of the current model that was just made. */
  add(chunk: string, vector: QuantisedVector): void;
  /** The provider does not answer for this former model any more. */
  giveUp(space: Space): void;
  bytes(): number;
}

export interface Choice {
  readonly space: Space;
  readonly isFormer: boolean;
  /** The share of files that have vectors of the current model. */
  readonly coverage: number;
}

export interface MeaningOptions {
  /** Chunks at most. */
  readonly limit: number;
  readonly accepts?: (path: string) => boolean;
  readonly signal?: AbortSignal;
}

export interface MeaningHit {
  readonly path: string;
  readonly lineStart: number;
  readonly lineEnd: number;
  readonly similarity: number;
}

export interface LibraryOptions {
  readonly store: VectorStore;
  readonly book: SliceBook;
  readonly embedded: Embedded;
  readonly space: () => Space;
  readonly maxBytes: number;
}

export function createLibrary(options: LibraryOptions): Library {
  const { store, embedded } = options;
  const survey = createSurveyor(options.book, embedded);
  const shelf = createShelf(options);
  const former = createFormerSearch(store);
  const choose = async (corpus: Corpus): Promise<Choice | undefined> => {
    const state = await survey(corpus);
    const space = options.space();
    const current = { space, isFormer: false, coverage: state.coverage };
    if (state.coverage === 1) {
      shelf.keepOnly(space);
      return space.width === 0 ? undefined : current;
    }
    const before = await former.find(state, space);
    if (before !== undefined && before.count > state.done) return { ...current, ...before, isFormer: true };
    return space.width === 0 || state.done === 0 ? undefined : current;
  };
  return {
    choose,
    async prepare(corpus) {
      const choice = await choose(corpus);
      if (choice !== undefined && !isSearching(store)) await shelf.load(choice.space, await survey(corpus));
      return choice;
    },
    async nearest(corpus, { space }, { query, limit, accepts }) {
      const state = await survey(corpus);
      const { layout } = state;
      const wanted = accepts === undefined ? undefined : filterOf(corpus, layout, accepts);
      const asked = { query, limit, ...(wanted !== undefined && { accepts: wanted }) };
      const found = isSearching(store)
        ? await nearestInStore(store, space, layout, asked)
        : await shelf.nearest(space, state, asked);
      return found.map(({ place, similarity }) => ({
        path: corpus.files[layout.files[place] ?? 0]?.path ?? "",
        lineStart: layout.starts[place] ?? 1,
        lineEnd: layout.ends[place] ?? 1,
        similarity,
      }));
    },
    add: (chunk, vector) => shelf.add(options.space(), chunk, vector),
    giveUp(space) {
      former.giveUp(space);
      shelf.drop(space);
    },
    bytes: () => shelf.bytes(),
  };
}

/** The vectors in memory, model by model. */
function createShelf({ store, embedded, space: current, maxBytes }: LibraryOptions) {
  const pools = new Map<number, VectorPool>();
  const load = async (space: Space, state: Survey): Promise<VectorPool> => {
    const pool = pools.get(space.spaceId) ?? createVectorPool(space, store, maxBytes);
    pools.set(space.spaceId, pool);
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
      state: Survey,
      asked: NearestOptions & { readonly query: Float32Array },
    ): Promise<NearestChunk[]> {
      const pool = await load(space, state);
      return pool.nearest(asked.query, state.layout.chunks, { ...asked, owner: state });
    },
    add(space: Space, chunk: string, vector: QuantisedVector): void {
      pools.get(space.spaceId)?.add(chunk, vector);
    },
    drop: (space: Space) => void pools.delete(space.spaceId),
    keepOnly(space: Space): void {
      for (const id of pools.keys()) if (id !== space.spaceId) pools.delete(id);
    },
    bytes: () => [...pools.values()].reduce((sum, pool) => sum + pool.bytes(), 0),
  };
}

interface Former {
  readonly space: Space;
  /** How many of the chunks it has. */
  readonly count: number;
}

/** The model before this one that has most of the chunks. Only the same provider can be asked about it. */
function createFormerSearch(store: VectorStore) {
  const known = new WeakMap<Layout, Promise<Former | undefined>>();
  const lost = new Set<number>();
  const search = async ({ chunks }: Layout, current: Space): Promise<Former | undefined> => {
    let best: Former | undefined;
    for (const space of await store.spaces()) {
      const isCandidate = space.spaceId !== current.spaceId && space.provider === current.provider;
      if (!isCandidate || space.width === 0 || lost.has(space.spaceId)) continue;
      const { size } = await store.known(space.spaceId, [...new Set(chunks)]);
      if (size > (best?.count ?? 0)) best = { space, count: size };
    }
    return best;
  };
  return {
    async find({ layout }: Survey, current: Space): Promise<Former | undefined> {
      const found = known.get(layout) ?? search(layout, current);
      known.set(layout, found);
      const former = await found;
      return former === undefined || lost.has(former.space.spaceId) ? undefined : former;
    },
    giveUp: (space: Space) => void lost.add(space.spaceId),
  };
}

/** Looks at each file once. */
function filterOf(
  corpus: Corpus,
  { files }: Layout,
  accepts: (path: string) => boolean,
): (place: number) => boolean {
  const wanted = corpus.files.map(({ path }) => accepts(path));
  return (place) => wanted[files[place] ?? -1] === true;
}
