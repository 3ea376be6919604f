import type { PruningOutcome } from "../model/pruning.ts";

/** What is pruned: source by its blocks, a log by its complaints, search results by their files. */
export type PruneKind = "source" | "log" | "matches";

export interface PruneInput {
  readonly lines: readonly string[];
  /** The number of the first line; ranges in the outcome count from it. */
  readonly firstLine?: number;
  readonly question: string | undefined;
  readonly kind: PruneKind;
  /** The command that printed this failed: its last lines must stay. */
  readonly failed?: boolean;
  /** What the reply may hold: no more is kept than fits. */
  readonly maxTokens?: number;
  readonly requestId?: string;
  readonly signal?: AbortSignal;
}

/** Keeps the lines that answer a question. Never fails: whatever goes wrong, the outcome says so and nothing is cut. */
export interface Pruner {
  prune(input: PruneInput): Promise<PruningOutcome>;
}
