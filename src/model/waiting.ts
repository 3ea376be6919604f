/** Why a run has not started: its position in the queue of the pool, or that the pool cannot be reached. */
export type Waiting =
  | { readonly kind: "queued"; readonly ahead: number }
  /**
   * No connected worker can take the job; `labels` are the required labels and facts that no worker has, empty if no
   * worker is connected at all.
   */
  | { readonly kind: "no_worker"; readonly labels: readonly string[] }
  | { readonly kind: "pool_unavailable"; readonly reason: string };

/** Describes why a run waits, for replies and progress messages. */
export function describeWaiting(waiting: Waiting): string {
  switch (waiting.kind) {
    case "queued":
      return waiting.ahead === 0 ? "queued, next in line" : `queued, ${waiting.ahead} ahead`;
    case "no_worker":
      return waiting.labels.length === 0
        ? "queued: no worker is connected"
        : `queued: no worker has ${waiting.labels.join(", ")}`;
    case "pool_unavailable":
      return `in the pool (unavailable: ${waiting.reason})`;
    default:
      return waiting satisfies never;
  }
}
