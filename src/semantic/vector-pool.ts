import { pause } from "./corpus.ts";
import { quantise, similarity, type QuantisedVector } from "./quantise.ts";
import { createScanner, type Scanner } from "./scan/scanner.ts";
import type { Space, VectorStore } from "./store.ts";

/** The vectors of one model that are in memory. */
export interface VectorPool {
  readonly space: Space;
  /** Reads what it lacks of a list of chunks, as far as memory allows; those that are not there are not looked for. */
  load(owner: object, chunks: readonly string[], isThere?: (chunk: string) => boolean): Promise<void>;
  /** Whether a list that was loaded for this owner is still there. */
  holds(owner: object): boolean;
  /** Keeps a vector that was just made, if there is room. */
  add(chunk: string, vector: QuantisedVector): void;
  /** The chunks most like the query: first roughly among all, then exactly among the best. Best first. */
  nearest(query: Float32Array, chunks: readonly string[], options: PoolOptions): Promise<NearestChunk[]>;
  bytes(): number;
}

export interface NearestOptions {
  readonly limit: number;
  /** Whether the chunk at this place of the list is wanted. */
  readonly accepts?: (place: number) => boolean;
}

interface PoolOptions extends NearestOptions {
  /** What the list was loaded for. */
  readonly owner: object;
}

export interface NearestChunk {
  /** Its place in the list of chunks. */
  readonly place: number;
  readonly similarity: number;
}

/** What a row costs beside its bytes: its name and number in a map, its scale. */
const ROW_OVERHEAD = 140;
/** Vectors a read: between two, others may work. */
const READ_ROWS = 2_000;
/** So many times the wanted number is looked at exactly; the rough order of bytes is nearly the true one. */
const RERANKED = 4;

export function createVectorPool(space: Space, store: VectorStore, maxBytes: number): VectorPool {
  const scanner = createScanner(space.width);
  const spare = lazy(() => createScanner(space.width));
  const maxRows = Math.max(1, Math.floor(maxBytes / (space.width + ROW_OVERHEAD)));
  const rows = new Map<string, number>();
  let scales = new Float32Array(1_024);
  const add = (chunk: string, { codes, scale }: QuantisedVector): void => {
    if (rows.has(chunk) || rows.size >= maxRows || codes.length !== space.width) return;
    const row = scanner.add(codes);
    if (row >= scales.length) scales = grown(scales);
    scales[row] = scale;
    rows.set(chunk, row);
  };
  /** For every list that was loaded, the row of each of its chunks; -1 for one without. */
  let owners = new WeakMap<object, Int32Array>();
  const load: VectorPool["load"] = async (owner, chunks, isThere = () => true) => {
    const wanted = new Set(chunks.filter(isThere));
    let missing = [...wanted].filter((chunk) => !rows.has(chunk));
    // Other projects' vectors make room for the ones that are asked for.
    if (rows.size > 0 && rows.size + missing.length > maxRows) {
      rows.clear();
      scanner.clear();
      owners = new WeakMap();
      missing = [...wanted];
    }
    for (let at = 0; at < missing.length && rows.size < maxRows; at += READ_ROWS) {
      const read = await store.vectors(space.spaceId, missing.slice(at, at + READ_ROWS));
      for (const [chunk, vector] of read) add(chunk, vector);
      await pause();
    }
    owners.set(
      owner,
      Int32Array.from(chunks, (chunk) => rows.get(chunk) ?? -1),
    );
  };
  return {
    space,
    load,
    holds: (owner) => owners.has(owner),
    add,
    async nearest(query, chunks, options) {
      const list = owners.get(options.owner) ?? new Int32Array();
      const { found, outside } = scanInside(query, { list, scanner, scales, options });
      if (rows.size >= maxRows && outside.length > 0)
        found.push(
          ...(await scanOutside(query, { chunks, places: outside, store, space, scanner: spare(), options })),
        );
      return found.sort((a, b) => b.similarity - a.similarity || a.place - b.place).slice(0, options.limit);
    },
    bytes: () => scanner.bytes() + rows.size * ROW_OVERHEAD,
  };
}

/** Among the rows in memory; `outside` are the places that have none. */
function scanInside(
  query: Float32Array,
  given: { list: Int32Array; scanner: Scanner; scales: Float32Array; options: NearestOptions },
): { found: NearestChunk[]; outside: number[] } {
  const { list, scanner, scales, options } = given;
  const best = createBest(options.limit * RERANKED);
  const outside: number[] = [];
  const dots = new Int32Array(scanner.size());
  scanner.dots(quantise(query).codes, dots);
  for (let place = 0; place < list.length; place++) {
    if (options.accepts?.(place) === false) continue;
    const row = list[place] ?? -1;
    if (row < 0) outside.push(place);
    else best.offer(place, (dots[row] ?? 0) * (scales[row] ?? 0));
  }
  const found = best.places().map((place) => {
    const row = list[place] ?? 0;
    return { place, similarity: similarity(query, scanner.row(row), scales[row] ?? 0) };
  });
  return { found, outside };
}

/** What does not fit into memory is read part by part for each query: slower, and bounded. */
async function scanOutside(
  query: Float32Array,
  given: {
    chunks: readonly string[];
    places: readonly number[];
    store: VectorStore;
    space: Space;
    scanner: Scanner;
    options: NearestOptions;
  },
): Promise<NearestChunk[]> {
  const { chunks, places, store, space, scanner, options } = given;
  const found: NearestChunk[] = [];
  const codes = quantise(query).codes;
  const dots = new Int32Array(READ_ROWS);
  for (let at = 0; at < places.length; at += READ_ROWS) {
    const part = places.slice(at, at + READ_ROWS);
    const read = await store.vectors(space.spaceId, [...new Set(part.map((place) => chunks[place] ?? ""))]);
    scanner.clear();
    const rows = new Map<string, { row: number; scale: number }>();
    for (const [chunk, vector] of read)
      if (vector.codes.length === space.width)
        rows.set(chunk, { row: scanner.add(vector.codes), scale: vector.scale });
    scanner.dots(codes, dots);
    const best = createBest(options.limit * RERANKED);
    for (const place of part) {
      const entry = rows.get(chunks[place] ?? "");
      if (entry !== undefined) best.offer(place, (dots[entry.row] ?? 0) * entry.scale);
    }
    for (const place of best.places()) {
      const entry = rows.get(chunks[place] ?? "");
      if (entry !== undefined)
        found.push({ place, similarity: similarity(query, scanner.row(entry.row), entry.scale) });
    }
    await pause();
  }
  return found;
}

/** Keeps the best of a long list: everything above the worst one kept, thinned out when it gets too many. */
function createBest(limit: number) {
  let kept: { place: number; score: number }[] = [];
  let least = Number.NEGATIVE_INFINITY;
  const thin = (): void => {
    kept = kept.sort((a, b) => b.score - a.score || a.place - b.place).slice(0, limit);
    if (kept.length === limit) least = kept.at(-1)?.score ?? least;
  };
  return {
    offer(place: number, score: number): void {
      if (score <= least) return;
      kept.push({ place, score });
      if (kept.length >= limit * 4) thin();
    },
    places(): number[] {
      thin();
      return kept.map(({ place }) => place);
    },
  };
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function grown(array: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(array.length * 2);
  larger.set(array);
  return larger;
}
