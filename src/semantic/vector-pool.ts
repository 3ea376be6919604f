import { yieldToEventLoop } from "./corpus.ts";
import { quantise, similarity, type QuantisedVector } from "./quantise.ts";
import type { Scanner } from "./scan/scanner.ts";
import { createScanner } from "./scan/simd-scanner.ts";
import type { Space, VectorStore } from "./store.ts";

/** The vectors of one embedding model that are held in memory. */
export interface VectorPool {
  readonly space: Space;
  /**
   * Loads the missing vectors of a list of chunks, within the memory limit. Chunks for which `isStored` returns false
   * are not looked up.
   */
  load(owner: object, chunks: readonly string[], isStored?: (chunk: string) => boolean): Promise<void>;
  /** True if the list of chunks that was loaded for this owner is still in memory. */
  holds(owner: object): boolean;
  /** Adds a new vector if the memory limit allows it. */
  add(chunk: string, vector: QuantisedVector): void;
  /**
   * Finds the chunks most similar to the query, best first. All chunks are compared roughly, then the best candidates
   * exactly.
   */
  nearest(query: Float32Array, chunks: readonly string[], options: PoolOptions): Promise<NearestChunk[]>;
  bytes(): number;
}

export interface NearestOptions {
  readonly limit: number;
  /** Returns whether the chunk at this index of the list may be part of the result. */
  readonly accepts?: (place: number) => boolean;
}

interface PoolOptions extends NearestOptions {
  /** The object that was passed to `load` with this list of chunks. */
  readonly owner: object;
}

export interface NearestChunk {
  /** Index of the chunk in the list that was searched. */
  readonly place: number;
  readonly similarity: number;
}

/** Estimated memory that a vector takes in addition to its bytes: a map entry and the scale. */
const ROW_OVERHEAD_BYTES = 140;
/** Number of vectors that are read from the store at once; between two reads the event loop runs. */
const ROWS_PER_READ = 2_000;
/**
 * How many times the requested number of chunks are compared exactly. The rough order, computed with one byte per
 * component, is already close to the exact one.
 */
const RERANK_FACTOR = 4;

export function createVectorPool(space: Space, store: VectorStore, maxBytes: number): VectorPool {
  const scanner = createScanner(space.width);
  const scratchScanner = lazy(() => createScanner(space.width));
  const maxRows = Math.max(1, Math.floor(maxBytes / (space.width + ROW_OVERHEAD_BYTES)));
  const rows = new Map<string, number>();
  let scales = new Float32Array(1_024);
  const add = (chunk: string, { codes, scale }: QuantisedVector): void => {
    if (rows.has(chunk) || rows.size >= maxRows || codes.length !== space.width) return;
    const row = scanner.add(codes);
    if (row >= scales.length) scales = growArray(scales);
    scales[row] = scale;
    rows.set(chunk, row);
  };
  /**
   * For each owner of a loaded list, the row in memory of each chunk of the list, or -1 if the vector is not in memory.
   */
  let owners = new WeakMap<object, Int32Array>();
  const load: VectorPool["load"] = async (owner, chunks, isStored = () => true) => {
    const wanted = new Set(chunks.filter(isStored));
    let missing = [...wanted].filter((chunk) => !rows.has(chunk));
    // If the requested vectors do not fit beside those in memory, all of the latter, such as those of other projects,
    // are removed.
    if (rows.size > 0 && rows.size + missing.length > maxRows) {
      rows.clear();
      scanner.clear();
      owners = new WeakMap();
      missing = [...wanted];
    }
    for (let at = 0; at < missing.length && rows.size < maxRows; at += ROWS_PER_READ) {
      const read = await store.vectors(space.spaceId, missing.slice(at, at + ROWS_PER_READ));
      for (const [chunk, vector] of read) add(chunk, vector);
      await yieldToEventLoop();
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
      const { found, outside } = scanMemory(query, { list, scanner, scales, options });
      if (rows.size >= maxRows && outside.length > 0)
        found.push(
          ...(await scanStore(query, {
            chunks,
            places: outside,
            store,
            space,
            scanner: scratchScanner(),
            options,
          })),
        );
      return found.sort((a, b) => b.similarity - a.similarity || a.place - b.place).slice(0, options.limit);
    },
    bytes: () => scanner.bytes() + rows.size * ROW_OVERHEAD_BYTES,
  };
}

/** Searches the vectors in memory. `outside` contains the indexes of the chunks whose vectors are not there. */
function scanMemory(
  query: Float32Array,
  given: { list: Int32Array; scanner: Scanner; scales: Float32Array; options: NearestOptions },
): { found: NearestChunk[]; outside: number[] } {
  const { list, scanner, scales, options } = given;
  const best = createTopScores(options.limit * RERANK_FACTOR);
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

/**
 * Searches vectors that do not fit into memory by reading them in parts for each query, which is slower but needs
 * little memory.
 */
async function scanStore(
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
  const dots = new Int32Array(ROWS_PER_READ);
  for (let at = 0; at < places.length; at += ROWS_PER_READ) {
    const part = places.slice(at, at + ROWS_PER_READ);
    const read = await store.vectors(space.spaceId, [...new Set(part.map((place) => chunks[place] ?? ""))]);
    scanner.clear();
    const rows = new Map<string, { row: number; scale: number }>();
    for (const [chunk, vector] of read)
      if (vector.codes.length === space.width)
        rows.set(chunk, { row: scanner.add(vector.codes), scale: vector.scale });
    scanner.dots(codes, dots);
    const best = createTopScores(options.limit * RERANK_FACTOR);
    for (const place of part) {
      const entry = rows.get(chunks[place] ?? "");
      if (entry !== undefined) best.offer(place, (dots[entry.row] ?? 0) * entry.scale);
    }
    for (const place of best.places()) {
      const entry = rows.get(chunks[place] ?? "");
      if (entry !== undefined)
        found.push({ place, similarity: similarity(query, scanner.row(entry.row), entry.scale) });
    }
    await yieldToEventLoop();
  }
  return found;
}

/** Collects the highest scores of a long list while keeping only a few of them in memory. */
function createTopScores(limit: number) {
  let kept: { place: number; score: number }[] = [];
  let lowest = Number.NEGATIVE_INFINITY;
  const prune = (): void => {
    kept = kept.sort((a, b) => b.score - a.score || a.place - b.place).slice(0, limit);
    if (kept.length === limit) lowest = kept.at(-1)?.score ?? lowest;
  };
  return {
    offer(place: number, score: number): void {
      if (score <= lowest) return;
      kept.push({ place, score });
      if (kept.length >= limit * 4) prune();
    },
    places(): number[] {
      prune();
      return kept.map(({ place }) => place);
    },
  };
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function growArray(array: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(array.length * 2);
  larger.set(array);
  return larger;
}
