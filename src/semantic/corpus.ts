import type { Outline } from "../model/symbol.ts";
import { sliceKey } from "./chunk-text.ts";
import { decodeSlices, encodeSlices, type Slice } from "./slices.ts";
import type { VectorStore } from "./store.ts";

/** A file that takes part in semantic search. */
export interface CorpusFile {
  readonly path: string;
  /** Identifies the content of the file, so that equal contents have equal keys. */
  readonly key: string;
}

/**
 * The files of a working tree or a ref that semantic search covers. When files change, a new corpus with the same id
 * takes its place.
 */
export interface Corpus {
  readonly id: string;
  readonly files: readonly CorpusFile[];
  /** Reads the text and the outline of a file; undefined if the file has changed or was deleted. */
  read(
    file: CorpusFile,
  ): Promise<{ readonly text: string; readonly outline: Outline | undefined } | undefined>;
}

/**
 * In-memory cache of slices: for each blob (the content of a file) the line ranges of the chunks into which it was cut.
 */
export interface SliceCache {
  get(key: string): readonly Slice[] | undefined;
  /** Loads the slices of these blobs from the store. */
  load(keys: readonly string[]): Promise<void>;
  /** Adds new slices to the cache and to the persistent store. */
  save(cuts: readonly { readonly key: string; readonly slices: readonly Slice[] }[]): Promise<void>;
  /** Removes all blobs except these from the cache, once it has grown far beyond them. */
  keep(keys: ReadonlySet<string>): void;
  /** A counter that increases whenever slices are added to the cache. */
  version(): number;
}

/** Number of blobs whose slices are read from the store at once; between two reads the event loop runs. */
const BLOBS_PER_READ = 1_000;

/** How many times as many blobs as are in use the cache may hold before old versions of files are removed from it. */
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

/** Lets the event loop run, so that waiting queries are answered. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Waits for the given time, or until the signal aborts. It never rejects. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || milliseconds <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    // The timer does not keep the process alive, because a process may exit while it waits for a provider.
    timer.unref();
    signal.addEventListener("abort", done, { once: true });
  });
}
