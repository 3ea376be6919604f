import type { QuantisedVector } from "./quantise.ts";

/**
 * Stores the persistent data of semantic search: how blobs (file contents) were cut into chunks, and the vectors of the
 * chunks. Both are keyed by content, so that a text is embedded once even if several branches, worktrees or projects
 * contain it. Several servers may share a store, and any process may die at any moment.
 */
export interface VectorStore {
  /** Name of the store for display. */
  readonly name: string;
  /** A limitation of the store that is reported to the user, such as a missing database extension. */
  readonly note?: string;
  /** Finds or creates the vector space of an embedding model and records that the model is in use. */
  space(model: SpaceModel, now: number): Promise<Space>;
  spaces(): Promise<readonly Space[]>;
  /** Returns the encoded slices of these blobs; blobs that are not stored are left out. */
  slices(keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  saveSlices(slices: readonly { readonly key: string; readonly slices: Uint8Array }[]): Promise<void>;
  /** Returns those of the given chunks that have a vector. */
  known(spaceId: number, chunks: readonly string[]): Promise<ReadonlySet<string>>;
  vectors(spaceId: number, chunks: readonly string[]): Promise<ReadonlyMap<string, QuantisedVector>>;
  /** Stores vectors in one transaction and ends the claims on their chunks. */
  save(spaceId: number, vectors: readonly ChunkVector[]): Promise<void>;
  /**
   * Claims chunks for a limited time, so that no other process embeds them too. Returns the chunks that could be
   * claimed.
   */
  claim(spaceId: number, chunks: readonly string[], claim: Claim): Promise<ReadonlySet<string>>;
  release(spaceId: number, chunks: readonly string[]): Promise<void>;
  /** Ends the claims of processes that no longer run. */
  dropClaims(isGone: (owner: string) => boolean): Promise<void>;
  /**
   * Finds the chunks nearest to a query of length one, best first. Stores that cannot search do not have this method.
   */
  nearest?(spaceId: number, query: Float32Array, options: NearOptions): Promise<readonly NearChunk[]>;
  /** Deletes old vectors that no blob in use needs, and embedding models that have not been used for a while. */
  collect(clearance: VectorClearance): Promise<{ readonly vectors: number }>;
  close(): Promise<void>;
}

/** The settings of an embedding model that must be equal for two vectors to be comparable. */
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
  /** Number of dimensions of the stored vectors; 0 while no vectors are stored. */
  readonly width: number;
  readonly lastUsed: number;
}

export interface ChunkVector {
  readonly chunk: string;
  readonly vector: QuantisedVector;
}

export interface NearOptions {
  readonly limit: number;
  /** The chunks to which the search is restricted; by default all chunks of the vector space are searched. */
  readonly among?: readonly string[];
}

export interface NearChunk {
  readonly chunk: string;
  readonly similarity: number;
}

/** The owner of a claim on chunks and its duration. Times are in milliseconds since 1970. */
export interface Claim {
  readonly owner: string;
  readonly now: number;
  readonly until: number;
}

export interface VectorClearance {
  /** The blobs (file contents) that any indexed working tree or ref contains. */
  readonly held: ReadonlySet<string>;
  readonly unusedSince: number;
}
