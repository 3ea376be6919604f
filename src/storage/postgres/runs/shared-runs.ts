import { ChunkWriter } from "../../../pool/chunk-writer.ts";
import { openChunkLog } from "../../../pool/chunk-log.ts";
import type { NewRun, RunEnding, RunStore, StoredRun } from "../../../runs/record/store.ts";
import type { Origin } from "../../files/origin.ts";
import { ENDING_COLUMNS, endingValues, RUN_COLUMNS, runOf } from "../../rows/run.ts";
import { numberOf, textOf, type Row } from "../../rows/values.ts";
import type { Postgres } from "../database.ts";
import { type Bodies, createBodies } from "../objects/bodies.ts";
import { atMostHourly, maintainStore } from "../retention/maintain.ts";
import {
  type ChunkOwner,
  chunkTotals,
  insertChunks,
  lastChunk,
  placeChunks,
  readChunks,
  removeChunks,
  RUN_LOG,
} from "./log-chunks.ts";
import { storable } from "../values.ts";

type Log = NonNullable<Awaited<ReturnType<RunStore["openLog"]>>>;

/** The runs of a team, as stored in its database. */
export type SharedRuns = ReturnType<typeof createSharedRuns>;

/** How many bytes of a log are sent at once; a slow connection must deliver them before the SQL statement times out. */
const BYTES_PER_TRANSFER = 1024 * 1024;
/**
 * The attempt number under which the log of a run outside the pool is stored; only jobs of the pool can have several
 * attempts.
 */
const TOKEN = 1;

/** The columns of a run in a team's database, including the machine on which it was made. */
const SHARED_COLUMNS = `${RUN_COLUMNS}, origin, host`;

/** SQL condition that selects the run with id $1, in the one partition that has it. */
const BY_ID = "id = $1 AND stored_at = (SELECT i.stored_at FROM pith.run_id i WHERE i.id = $1)";

interface SharedRunsOptions {
  readonly bodies?: Bodies;
  /** False if the user may only read; the runs of this machine then stay here. */
  readonly mayAdd?: boolean;
}

/**
 * Creates the access to runs in PostgreSQL. From this machine, only runs of its own data folder and of the pool may be
 * changed.
 */
export function createSharedRuns(
  store: Postgres,
  here: Origin,
  { bodies = createBodies(store), mayAdd = true }: SharedRunsOptions = {},
) {
  const one = async (condition: string, ...values: readonly unknown[]): Promise<StoredRun | undefined> => {
    const [row] = await store.query(
      `SELECT ${SHARED_COLUMNS}, findings_json FROM pith.run ${condition}`,
      values,
    );
    return row === undefined ? undefined : sharedRun(row, here);
  };
  const maintain = atMostHourly(() => maintainStore(store));
  return {
    mayAdd,
    async add(run: NewRun & { readonly id: string }, family: string): Promise<boolean> {
      await maintain();
      return addRun(store, here, run, family);
    },
    finish: (id: string, ending: RunEnding) => finishRun(store, id, ending),
    get: (id: string) => one(`WHERE ${BY_ID}`, id),
    /** Returns the runs of all clones of a repository, the newest first. */
    async list(family: string, limit: number): Promise<StoredRun[]> {
      const rows = await store.query(
        `SELECT ${SHARED_COLUMNS} FROM pith.run WHERE family = $1 ORDER BY seq DESC LIMIT $2`,
        [family, limit],
      );
      return rows.map((row) => sharedRun(row, here));
    },
    previous: ({ id }: StoredRun) =>
      one(
        `WHERE (origin, key) = (SELECT origin, key FROM pith.run WHERE ${BY_ID})
           AND seq < (SELECT seq FROM pith.run WHERE ${BY_ID}) AND cause = 'exit' AND findings_json IS NOT NULL
         ORDER BY seq DESC LIMIT 1`,
        id,
      ),
    async wasRemoved(id: string): Promise<boolean> {
      const rows = await store.query(
        `SELECT 1 FROM pith.run_id WHERE id = $1 AND NOT EXISTS (SELECT FROM pith.run WHERE ${BY_ID})`,
        [id],
      );
      return rows.length > 0;
    },
    sendLog: (id: string, log: Log) => sendLog({ store, bodies }, id, log),
    /** Deletes what was removed from the object store; at most once an hour. */
    sweep: atMostHourly(async () => (mayAdd ? bodies.sweep() : undefined)),
    async openLog({ id, log, end }: StoredRun): Promise<Log | undefined> {
      const owner = { log: RUN_LOG, id, token: TOKEN };
      const totals = await chunkTotals(store, owner);
      // A log is sent in pieces before the run's end is, so a log is offered to readers only when it is complete.
      if (end === undefined || totals.lines < log.lines) return undefined;
      return openChunkLog(
        {
          totals: () => Promise.resolve({ ...totals, token: TOKEN }),
          chunks: (query) => readChunks({ store, bodies }, { ...query, log: RUN_LOG }),
        },
        id,
      );
    },
  };
}

/** Adds a run, unless its id is in use; returns false if that is by another run. Adding the same run again changes nothing. */
async function addRun(
  store: Postgres,
  here: Origin,
  run: NewRun & { readonly id: string },
  family: string,
): Promise<boolean> {
  await store.query(
    `INSERT INTO pith.run
       (id, origin, host, family, workspace, command, tool, cwd, key, owner_pid, owner_identity, started_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      run.id,
      here.id,
      here.host,
      family,
      run.workspace,
      storable(run.command),
      run.tool ?? null,
      run.cwd,
      run.key,
      run.owner.pid,
      run.owner.identity,
      run.startedAt,
    ],
  );
  const [row] = await store.query(`SELECT origin, started_at, key FROM pith.run WHERE ${BY_ID}`, [run.id]);
  return (
    row !== undefined &&
    row["origin"] === here.id &&
    numberOf(row["started_at"]) === run.startedAt &&
    row["key"] === run.key
  );
}

/**
 * Records the end of a run. That of a run in the pool is taken from its job, so whoever observes it may record it; a run
 * of this machine is updated, which the database allows only to its owner.
 */
async function finishRun(store: Postgres, id: string, ending: RunEnding): Promise<void> {
  const [pool] = await store.query("SELECT pith.end_pool_run($1) AS recorded", [id]);
  if (pool?.["recorded"] === true) return;
  const columns = ENDING_COLUMNS.map((column, at) => `${column} = $${at + 2}`).join(", ");
  await store.query(`UPDATE pith.run SET ${columns} WHERE ${BY_ID} AND ended_at IS NULL`, [
    id,
    ...endingValues(ending),
  ]);
}

/** Where logs are sent: the database, and the object store for large ones. */
interface Target {
  readonly store: Postgres;
  readonly bodies: Bodies;
}

/** Sends a whole log to the database, continuing where an earlier attempt stopped. */
async function sendLog({ store, bodies }: Target, id: string, log: Log): Promise<void> {
  const owner = { log: RUN_LOG, id, token: TOKEN };
  const sent = await lastChunk(store, owner);
  if (await sendChunks({ store, bodies }, owner, { log, sent })) return;
  await removeChunks(store, owner);
  await sendChunks({ store, bodies }, owner, { log, sent: { seq: -1, end: 0 } });
}

/**
 * Sends the rest of a log. Returns false if the chunks already stored are split differently, as another version of Pith
 * may have done; one version always splits a log in the same way.
 */
async function sendChunks(
  { store, bodies }: Target,
  owner: ChunkOwner,
  { log, sent }: { readonly log: Log; readonly sent: Awaited<ReturnType<typeof lastChunk>> },
): Promise<boolean> {
  const writer = new ChunkWriter();
  let fits = sent.seq < 0;
  const send = async (): Promise<void> => {
    const chunks = writer.take();
    fits ||= chunks.some(
      ({ seq, bytesBefore, bytes }) => seq === sent.seq && bytesBefore + bytes.length === sent.end,
    );
    const next = chunks.filter(({ seq }) => seq > sent.seq);
    if (fits) await insertChunks(store, await placeChunks(next, bodies), owner);
  };
  for await (const { stream, bytes } of log.bytes("both", 1)) {
    writer.write(stream, bytes);
    if (writer.pendingBytes > BYTES_PER_TRANSFER) await send();
  }
  writer.end();
  await send();
  return fits;
}

/** Adds the machine's name to a run that was made on another machine. */
function sharedRun(row: Row, here: Origin): StoredRun {
  return { ...runOf(row), ...(row["origin"] !== here.id && { host: textOf(row["host"]) }) };
}
