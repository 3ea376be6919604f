import { setImmediate as nextTurn } from "node:timers/promises";
import { createSerialQueue } from "../live/single-flight.ts";
import { compileSegment, openSegment, type Segment } from "./segment.ts";
import { decodeImage, encodeImage } from "./segment-image.ts";
import type { IndexStore } from "./store.ts";

/** The segments of one repository in memory, shared by all of its refs and worktrees. */
export interface SegmentPool {
  /** Caches a new record, so that it need not be read back from the store. */
  add(key: string, features: Uint8Array): void;
  /** Returns segments that contain all of the keys that are in the store. */
  segmentsFor(keys: Iterable<string>): Promise<readonly Segment[]>;
  /** Returns true if a loaded segment contains the blob. */
  has(key: string): boolean;
  /** Waits until the segment image for the next process is saved. */
  close(): Promise<void>;
  /** Drops all segments, because the records of their blobs have been created again. */
  forget(): Promise<void>;
}

/** Above this number small segments are merged, because each segment costs a lookup per word. */
const MAX_SEGMENTS = 8;
/** Segments are dropped when they contain this many times the wanted blobs, due to other refs and older edits. */
const MAX_UNUSED_FACTOR = 3;
/** Upper bound on cached new records; further ones are read from the store. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/** Below this number, compiling the blobs takes less time than reading an image. */
const MIN_IMAGE_BLOBS = 400;
/** An image with at least this share of the wanted blobs is used; otherwise a new one is saved. */
const MIN_IMAGE_SHARE = 0.7;

export function createSegmentPool(store: IndexStore, family: string): SegmentPool {
  let segments: Segment[] = [];
  let loaded = new Set<string>();
  const fresh = createRecordCache();
  /** Runs one compilation at a time, because two would read the same blobs twice. */
  const inTurn = createSerialQueue();
  let keeping: Promise<void> = Promise.resolve();

  const compile = async (keys: readonly string[]): Promise<void> => {
    const records = fresh.take(keys);
    const missing = keys.filter((key) => !records.has(key));
    for (const [key, bytes] of await store.features(missing)) records.set(key, bytes);
    if (records.size === 0) return;
    const segment = await compileSegment(records);
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
      // A failure is harmless: without the image, the next process only starts more slowly.
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

/** Creates a cache of new records that no segment contains yet. */
function createRecordCache() {
  let records = new Map<string, Uint8Array>();
  let bytes = 0;
  return {
    add(key: string, features: Uint8Array): void {
      if (bytes + features.length > MAX_CACHED_BYTES) return;
      records.set(key, features);
      bytes += features.length;
    },
    /** Returns the cached records of these keys and empties the cache. */
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

/** Keeps the largest segment if it has most blobs; the others are compiled again together with new blobs. */
function keepLargest(segments: readonly Segment[]): Segment[] {
  const largest = largestOf(segments);
  const all = segments.reduce((sum, { keys }) => sum + keys.length, 0);
  return largest !== undefined && all < 2 * largest.keys.length ? [largest] : [];
}

function largestOf(segments: readonly Segment[]): Segment | undefined {
  return segments.toSorted((a, b) => b.keys.length - a.keys.length)[0];
}

/** Replaces an image that must not be used any more. */
const EMPTY_IMAGE = new Uint8Array();

/** Reads the segment that an earlier process saved, if it contains enough of the wanted blobs. */
async function readImage(store: IndexStore, family: string, wanted: ReadonlySet<string>): Promise<Segment[]> {
  if (wanted.size < MIN_IMAGE_BLOBS) return [];
  const bytes = await store.image(family);
  const data = bytes === undefined ? undefined : decodeImage(bytes);
  if (data === undefined || data.keys.filter((key) => wanted.has(key)).length < MIN_IMAGE_SHARE * wanted.size)
    return [];
  return [openSegment(data)];
}

/** Saves the largest segment for the next process, after the current query has been answered. */
async function saveImage(store: IndexStore, family: string, segments: readonly Segment[]): Promise<void> {
  const largest = largestOf(segments);
  if (largest === undefined || largest.keys.length < MIN_IMAGE_BLOBS) return;
  await nextTurn();
  await store.saveImage(family, encodeImage(largest.data));
}
