/** Name of the notification channel of the pool; see PoolNews. */
export const NEWS_CHANNEL = "pith_pool";

/** SQL condition: worker `w` sent a heartbeat within its lease. A server that runs its own jobs does not count as a worker. */
export const CONNECTED =
  "w.kind = 'worker' AND NOT w.draining AND w.seen_at + w.lease_ms * interval '1 ms' > now()";
