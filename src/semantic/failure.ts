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

/** Explains why an embedding provider returned no embeddings. The search then continues by words alone. */
export class EmbeddingFailure extends Error {
  override readonly name = "EmbeddingFailure";
  readonly kind: FailureKind;
  /** True if the texts may have caused the failure; a smaller batch may then succeed. */
  readonly blamesInput: boolean;
  /** Time that the provider asked clients to wait, in milliseconds. */
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

/** Wraps any error as an embedding failure. */
export function toEmbeddingFailure(error: unknown): EmbeddingFailure {
  if (error instanceof EmbeddingFailure) return error;
  return new EmbeddingFailure("unreachable", error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}
