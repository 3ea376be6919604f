/** Where the pool tells what has happened; see PoolNews. */
export const NEWS_CHANNEL = "pith_pool";

/** Whether the worker `w` was heard of within its own lease. A server that runs its own jobs is none. */
export const CONNECTED =
  "w.kind = 'worker' AND NOT w.draining AND w.seen_at + w.lease_ms * interval '1 ms' > now()";
