import type { PruningError } from "../../model/pruning.ts";

/** Thrown if the pruning service returned nothing usable; the text is then shown unpruned. */
export class PrunerFailure extends Error {
  override readonly name = "PrunerFailure";
  readonly kind: PruningError;

  constructor(kind: PruningError, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

/** Thrown while calls to the pruning service are suspended after repeated failures; nothing was sent. */
export class PrunerPaused extends Error {
  override readonly name = "PrunerPaused";
}
