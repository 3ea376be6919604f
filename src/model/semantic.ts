/** How results are found: by words, by meaning, or by both; `auto` chooses by the kind of query. */
export type SearchMode = "auto" | "lexical" | "semantic" | "hybrid";

/** What semantic search contributed to an answer. */
export interface SemanticNote {
  readonly status: "used" | "partial" | "former_model" | "not_needed" | "unavailable" | "off";
  readonly model?: string;
  /** The share of files for which vectors exist, between 0 and 1. */
  readonly coverage?: number;
  /** Why semantic search was not used. */
  readonly reason?: string;
}

/** The state of semantic search for one project. */
export interface SemanticStatus {
  readonly state: "ready" | "embedding" | "waiting" | "idle";
  readonly provider: string;
  /** The URL to which texts of the project are sent. */
  readonly endpoint: string;
  readonly model: string;
  /** The length of the vectors; absent while there are none. */
  readonly dimensions?: number;
  readonly files: number;
  readonly files_embedded: number;
  /** The number of chunks in the files that have been split into chunks so far. */
  readonly chunks: number;
  readonly chunks_embedded: number;
  /** The number of chunks that the embedding provider rejected. */
  readonly chunks_refused?: number;
  /** The previous embedding model, whose vectors are used until those of the new model are complete. */
  readonly serving_model?: string;
  /** The embedding provider's last failure, while it persists. */
  readonly failure?: string;
  readonly retry_in_seconds?: number;
  readonly vectors_in_memory_bytes: number;
  /** A description of where the vectors are stored, for display. */
  readonly store: string;
  /** A limitation of vector search, such as a missing database extension. */
  readonly note?: string;
}
