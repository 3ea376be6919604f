import type { QuantisedVector } from "./quantise.ts";

/**
 * Persistent data of semantic search: how blobs were cut into chunks, and the vectors of chunks. Both are keyed by
 * content, so that a text is embedded once even if several branches, worktrees or projects contain it. Several servers
 * may share a store, and any process may die at any moment.
 */
export interface VectorStore {
  /** Display name of the store. */
  readonly name: string;
  /** A limitation to report to the user, such as a missing database extension. */
  readonly note?: string;
  /** Finds or creates the vector space of a model and records that the model is in use. */
  space(model: SpaceModel, now: number): Promise<Space>;
  spaces(): Promise<readonly Space[]>;
  /** Returns the encoded slices of these blobs; unknown blobs are left out. */
  slices(keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  saveSlices(slices: readonly { readonly key: string; readonly slices: Uint8Array }[]): Promise<void>;
  /** Returns the chunks that have a vector. */
  known(spaceId: number, chunks: readonly string[]): Promise<ReadonlySet<string>>;
  vectors(spaceId: number, chunks: readonly string[]): Promise<ReadonlyMap<string, QuantisedVector>>;
  /** Stores vectors in one transaction and releases the claims on their chunks. */
  save(spaceId: number, vectors: readonly ChunkVector[]): Promise<void>;
  /** Claims chunks for a limited time, so that no other process embeds them too. Returns the chunks it got. */
  claim(spaceId: number, chunks: readonly string[], claim: Claim): Promise<ReadonlySet<string>>;
  release(spaceId: number, chunks: readonly string[]): Promise<void>;
  /** Releases the claims of processes that no longer run. */
  dropClaims(isGone: (owner: string) => boolean): Promise<void>;
  /** Finds the chunks nearest to a normalised query, best first. Only stores that can search have this method. */
  nearest?(spaceId: number, query: Float32Array, options: NearOptions): Promise<readonly NearChunk[]>;
  /** Deletes old vectors that no blob in use needs, and models that have not been used for a while. */
  collect(clearance: VectorClearance): Promise<{ readonly vectors: number }>;
  close(): Promise<void>;
}

/** The settings that must be equal for two vectors to be comparable. */
export interface SpaceModel {
  readonly provider: string;
  readonly model: string;
  /** The requested number of dimensions; 0 means the default of the model. */
  readonly dimensions: number;
  readonly documentPrefix: string;
  readonly queryPrefix: string;
}

export interface Space extends SpaceModel {
  readonly spaceId: number;
  /** Number of dimensions of the stored vectors; 0 while there are none. */
  readonly width: number;
  readonly lastUsed: number;
}

export interface ChunkVector {
  readonly chunk: string;
  readonly vector: QuantisedVector;
}

export interface NearOptions {
  readonly limit: number;
  /** Restricts the search to these chunks; by default the whole space is searched. */
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
  /** The blobs that any indexed working tree or ref contains. */
  readonly held: ReadonlySet<string>;
  readonly unusedSince: number;
}
