/** The protocol of an embedding service. Each one is a file in providers/ and a line in its registry. */
export interface ProviderKind {
  readonly id: string;
  /** Used when the user configured no endpoint. Only a service on this machine has a default. */
  readonly defaultEndpoint?: string;
  /** Derives the address of the embedding call from the configured endpoint. */
  callUrl(endpoint: URL): URL;
  headers(apiKey: string): Readonly<Record<string, string>>;
  body(request: EmbedBody): unknown;
  /** Extracts the unchecked vectors in the order of the texts; undefined if the response has another shape. */
  vectors(response: unknown): readonly unknown[] | undefined;
}

export interface EmbedBody {
  readonly model: string;
  readonly texts: readonly string[];
  /** 0 means the default of the model. */
  readonly dimensions: number;
}

export interface EmbeddingModel {
  readonly name: string;
  /** The requested number of dimensions; 0 means the default of the model. */
  readonly dimensions: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
}

/** A configured provider, ready to be called. */
export interface Embedder {
  readonly provider: string;
  /** The address to which texts are sent, without credentials and parameters. */
  readonly shownEndpoint: string;
  /** Returns one vector per text, all finite, of equal length and not all zero. Throws EmbeddingFailure. */
  embed(
    model: EmbeddingModel,
    texts: readonly string[],
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<readonly Float32Array[]>;
}
