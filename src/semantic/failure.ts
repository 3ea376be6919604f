/** What went wrong with a call for embeddings. */
export type FailureKind =
  | "unreachable"
  | "timeout"
  | "busy"
  | "server_error"
  | "denied"
  | "not_found"
  | "rejected_input"
  | "invalid_response"
  | "wrong_dimensions";

/** Why a provider gave no embeddings. Search goes on with words alone. */
export class EmbeddingFailure extends Error {
  override readonly name = "EmbeddingFailure";
  readonly kind: FailureKind;
  /** The texts may be to blame: fewer of them at once may pass. */
  readonly blamesInput: boolean;
  /** How long the provider asked to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    options: { cause?: unknown; blamesInput?: boolean; retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.blamesInput = options.blamesInput ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Any error as an embedding failure. */
export function toEmbeddingFailure(error: unknown): EmbeddingFailure {
  if (error instanceof EmbeddingFailure) return error;
  return new EmbeddingFailure("unreachable", error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}
