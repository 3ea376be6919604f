import type { Outline } from "../model/symbol.ts";
import { sliceKey } from "./chunk-text.ts";
import { decodeSlices, encodeSlices, type Slice } from "./slices.ts";
import type { VectorStore } from "./store.ts";

/** A file that takes part in semantic search. */
export interface CorpusFile {
  readonly path: string;
  /** Identifies the content of the file. */
  readonly key: string;
}

/** The files of a working tree or a ref. When files change, a new corpus with the same id replaces it. */
export interface Corpus {
  readonly id: string;
  readonly files: readonly CorpusFile[];
  /** Reads the text and the outline of a file; undefined if the file has changed or was deleted. */
  read(
    file: CorpusFile,
  ): Promise<{ readonly text: string; readonly outline: Outline | undefined } | undefined>;
}

/** In-memory cache of how the blobs in use were cut into slices. */
export interface SliceCache {
  get(key: string): readonly Slice[] | undefined;
  /** Loads the stored slices of these blobs. */
  load(keys: readonly string[]): Promise<void>;
  /** Adds new slices to the cache and to the store. */
  save(cuts: readonly { readonly key: string; readonly slices: readonly Slice[] }[]): Promise<void>;
  /** Evicts all other blobs, once the cache has grown far beyond these. */
  keep(keys: ReadonlySet<string>): void;
  /** Increases whenever slices are added. */
  version(): number;
}

/** Blobs per read from the store; the event loop runs between two reads. */
const BLOBS_PER_READ = 1_000;

/** Old versions of files are evicted when the cache holds more than this many times the blobs in use. */
const MAX_CACHE_FACTOR = 2;

export function createSliceCache(store: () => Promise<VectorStore>): SliceCache {
  let known = new Map<string, readonly Slice[]>();
  let version = 0;
  return {
    version: () => version,
    get: (key) => known.get(key),
    async load(keys) {
      const missing = keys.filter((key) => !known.has(key));
      for (let at = 0; at < missing.length; at += BLOBS_PER_READ) {
        const batch = missing.slice(at, at + BLOBS_PER_READ);
        const byName = new Map(batch.map((key) => [sliceKey(key), key]));
        for (const [name, bytes] of await (await store()).slices([...byName.keys()]))
          known.set(byName.get(name) ?? name, decodeSlices(bytes));
        version++;
        await yieldToEventLoop();
      }
    },
    async save(cuts) {
      const stored = cuts.map(({ key, slices }) => ({ key: sliceKey(key), slices: encodeSlices(slices) }));
      await (await store()).saveSlices(stored);
      for (const { key, slices } of cuts) known.set(key, slices);
      version++;
    },
    keep(keys) {
      if (known.size <= MAX_CACHE_FACTOR * keys.size) return;
      known = new Map([...known].filter(([key]) => keys.has(key)));
    },
  };
}

/** Gives waiting queries a turn on the event loop. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Waits, or returns early when the signal aborts. It never rejects. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || milliseconds <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    // A process may exit while it waits for a provider.
    timer.unref();
    signal.addEventListener("abort", done, { once: true });
  });
}
