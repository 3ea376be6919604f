import { setImmediate as nextTurn } from "node:timers/promises";
import { createSerialQueue } from "../live/single-flight.ts";
import { compileSegment, openSegment, type Segment } from "./segment.ts";
import { decodeImage, encodeImage } from "./segment-image.ts";
import type { IndexStore } from "./store.ts";

/** The blobs of one repository that are in memory, for all of its refs and worktrees. */
export interface SegmentPool {
  /** Keeps a record that was just made, so that it need not be read back. */
  add(key: string, features: Uint8Array): void;
  /** Segments that hold all of the keys the store has. */
  segmentsFor(keys: Iterable<string>): Promise<readonly Segment[]>;
  /** Whether a segment holds the blob. */
  has(key: string): boolean;
  /** Waits for what is being kept for the next process. */
  close(): Promise<void>;
  /** Puts all together again at the next call: blobs that are in a segment have other records by now. */
  forget(): Promise<void>;
}

/** Small segments are put together beyond this number: each one costs a lookup a word. */
const MAX_SEGMENTS = 8;
/** Blobs of other refs and older edits are dropped when they are this many times the wanted ones. */
const MAX_SURPLUS = 3;
/** Records kept for the next compilation; beyond it they are read from the store. */
const MAX_FRESH_BYTES = 64 * 1024 * 1024;

/** Putting fewer blobs together takes less time than reading an image. */
const IMAGED_FROM = 400;
/** An image is worth reading when it holds this share of the wanted blobs, and worth making again when it does not. */
const IMAGE_SHARE = 0.7;

export function createSegmentPool(store: IndexStore, family: string): SegmentPool {
  let segments: Segment[] = [];
  let loaded = new Set<string>();
  const fresh = createFresh();
  /** One compilation at a time: two would read the same blobs twice. */
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
    if (loaded.size > 1_000 && loaded.size > MAX_SURPLUS * wanted.size) restart();
    else if (segments.length >= MAX_SEGMENTS && lacks().length > 0) {
      segments = worthKeeping(segments);
      loaded = new Set(segments.flatMap((segment) => segment.keys));
    }
    if (segments.length === 0) {
      segments = await readImage(store, family, wanted);
      loaded = new Set(segments.flatMap((segment) => segment.keys));
    }
    const missing = lacks();
    if (missing.length > 0) await compile(missing);
    if (missing.length > wanted.size * (1 - IMAGE_SHARE))
      // Without it the next process only starts slower.
      keeping = keepImage(store, family, segments).catch(() => undefined);
    return segments;
  };

  return {
    add: (key, features) => fresh.add(key, features),
    segmentsFor: (keys) => inTurn(() => load(keys)),
    forget: () =>
      inTurn(async () => {
        restart();
        await keeping;
        await store.saveImage(family, NO_IMAGE);
      }),
    has: (key) => loaded.has(key),
    close: () => keeping,
  };
}

/** Records that were just made. */
function createFresh() {
  let records = new Map<string, Uint8Array>();
  let bytes = 0;
  return {
    add(key: string, features: Uint8Array): void {
      if (bytes + features.length > MAX_FRESH_BYTES) return;
      records.set(key, features);
      bytes += features.length;
    },
    /** Those of the keys that are there; the others are let go too. */
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

/** The largest stays as it is; the others, and what is new, become one. */
function worthKeeping(segments: readonly Segment[]): Segment[] {
  const largest = largestOf(segments);
  const all = segments.reduce((sum, { keys }) => sum + keys.length, 0);
  return largest !== undefined && all < 2 * largest.keys.length ? [largest] : [];
}

function largestOf(segments: readonly Segment[]): Segment | undefined {
  return segments.toSorted((a, b) => b.keys.length - a.keys.length)[0];
}

/** In place of one that must not be read any more. */
const NO_IMAGE = new Uint8Array();

/** What an earlier process put together, if it is still worth it. */
async function readImage(store: IndexStore, family: string, wanted: ReadonlySet<string>): Promise<Segment[]> {
  if (wanted.size < IMAGED_FROM) return [];
  const bytes = await store.image(family);
  const data = bytes === undefined ? undefined : decodeImage(bytes);
  if (data === undefined || data.keys.filter((key) => wanted.has(key)).length < IMAGE_SHARE * wanted.size)
    return [];
  return [openSegment(data)];
}

/** Kept for the next process, once this one has answered. */
async function keepImage(store: IndexStore, family: string, segments: readonly Segment[]): Promise<void> {
  const largest = largestOf(segments);
  if (largest === undefined || largest.keys.length < IMAGED_FROM) return;
  await nextTurn();
  await store.saveImage(family, encodeImage(largest.data));
}
