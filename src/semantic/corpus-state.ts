import type { Corpus, SliceCache } from "./corpus.ts";
import { progressOf, type Embedded } from "./progress.ts";

/**
 * All chunks of a corpus (the files of a working tree or ref) in one list. The other arrays give the location of the
 * chunk with the same index.
 */
export interface Layout {
  readonly chunks: readonly string[];
  /** For each chunk, the index of its file in the corpus. */
  readonly files: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

function layOutChunks(corpus: Corpus, sliceCache: SliceCache): Layout {
  const chunks: string[] = [];
  const files: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const [file, { key }] of corpus.files.entries())
    for (const { chunk, lineStart, lineEnd } of sliceCache.get(key) ?? []) {
      chunks.push(chunk);
      files.push(file);
      starts.push(lineStart);
      ends.push(lineEnd);
    }
  return {
    chunks,
    files: Int32Array.from(files),
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
  };
}

/**
 * How much of a corpus is embedded so far. A new object replaces it whenever more of the corpus is cut into chunks or
 * embedded.
 */
export interface CorpusState {
  readonly version: string;
  readonly cut: number;
  readonly layout: Layout;
  /** Share of the corpus's files whose chunks all have vectors, from 0 to 1. */
  readonly coverage: number;
  /** Number of chunks that have a vector of the current embedding model. */
  readonly done: number;
}

/**
 * Computes how much of each corpus is embedded and caches the result until more of it is cut into chunks or embedded.
 */
export function createStateTracker(
  sliceCache: SliceCache,
  embedded: Embedded,
): (corpus: Corpus) => Promise<CorpusState> {
  const states = new WeakMap<Corpus, CorpusState>();
  return async (corpus) => {
    if (!states.has(corpus)) {
      await sliceCache.load(corpus.files.map(({ key }) => key));
      await embedded.learn(layOutChunks(corpus, sliceCache).chunks);
    }
    const before = states.get(corpus);
    const cut = sliceCache.version();
    const version = `${cut}.${embedded.version()}`;
    if (before?.version === version) return before;
    const progress = progressOf(corpus, sliceCache, embedded);
    const stateOf: CorpusState = {
      version,
      cut,
      layout: before?.cut === cut ? before.layout : layOutChunks(corpus, sliceCache),
      coverage: progress.files === 0 ? 1 : progress.filesDone / progress.files,
      done: progress.chunksDone,
    };
    states.set(corpus, stateOf);
    return stateOf;
  };
}
