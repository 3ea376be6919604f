import { setImmediate as nextTurn } from "node:timers/promises";
import { createSerialQueue } from "../live/single-flight.ts";
import { compileSegment, openSegment, type Segment } from "./segment.ts";
import { decodeImage, encodeImage } from "./segment-image.ts";
import type { IndexStore } from "./store.ts";
import { storedFeatures } from "./stored-record.ts";

/** The segments (searchable parts) of one repository's index in memory, shared by all of its refs and worktrees. */
export interface SegmentPool {
  /** Caches the stored features of a new index record, so that it need not be read back from the store. */
  add(key: string, features: Uint8Array): void;
  /**
   * Returns segments of the index that together contain all of these blobs (file contents), as far as they are in the
   * store.
   */
  segmentsFor(keys: Iterable<string>): Promise<readonly Segment[]>;
  /** Returns true if a segment in memory contains the blob with this key. */
  has(key: string): boolean;
  /** Waits until an index segment has been saved for the next process. */
  close(): Promise<void>;
  /** Drops all index segments, because the records they were compiled from have been replaced. */
  forget(): Promise<void>;
}

/** Number of index segments from which small ones are merged, because each segment costs a lookup per searched word. */
const MAX_SEGMENTS = 8;
/**
 * All index segments are dropped when they contain this many times as many blobs as are needed, because of other refs
 * and older edits.
 */
const MAX_UNUSED_FACTOR = 3;
/** Upper bound on the bytes of cached new records; further records are read from the store. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/** Number of blobs from which a saved index segment is used; compiling fewer blobs takes less time than reading it. */
const MIN_IMAGE_BLOBS = 400;
/**
 * A saved index segment is used if it contains at least this share of the needed blobs; otherwise a new one is saved.
 */
const MIN_IMAGE_SHARE = 0.7;

export function createSegmentPool(store: IndexStore, family: string): SegmentPool {
  let segments: Segment[] = [];
  let loaded = new Set<string>();
  const fresh = createRecordCache();
  /** Compiles one segment at a time, because two compilations at once would read the same blobs twice. */
  const inTurn = createSerialQueue();
  let keeping: Promise<void> = Promise.resolve();

  const compile = async (keys: readonly string[]): Promise<void> => {
    const records = fresh.take(keys);
    const missing = keys.filter((key) => !records.has(key));
    for (const [key, bytes] of await store.features(missing)) records.set(key, bytes);
    if (records.size === 0) return;
    const segment = await compileSegment(decompressed(records));
    segments = [...segments, segment];
    for (const key of segment.keys) loaded.add(key);
  };

  const restart = (): void => {
    segments = [];
    loaded = new Set();
  };

  const load = async (keys: Iterable<string>): Promise<readonly Segment[]> => {
    const wanted = new Set(keys);
    const lacks = () => [...wanted].filter((key) => !loaded.has(key));
    if (loaded.size > 1_000 && loaded.size > MAX_UNUSED_FACTOR * wanted.size) restart();
    else if (segments.length >= MAX_SEGMENTS && lacks().length > 0) {
      segments = keepLargest(segments);
      loaded = new Set(segments.flatMap((segment) => segment.keys));
    }
    if (segments.length === 0) {
      segments = await readImage(store, family, wanted);
      loaded = new Set(segments.flatMap((segment) => segment.keys));
    }
    const missing = lacks();
    if (missing.length > 0) await compile(missing);
    if (missing.length > wanted.size * (1 - MIN_IMAGE_SHARE))
      // A failure to save the segment is harmless: the next process only starts more slowly.
      keeping = saveImage(store, family, segments).catch(() => undefined);
    return segments;
  };

  return {
    add: (key, features) => fresh.add(key, features),
    segmentsFor: (keys) => inTurn(() => load(keys)),
    forget: () =>
      inTurn(async () => {
        restart();
        await keeping;
        await store.saveImage(family, EMPTY_IMAGE);
      }),
    has: (key) => loaded.has(key),
    close: () => keeping,
  };
}

function* decompressed(records: Iterable<readonly [string, Uint8Array]>): Iterable<[string, Uint8Array]> {
  for (const [key, features] of records) yield [key, storedFeatures(features)];
}

/** Creates a cache of new index records that no segment contains yet. */
function createRecordCache() {
  let records = new Map<string, Uint8Array>();
  let bytes = 0;
  return {
    add(key: string, features: Uint8Array): void {
      if (bytes + features.length > MAX_CACHED_BYTES) return;
      records.set(key, features);
      bytes += features.length;
    },
    /** Returns the cached index records with these keys and empties the cache. */
    take(keys: readonly string[]): Map<string, Uint8Array> {
      const known = records;
      records = new Map();
      bytes = 0;
      return new Map(
        keys.flatMap((key) => {
          const found = known.get(key);
          return found === undefined ? [] : [[key, found]];
        }),
      );
    },
  };
}

/**
 * Keeps only the largest segment, if it has more than half of all blobs; the blobs of the others are compiled again
 * together with new ones.
 */
function keepLargest(segments: readonly Segment[]): Segment[] {
  const largest = largestOf(segments);
  const all = segments.reduce((sum, { keys }) => sum + keys.length, 0);
  return largest !== undefined && all < 2 * largest.keys.length ? [largest] : [];
}

function largestOf(segments: readonly Segment[]): Segment | undefined {
  return segments.toSorted((a, b) => b.keys.length - a.keys.length)[0];
}

/** Overwrites a saved segment that must not be used any more. */
const EMPTY_IMAGE = new Uint8Array();

/** Reads the segment that an earlier process saved, if it contains enough of the needed blobs. */
async function readImage(store: IndexStore, family: string, wanted: ReadonlySet<string>): Promise<Segment[]> {
  if (wanted.size < MIN_IMAGE_BLOBS) return [];
  const bytes = await store.image(family);
  const data = bytes === undefined ? undefined : decodeImage(bytes);
  if (data === undefined || data.keys.filter((key) => wanted.has(key)).length < MIN_IMAGE_SHARE * wanted.size)
    return [];
  return [openSegment(data)];
}

/**
 * Saves the largest segment for the next process. It first yields, so that the current query is answered without delay.
 */
async function saveImage(store: IndexStore, family: string, segments: readonly Segment[]): Promise<void> {
  const largest = largestOf(segments);
  if (largest === undefined || largest.keys.length < MIN_IMAGE_BLOBS) return;
  await nextTurn();
  await store.saveImage(family, encodeImage(largest.data));
}
