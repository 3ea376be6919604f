import type { Corpus, SliceCache } from "./corpus.ts";
import { yieldToEventLoop } from "./corpus.ts";
import type { Space, VectorStore } from "./store.ts";

/** Cache of the chunks that have a vector of the current embedding model. */
export interface Embedded {
  has(chunk: string): boolean;
  add(chunk: string): void;
  /** A counter that increases whenever a chunk is added or the provider refuses one. */
  version(): number;
  /** Looks up in the vector store which of these chunks have a vector, and remembers them. */
  learn(chunks: readonly string[]): Promise<void>;
  /** The chunks that the provider rejects, with the provider's reason. */
  readonly refused: Map<string, string>;
}

const CHUNKS_PER_READ = 5_000;

export function createEmbedded(store: VectorStore, space: () => Space): Embedded {
  const known = new Set<string>();
  const refused = new Map<string, string>();
  return {
    has: (chunk) => known.has(chunk),
    add: (chunk) => void known.add(chunk),
    version: () => known.size + refused.size,
    async learn(chunks) {
      const unknown = [...new Set(chunks)].filter((chunk) => !known.has(chunk));
      for (let at = 0; at < unknown.length; at += CHUNKS_PER_READ) {
        const found = await store.known(space().spaceId, unknown.slice(at, at + CHUNKS_PER_READ));
        for (const chunk of found) known.add(chunk);
        await yieldToEventLoop();
      }
    },
    refused,
  };
}

/** How much of a corpus is embedded. */
export interface Progress {
  readonly files: number;
  /** Number of files whose chunks all either have a vector or were rejected by the provider. */
  readonly filesDone: number;
  /** Number of chunks in the files that have been cut into chunks so far. */
  readonly chunks: number;
  readonly chunksDone: number;
  readonly chunksRefused: number;
}

/** Counts the files and chunks of a corpus; a file that has not been cut into chunks yet contributes none. */
export function progressOf(corpus: Corpus, sliceCache: SliceCache, embedded: Embedded): Progress {
  let filesDone = 0;
  let chunks = 0;
  let chunksDone = 0;
  let chunksRefused = 0;
  for (const { key } of corpus.files) {
    const slices = sliceCache.get(key);
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
