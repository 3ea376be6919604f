import type { JobSpec } from "../../../pool/job-spec.ts";
import type {
  Claim,
  ClaimRequest,
  FoundAnswer,
  JobQueue,
  JobResult,
  NewAnswer,
  PoolNews,
  Renewal,
  WorkerEntry,
} from "../../../pool/queue.ts";
import type { Postgres, Queries, Row } from "../database.ts";
import type { Bodies } from "../objects/bodies.ts";
import { chunkColumns, pagesOf, placeChunks, type PlacedChunk } from "../runs/log-chunks.ts";
import { timeOf } from "../../rows/values.ts";
import { announce } from "./listen.ts";
import { NEWS_CHANNEL } from "./sql.ts";
import { storable } from "../values.ts";

type LeaseQueries = Pick<
  JobQueue,
  | "claim"
  | "register"
  | "unregister"
  | "renew"
  | "append"
  | "answer"
  | "finish"
  | "release"
  | "disown"
  | "reap"
>;
type Held = Pick<Claim, "id" | "token">;

/**
 * The database operations of workers on jobs. Each is a function of the database, which checks who calls it and the
 * token of the attempt, and is one transaction, so a worker that dies never leaves a partial change.
 */
export function leaseQueries(store: Postgres, bodies: Bodies): LeaseQueries {
  return {
    claim: (request) => claimJobs(store, request),
    async register({ id, session, kind, slots, labels, facts = {}, leaseMs }, maxAttempts) {
      await store.query("SELECT pith.register_worker($1, $2, $3, $4, $5, $6, $7, $8)", [
        id,
        session,
        kind,
        slots,
        labels,
        JSON.stringify(facts),
        leaseMs,
        maxAttempts,
      ]);
    },
    async unregister({ id, session }) {
      await store.query("SELECT pith.unregister_worker($1, $2)", [id, session]);
    },
    renew: (worker, held, draining) => renew(store, worker, held, draining),
    append: async (held, chunks) => append(store, held, await placeChunks(chunks, bodies)),
    answer: (held, key) => findAnswer(store, held, key),
    finish: async (held, result, chunks, answer) =>
      finish(store, held, { result, chunks: await placeChunks(chunks, bodies), answer }),
    async release({ id, token }, seen) {
      await store.query("SELECT pith.release_job($1, $2, $3)", [id, token, storable(seen)]);
    },
    async disown({ id, session }, held) {
      const reason = `worker ${id} did not know that it held the job`;
      await store.query("SELECT pith.disown_jobs($1, $2, $3, $4)", [id, session, held, reason]);
    },
    async reap(maxAttempts) {
      await store.query("SELECT pith.reap_jobs($1)", [maxAttempts]);
    },
  };
}

async function renew(
  store: Postgres,
  worker: WorkerEntry,
  held: readonly Held[],
  draining: boolean,
): Promise<Renewal> {
  const rows = await store.query("SELECT * FROM pith.renew_leases($1, $2, $3, $4, $5, $6)", [
    worker.id,
    worker.session,
    draining,
    worker.leaseMs,
    held.map((one) => one.id),
    held.map((one) => one.token),
  ]);
  const session = rows.find((row) => row["id"] === null)?.["session"];
  return {
    registration: session === undefined ? "unknown" : session === worker.session ? "own" : "replaced",
    held: rows
      .filter((row) => row["id"] !== null)
      .map((row) => ({ id: String(row["id"]), cancelRequested: row["cancel_requested"] === true })),
  };
}

/** Stores output, all of it or none. */
async function append(store: Postgres, held: Held, chunks: readonly PlacedChunk[]): Promise<boolean> {
  const [first = [], ...more] = pagesOf(chunks);
  if (more.length === 0) return appendPage(store, held, first);
  return store.transaction(async (queries) => {
    for (const page of [first, ...more]) if (!(await appendPage(queries, held, page))) return false;
    return true;
  });
}

/** Stores a few chunks of output; returns false and stores nothing if this attempt no longer holds the job. */
async function appendPage(
  queries: Queries,
  { id, token }: Held,
  page: readonly PlacedChunk[],
): Promise<boolean> {
  const [row] = await queries.query(
    "SELECT pith.append_log($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS stored",
    [id, token, ...chunkColumns(page)],
  );
  return row?.["stored"] === true;
}

async function finish(
  store: Postgres,
  held: Held,
  {
    result,
    chunks,
    answer,
  }: {
    readonly result: JobResult;
    readonly chunks: readonly PlacedChunk[];
    readonly answer: NewAnswer | undefined;
  },
): Promise<boolean> {
  const stored = await store.transaction(async (queries) => {
    for (const page of pagesOf(chunks)) if (!(await appendPage(queries, held, page))) break;
    if (answer !== undefined)
      await queries.query("SELECT pith.keep_answer($1, $2, $3, $4, $5)", [
        held.id,
        held.token,
        answer.key,
        answer.exitCode,
        answer.bytes,
      ]);
    const [row] = await queries.query("SELECT pith.finish_job($1, $2, $3, $4, $5) AS stored", [
      held.id,
      held.token,
      JSON.stringify(result.end),
      JSON.stringify(result.log),
      result.findings === undefined ? null : JSON.stringify(result.findings),
    ]);
    return row?.["stored"] === true;
  });
  // A transaction of its own, after the result is committed: see announce-functions.ts.
  if (stored) {
    const news = { kind: "ended", id: held.id } satisfies PoolNews;
    await announce(store, "SELECT pg_notify($1, $2)", [NEWS_CHANNEL, JSON.stringify(news)]);
  }
  return stored;
}

/**
 * An answer is not reused later than this, whatever its key says, because some rules depend on the date and not
 * everything that a checker may read is known.
 */
const MAX_ANSWER_AGE_MS = 24 * 60 * 60_000;

async function findAnswer(
  store: Postgres,
  { id, token }: Held,
  key: string,
): Promise<FoundAnswer | undefined> {
  const [row] = await store.query("SELECT * FROM pith.find_answer($1, $2, $3, $4)", [
    id,
    token,
    key,
    MAX_ANSWER_AGE_MS,
  ]);
  const bytes = row?.["answer"];
  if (row === undefined || !Buffer.isBuffer(bytes)) return undefined;
  return {
    run: String(row["run"]),
    by: String(row["submitter"]),
    endedAt: timeOf(row["ended_at"]) ?? 0,
    bytes,
  };
}

/** Claims the next jobs in fair order and starts an attempt of each. */
async function claimJobs(store: Postgres, { worker, count, except, only }: ClaimRequest): Promise<Claim[]> {
  const rows = await store.query("SELECT * FROM pith.claim_jobs($1, $2, $3, $4, $5, $6, $7)", [
    worker.id,
    worker.session,
    worker.leaseMs,
    worker.labels,
    count,
    only ?? null,
    except,
  ]);
  return rows.map(readClaim);
}

function readClaim(row: Row): Claim {
  return {
    id: String(row["id"]),
    token: Number(row["token"]),
    workspace: String(row["workspace"]),
    // The cast is safe because `submit` wrote this JSON column.
    spec: JSON.parse(String(row["order_json"])) as JobSpec,
  };
}
