import type { Layout } from "./layout.ts";
import type { Space, VectorStore } from "./store.ts";
import type { NearestChunk, NearestOptions } from "./vector-pool.ts";

/** A store that finds neighbours itself. */
export type SearchingStore = VectorStore & Required<Pick<VectorStore, "nearest">>;

export function isSearching(store: VectorStore): store is SearchingStore {
  return store.nearest !== undefined;
}

/** So many chunks can be named in a question. */
const MOST_NAMED = 10_000;
/** With more, the store knows nothing of files: it is asked for more until enough of what it gives is wanted. */
const FIRST_ASKED = 4;
const MOST_ASKED = 6_400;

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
  const among = places.size <= MOST_NAMED ? [...places.keys()] : undefined;
  for (let asked = among === undefined ? limit * FIRST_ASKED : limit; ; asked *= 4) {
    const options = { limit: asked, ...(among !== undefined && { among }) };
    const near = await store.nearest(spaceId, query, options);
    const found = near.flatMap(({ chunk, similarity }) =>
      (places.get(chunk) ?? []).map((place) => ({ place, similarity })),
    );
    if (found.length >= limit || near.length < asked || asked >= MOST_ASKED) return found.slice(0, limit);
  }
}
