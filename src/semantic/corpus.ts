import type { Outline } from "../model/symbol.ts";
import { sliceKey } from "./chunk.ts";
import { decodeSlices, encodeSlices, type Slice } from "./slices.ts";
import type { VectorStore } from "./store.ts";

/** One file whose meaning is searched. */
export interface CorpusFile {
  readonly path: string;
  /** The name of its content. */
  readonly key: string;
}

/** The files of a working tree or a ref. A change of files makes a new corpus with the same id. */
export interface Corpus {
  readonly id: string;
  readonly files: readonly CorpusFile[];
  /** The file's text with its outline; undefined when the file has changed or is gone. */
  read(
    file: CorpusFile,
  ): Promise<{ readonly text: string; readonly outline: Outline | undefined } | undefined>;
}

/** How the blobs in use were cut. */
export interface SliceBook {
  get(key: string): readonly Slice[] | undefined;
  /** Reads what the store has of these blobs. */
  load(keys: readonly string[]): Promise<void>;
  /** Keeps what was just cut, here and in the store. */
  save(cuts: readonly { readonly key: string; readonly slices: readonly Slice[] }[]): Promise<void>;
  /** Forgets all but these blobs. */
  keep(keys: ReadonlySet<string>): void;
  /** Changes whenever something is added. */
  version(): number;
}

/** Blobs a read: between two, others may work. */
const KEYS_A_READ = 1_000;

/** Older edits are forgotten when they are this many times what is in use. */
const MAX_SURPLUS = 2;

/** Makes an empty book. */
export function createSliceBook(store: () => Promise<VectorStore>): SliceBook {
  let known = new Map<string, readonly Slice[]>();
  let version = 0;
  return {
    version: () => version,
    get: (key) => known.get(key),
    async load(keys) {
      const missing = keys.filter((key) => !known.has(key));
      for (let at = 0; at < missing.length; at += KEYS_A_READ) {
        const batch = missing.slice(at, at + KEYS_A_READ);
        const byName = new Map(batch.map((key) => [sliceKey(key), key]));
        for (const [name, bytes] of await (await store()).slices([...byName.keys()]))
          known.set(byName.get(name) ?? name, decodeSlices(bytes));
        version++;
        await pause();
      }
    },
    async save(cuts) {
      const stored = cuts.map(({ key, slices }) => ({ key: sliceKey(key), slices: encodeSlices(slices) }));
      await (await store()).saveSlices(stored);
      for (const { key, slices } of cuts) known.set(key, slices);
      version++;
    },
    keep(keys) {
      if (known.size <= MAX_SURPLUS * keys.size) return;
      known = new Map([...known].filter(([key]) => keys.has(key)));
    },
  };
}

/** Lets queries in. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Waits, at most until the signal. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || milliseconds <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    // Waiting for a provider must not keep a process alive.
    timer.unref();
    signal.addEventListener("abort", done, { once: true });
  });
}
