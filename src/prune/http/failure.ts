import type { PruningError } from "../../model/pruning.ts";

/** Why the service gave nothing usable. The text that was to be pruned is returned as it is. */
export class PrunerFailure extends Error {
  override readonly name = "PrunerFailure";
  readonly kind: PruningError;

  constructor(kind: PruningError, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

/** The service failed again and again and is left alone for a while: nothing was sent to it. */
export class PrunerPaused extends Error {
  override readonly name = "PrunerPaused";
}
