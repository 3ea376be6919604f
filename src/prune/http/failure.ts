import type { PruningError } from "../../model/pruning.ts";

/** The service returned nothing usable; the text is then shown unpruned. */
export class PrunerFailure extends Error {
  override readonly name = "PrunerFailure";
  readonly kind: PruningError;

  constructor(kind: PruningError, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

/** Calls are suspended after repeated failures; nothing was sent. */
export class PrunerPaused extends Error {
  override readonly name = "PrunerPaused";
}
