import type { Postgres } from "./database.ts";

/** Any number that no other program uses for its lock in this database: "pool" in hexadecimal. */
const UPKEEP_LOCK = 0x706f6f6c;
/** How many packs go at a time: a statement that removes gigabytes would hold up others. */
const BATCH = 50;

/**
 * Removes what nobody needs any more: packs that were not used for two weeks and that no kept pack or job builds on,
 * and workers that were not heard of for a day. Of several servers that begin at once, one does it.
 */
export async function cleanPool(store: Postgres): Promise<void> {
  await store.transaction(async (queries) => {
    const [lock] = await queries.query("SELECT pg_try_advisory_xact_lock($1) AS held", [UPKEEP_LOCK]);
    if (lock?.["held"] !== true) return;
    await queries.query("DELETE FROM pith.worker WHERE seen_at < now() - interval '1 day'");
    await queries.query(
      `DELETE FROM pith.pack WHERE commit_id IN (
         SELECT p.commit_id FROM pith.pack p WHERE p.used_at < now() - interval '14 days'
           AND NOT EXISTS (SELECT 1 FROM pith.pack o WHERE p.commit_id = ANY (o.needs))
           AND NOT EXISTS (SELECT 1 FROM pith.job j
             WHERE j.state <> 'ended' AND j.order_json::jsonb -> 'snapshot' ->> 'commit' = p.commit_id)
         ORDER BY p.used_at LIMIT ${BATCH})`,
    );
  });
}
