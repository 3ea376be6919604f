/** How results are found: by words, by meaning, or by both; `auto` decides by the kind of query. */
export type SearchMode = "auto" | "lexical" | "semantic" | "hybrid";

/** What meaning had to do with an answer. */
export interface SemanticNote {
  readonly status: "used" | "partial" | "former_model" | "not_needed" | "unavailable" | "off";
  readonly model?: string;
  /** The share of files that have vectors, between 0 and 1. */
  readonly coverage?: number;
  /** Why it was not used. */
  readonly reason?: string;
}

/** How semantic search is doing for one project. */
export interface SemanticStatus {
  readonly state: "ready" | "embedding" | "waiting" | "idle";
  readonly provider: string;
  /** Where texts of the project are sent. */
  readonly endpoint: string;
  readonly model: string;
  /** The length of the vectors; absent as long as there are none. */
  readonly dimensions?: number;
  readonly files: number;
  readonly files_embedded: number;
  /** Of the files that were cut so far. */
  readonly chunks: number;
  readonly chunks_embedded: number;
  /** Texts that the provider does not take. */
  readonly chunks_refused?: number;
  /** The model whose vectors serve until the new ones are whole. */
  readonly serving_model?: string;
  /** The provider's last failure, while it lasts. */
  readonly failure?: string;
  readonly retry_in_seconds?: number;
  readonly vectors_in_memory_bytes: number;
  /** Where vectors are kept. */
  readonly store: string;
  /** What is not as one would wish, such as a missing extension. */
  readonly note?: string;
}
