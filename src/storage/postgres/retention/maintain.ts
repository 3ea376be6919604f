import { PithError } from "../../../kernel/errors.ts";
import type { Queries } from "../database.ts";

/** What the store keeps: for how many days, and the time before which everything was removed. */
export interface StoreRetention {
  readonly keepDays: number;
  readonly keptSince: Date | undefined;
}

/** One process asks at most this often; partitions are made days ahead. */
const INTERVAL_MS = 60 * 60 * 1_000;
const MAX_KEEP_DAYS = 3_650;

/** Makes partitions ahead and drops those that are older than the retention. Readers leave that to others. */
export async function maintainStore(queries: Queries): Promise<void> {
  const [right] = await queries.query(
    "SELECT has_function_privilege('pith.maintain_store()', 'EXECUTE') AS allowed",
  );
  if (right?.["allowed"] !== true) return;
  for (;;) {
    const [row] = await queries.query("SELECT pith.maintain_store() AS more");
    if (row?.["more"] !== true) return;
  }
}

/** Returns a function that does the work, unless it did so successfully within the last hour. */
export function atMostHourly(work: () => Promise<void>): () => Promise<void> {
  let next = 0;
  return async () => {
    if (Date.now() < next) return;
    next = Date.now() + INTERVAL_MS;
    try {
      await work();
    } catch (error) {
      next = 0;
      throw error;
    }
  };
}

export async function readRetention(queries: Queries): Promise<StoreRetention> {
  const [row] = await queries.query(
    `SELECT keep_days, (SELECT min(from_time) FROM pith.period WHERE from_time <> '-infinity'
       AND NOT EXISTS (SELECT FROM pith.period WHERE from_time = '-infinity')) AS since FROM pith.retention`,
  );
  const since = row?.["since"];
  return { keepDays: Number(row?.["keep_days"]), keptSince: since instanceof Date ? since : undefined };
}

/** Sets for how many days runs, jobs and logs are kept; only the owner of the tables may. */
export async function setRetention(queries: Queries, days: number): Promise<void> {
  if (!Number.isInteger(days) || days < 1 || days > MAX_KEEP_DAYS)
    throw new PithError("invalid_input", `The days to keep must be 1 to ${MAX_KEEP_DAYS}`);
  const changed = await queries.query("UPDATE pith.retention SET keep_days = $1 RETURNING 1", [days]);
  if (changed.length === 0)
    throw new PithError("permission_denied", "Only the owner of the store changes how long it keeps runs");
  await maintainStore(queries);
}
