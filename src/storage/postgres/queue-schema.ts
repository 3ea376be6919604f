import { PithError } from "../../kernel/errors.ts";
import type { Postgres, Queries } from "./database.ts";
import { QUEUE_SCHEMA } from "./queue-entries.ts";
import { loadQueueLibrary } from "./queue-library.ts";
import { giveQueueRights } from "./roles.ts";
import { showPlace } from "./store-url.ts";

/** The newest version of its schema that the queue library of this Pith knows; a test compares it with the library. */
export const QUEUE_VERSION = 19;

/** Whether the queue library's tables are there as this Pith needs them; throws where a newer one made them. */
export async function isQueueReady({ place }: Postgres, queries: Queries): Promise<boolean> {
  const [found] = await queries.query("SELECT to_regclass('pith_queue.migrations') IS NOT NULL AS there");
  if (found?.["there"] !== true) return false;
  const [row] = await queries.query(
    `SELECT coalesce(max(id), 0) AS version, coalesce(max(id) FILTER (WHERE breaking), 0) AS breaking,
       (SELECT count(*) FROM pg_policies WHERE schemaname = 'pith_queue' AND policyname = 'pith') AS opened
     FROM pith_queue.migrations`,
  );
  // The library itself calls those versions breaking that older ones of it must not work with.
  if (Number(row?.["breaking"]) <= QUEUE_VERSION)
    return Number(row?.["version"]) >= QUEUE_VERSION && Number(row?.["opened"]) === OPENED.length;
  throw new PithError(
    "index_incompatible",
    `The queue of the store at ${showPlace(place)} was made by a newer Pith (version ${row?.["breaking"]}, this one knows ${QUEUE_VERSION})`,
    {
      suggestion: "Update Pith on this machine; until then it works with its own local store.",
      schema_version: Number(row?.["breaking"]),
      supported_version: QUEUE_VERSION,
    },
  );
}

/**
 * Lets the queue library make its tables, or bring them to its newest version, and opens them to those who have rights
 * on them: it makes them with row security and without a policy. It works on a connection of its own, each step in a
 * transaction of its own: the caller sees to it that nobody else does the same meanwhile.
 */
export async function migrateQueue({ pool }: Postgres, queries: Queries): Promise<void> {
  const { Logger, runMigrations } = await loadQueueLibrary();
  await runMigrations({ pgPool: pool, schema: QUEUE_SCHEMA, logger: new Logger(() => () => undefined) });
  for (const table of OPENED) {
    await queries.query(`DROP POLICY IF EXISTS pith ON pith_queue.${table}`);
    await queries.query(`CREATE POLICY pith ON pith_queue.${table} USING (true) WITH CHECK (true)`);
  }
  // Whoever may not look at it would be shut out of the whole store.
  await giveQueueRights(queries);
}

/** The library's tables that roles work with; see roles.ts. */
const OPENED = ["_private_jobs", "_private_tasks", "_private_job_queues"];

/** Jobs of a store that had a queue of its own until now are entered. */
export const QUEUE_ENTRIES = `
  CREATE INDEX job_queue_labels ON pith.job (seq) WHERE state = 'queued' AND labels <> '{}';
  SELECT pith_queue.add_job('pith_job', json_build_object('id', id), job_key => id,
    run_at => timestamptz 'epoch' + turn * interval '1 s' + (seq % 1000000) * interval '1 microsecond', flags => labels)
  FROM pith.job WHERE state = 'queued' ORDER BY turn, seq;
`;
