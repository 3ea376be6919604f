/** Where embeddings come from, and how to ask for them. A provider is one file in providers/ and a line in its registry. */
export interface ProviderKind {
  readonly id: string;
  /** Where it listens when the user named no place; none where every place is somebody else's machine. */
  readonly defaultEndpoint?: string;
  /** The address of its embedding call, given what the user wrote. */
  callUrl(endpoint: URL): URL;
  headers(apiKey: string): Readonly<Record<string, string>>;
  body(request: EmbedBody): unknown;
  /** The vectors of a response in the order of the texts, unchecked; undefined where the shape is another. */
  vectors(response: unknown): readonly unknown[] | undefined;
}

export interface EmbedBody {
  readonly model: string;
  readonly texts: readonly string[];
  /** 0 for what the model has. */
  readonly dimensions: number;
}

/** A model that texts are embedded with. */
export interface EmbeddingModel {
  readonly name: string;
  /** As asked for; 0 for what the model has. */
  readonly dimensions: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
}

/** A provider ready to be called. */
export interface Embedder {
  readonly provider: string;
  /** Where texts are sent, without anything secret. */
  readonly shownEndpoint: string;
  /** One vector a text, each checked: finite, of one length, not all zero. Throws EmbeddingFailure. */
  embed(
    model: EmbeddingModel,
    texts: readonly string[],
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<readonly Float32Array[]>;
}
