import { createTurns } from "./shared-look.ts";
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
  let fresh = new Map<string, Uint8Array>();
  let freshBytes = 0;
  /** One compilation at a time: two would read the same blobs twice. */
  const inTurn = createTurns();

  const compile = async (keys: readonly string[]): Promise<void> => {
    const records = new Map<string, Uint8Array>();
    const missing: string[] = [];
    for (const key of keys) {
      const bytes = fresh.get(key);
      if (bytes === undefined) missing.push(key);
      else records.set(key, bytes);
    }
    for (const [key, bytes] of await store.features(missing)) records.set(key, bytes);
    fresh = new Map();
    freshBytes = 0;
    if (records.size === 0) return;
    const segment = compileSegment(records);
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
      // The largest stays as it is; the others, and what is new, become one.
      const [largest] = segments.toSorted((a, b) => b.keys.length - a.keys.length);
      const small = segments.filter((segment) => segment !== largest).flatMap((segment) => segment.keys);
      segments = largest !== undefined && small.length < largest.keys.length ? [largest] : [];
      loaded = new Set(segments.flatMap((segment) => segment.keys));
    }
    if (segments.length === 0) {
      segments = await readImage(store, family, wanted);
      loaded = new Set(segments.flatMap((segment) => segment.keys));
    }
    const missing = lacks();
    if (missing.length > 0) await compile(missing);
    if (missing.length > wanted.size * (1 - IMAGE_SHARE)) keepImage(store, family, segments);
    return segments;
  };

  return {
    add(key, features) {
      if (freshBytes + features.length > MAX_FRESH_BYTES) return;
      fresh.set(key, features);
      freshBytes += features.length;
    },
    segmentsFor: (keys) => inTurn(() => load(keys)),
    forget: () =>
      inTurn(async () => {
        restart();
        await store.saveImage(family, NO_IMAGE);
      }),
    has: (key) => loaded.has(key),
  };
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
function keepImage(store: IndexStore, family: string, segments: readonly Segment[]): void {
  const [largest] = segments.toSorted((a, b) => b.keys.length - a.keys.length);
  if (largest === undefined || largest.keys.length < IMAGED_FROM) return;
  setImmediate(() => {
    // Without it the next process only starts slower.
    store.saveImage(family, encodeImage(largest.data)).catch(() => undefined);
  });
}
