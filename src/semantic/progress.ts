import type { Corpus, SliceBook } from "./corpus.ts";
import { pause } from "./corpus.ts";
import type { Space, VectorStore } from "./store.ts";

/** Which chunks have a vector in the current model, as far as anybody asked. */
export interface Embedded {
  has(chunk: string): boolean;
  add(chunk: string): void;
  /** Changes whenever a chunk is added. */
  version(): number;
  /** Looks up what is not known of these chunks. */
  learn(chunks: readonly string[]): Promise<void>;
  /** The chunks that the provider does not take, with its reason. */
  readonly refused: Map<string, string>;
}

const CHUNKS_A_READ = 5_000;

export function createEmbedded(store: VectorStore, space: () => Space): Embedded {
  const known = new Set<string>();
  const refused = new Map<string, string>();
  return {
    has: (chunk) => known.has(chunk),
    add: (chunk) => void known.add(chunk),
    version: () => known.size + refused.size,
    async learn(chunks) {
      const unknown = [...new Set(chunks)].filter((chunk) => !known.has(chunk));
      for (let at = 0; at < unknown.length; at += CHUNKS_A_READ) {
        const found = await store.known(space().spaceId, unknown.slice(at, at + CHUNKS_A_READ));
        for (const chunk of found) known.add(chunk);
        await pause();
      }
    },
    refused,
  };
}

/** How far the embedding of a corpus is. */
export interface Progress {
  readonly files: number;
  /** Files all of whose chunks have a vector, or will never have one. */
  readonly filesDone: number;
  /** Chunks of the files that were cut so far. */
  readonly chunks: number;
  readonly chunksDone: number;
  readonly chunksRefused: number;
}

/** Counts what is there; files that were not cut yet count as files only. */
export function progressOf(corpus: Corpus, book: SliceBook, embedded: Embedded): Progress {
  let filesDone = 0;
  let chunks = 0;
  let chunksDone = 0;
  let chunksRefused = 0;
  for (const { key } of corpus.files) {
    const slices = book.get(key);
    if (slices === undefined) continue;
    let open = 0;
    for (const { chunk } of slices) {
      if (embedded.has(chunk)) chunksDone++;
      else if (embedded.refused.has(chunk)) chunksRefused++;
      else open++;
    }
    chunks += slices.length;
    if (open === 0) filesDone++;
  }
  return { files: corpus.files.length, filesDone, chunks, chunksDone, chunksRefused };
}
