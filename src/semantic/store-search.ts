import type { Layout } from "./layout.ts";
import type { Space, VectorStore } from "./store.ts";
import type { NearestChunk, NearestOptions } from "./vector-pool.ts";

/** A store that finds neighbours itself. */
export type SearchingStore = VectorStore & Required<Pick<VectorStore, "nearest">>;

export function isSearching(store: VectorStore): store is SearchingStore {
  return store.nearest !== undefined;
}

/** The store knows nothing of files: it is asked for more until enough of what it gives is wanted. */
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
  for (let asked = limit * FIRST_ASKED; ; asked *= 4) {
    const near = await store.nearest(spaceId, query, asked);
    const found = near.flatMap(({ chunk, similarity }) =>
      (places.get(chunk) ?? []).map((place) => ({ place, similarity })),
    );
    if (found.length >= limit || near.length < asked || asked >= MOST_ASKED) return found.slice(0, limit);
  }
}
