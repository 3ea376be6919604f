/** Name of the PostgreSQL notification channel on which the pool announces its events. */
export const NEWS_CHANNEL = "pith_pool";

/**
 * SQL condition that worker `w` is connected: it takes new jobs and sent a heartbeat within its lease. A server that
 * runs its own jobs does not count as a worker.
 */
export const CONNECTED =
  "w.kind = 'worker' AND NOT w.draining AND w.seen_at + w.lease_ms * interval '1 ms' > now()";
