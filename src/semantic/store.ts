import type { QuantisedVector } from "./quantise.ts";

/**
 * What semantic search keeps between processes: how blobs were cut into chunks, and the vectors of chunks. Both are
 * named by content, so that a text is embedded once, whatever branches, worktrees or projects hold it. Several servers
 * share a store, and a process may die at any moment.
 */
export interface VectorStore {
  /** The name people know the place by. */
  readonly name: string;
  /** What is not as one would wish, such as a missing extension. */
  readonly note?: string;
  /** Finds or makes the space of a model, and notes that it is in use. */
  space(model: SpaceModel, now: number): Promise<Space>;
  spaces(): Promise<readonly Space[]>;
  /** How these blobs were cut; unknown ones are left out. */
  slices(keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  saveSlices(slices: readonly { readonly key: string; readonly slices: Uint8Array }[]): Promise<void>;
  /** Which of the chunks have a vector. */
  known(spaceId: number, chunks: readonly string[]): Promise<ReadonlySet<string>>;
  vectors(spaceId: number, chunks: readonly string[]): Promise<ReadonlyMap<string, QuantisedVector>>;
  /** Keeps vectors, all or none, and gives up the claims on them. */
  save(spaceId: number, vectors: readonly ChunkVector[]): Promise<void>;
  /** Takes chunks that no other process is about to embed, for some time; gives those it got. */
  claim(spaceId: number, chunks: readonly string[], claim: Claim): Promise<ReadonlySet<string>>;
  release(spaceId: number, chunks: readonly string[]): Promise<void>;
  /** Gives up the claims of processes that are gone. */
  dropClaims(isGone: (owner: string) => boolean): Promise<void>;
  /** Of stores that search themselves: the chunks nearest to a query of length one, best first. */
  nearest?(spaceId: number, query: Float32Array, options: NearOptions): Promise<readonly NearChunk[]>;
  /** Removes what no held blob needs and nobody added lately, and models that nobody uses any more. */
  collect(clearance: VectorClearance): Promise<{ readonly vectors: number }>;
  close(): Promise<void>;
}

/** All that makes vectors comparable, and what a query needs to be compared with them. */
export interface SpaceModel {
  readonly provider: string;
  readonly model: string;
  /** As asked for; 0 for what the model has. */
  readonly dimensions: number;
  readonly documentPrefix: string;
  readonly queryPrefix: string;
}

export interface Space extends SpaceModel {
  readonly spaceId: number;
  /** The length of its vectors; 0 as long as it has none. */
  readonly width: number;
  readonly lastUsed: number;
}

export interface ChunkVector {
  readonly chunk: string;
  readonly vector: QuantisedVector;
}

export interface NearOptions {
  readonly limit: number;
  /** Only these chunks; all of the space when left out. */
  readonly among?: readonly string[];
}

export interface NearChunk {
  readonly chunk: string;
  readonly similarity: number;
}

/** Times are in milliseconds since 1970. */
export interface Claim {
  readonly owner: string;
  readonly now: number;
  readonly until: number;
}

export interface VectorClearance {
  /** The blobs of every manifest. */
  readonly held: ReadonlySet<string>;
  readonly unusedSince: number;
}
