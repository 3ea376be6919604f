/** The protocol of an embedding service. Each protocol has a file in providers/ and a line in the registry there. */
export interface ProviderKind {
  readonly id: string;
  /** Address that is used if the user configured no endpoint. Only services on this machine have a default. */
  readonly defaultEndpoint?: string;
  /** Returns the address for embedding calls at the configured endpoint. */
  callUrl(endpoint: URL): URL;
  headers(apiKey: string): Readonly<Record<string, string>>;
  body(request: EmbedBody): unknown;
  /**
   * Extracts the vectors from a response, in the order of the texts. They are not checked; undefined if the response
   * does not have the expected form.
   */
  vectors(response: unknown): readonly unknown[] | undefined;
}

export interface EmbedBody {
  readonly model: string;
  readonly texts: readonly string[];
  /** Number of dimensions to request; 0 means the default of the model. */
  readonly dimensions: number;
}

export interface EmbeddingModel {
  readonly name: string;
  /** The requested number of dimensions; 0 means the default of the model. */
  readonly dimensions: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
}

/** A client of a configured embedding provider, ready to be called. */
export interface Embedder {
  readonly provider: string;
  /** The address to which texts are sent, without credentials and parameters, for display. */
  readonly shownEndpoint: string;
  /**
   * Returns one vector for each text. All vectors have the same length, finite numbers and at least one that is not
   * zero. Throws EmbeddingFailure.
   */
  embed(
    model: EmbeddingModel,
    texts: readonly string[],
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<readonly Float32Array[]>;
}
