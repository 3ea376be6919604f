import type { Layout } from "./corpus-state.ts";
import type { Space, VectorStore } from "./store.ts";
import type { NearestChunk, NearestOptions } from "./vector-pool.ts";

/** A store that can search for nearest vectors itself, such as PostgreSQL with pgvector. */
export type SearchingStore = VectorStore & Required<Pick<VectorStore, "nearest">>;

export function isSearching(store: VectorStore): store is SearchingStore {
  return store.nearest !== undefined;
}

/** Up to this many chunks, a query lists the chunks it accepts. */
const MAX_LISTED_CHUNKS = 10_000;
/**
 * With more chunks, the store searches all of them. It is asked for ever more results, starting with this many times the
 * limit, until enough of them are accepted.
 */
const FIRST_OVERFETCH = 4;
const MAX_REQUESTED = 6_400;

export async function nearestInStore(
  store: SearchingStore,
  { spaceId }: Space,
  layout: Layout,
  { query, limit, accepts }: NearestOptions & { readonly query: Float32Array },
): Promise<NearestChunk[]> {
  const places = new Map<string, number[]>();
  for (const [place, chunk] of layout.chunks.entries()) {
    if (accepts?.(place) === false) continue;
    const list = places.get(chunk);
    if (list === undefined) places.set(chunk, [place]);
    else list.push(place);
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
