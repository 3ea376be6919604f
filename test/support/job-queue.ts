import { beforeAll, beforeEach } from "vitest";
import type { JobOrder } from "../../src/pool/order.ts";
import type { Claim, HandOut, JobQueue, JobResult, WorkerEntry } from "../../src/pool/queue.ts";
import { createJobQueue } from "../../src/storage/postgres/queue.ts";
import { openPostgres, type Postgres } from "../../src/storage/postgres/database.ts";
import { migrate } from "../../src/storage/postgres/migrate.ts";
import { freshDatabase } from "./postgres.ts";

export interface QueueBench {
  readonly store: Postgres;
  readonly queue: JobQueue;
  /** Submits a job under the next id and gives the id. */
  submit(submitter?: string, labels?: readonly string[]): Promise<string>;
  worker(id: string, labels?: readonly string[], leaseMs?: number): WorkerEntry;
  /** Lets the lease of a job end now. */
  expire(id: string): Promise<void>;
  /** The entries of the queue library, those that are handed out first at the front. */
  entries(): Promise<{ readonly number: number; readonly id: string; readonly isTaken: boolean }[]>;
}

/** A queue on a database of its own for all tests of a file, empty before each. */
export function useQueueBench(): () => QueueBench {
  let bench: QueueBench | undefined;
  beforeAll(async () => {
    const database = await freshDatabase();
    const opened = await openQueueBench(database.url);
    bench = opened;
    return async () => {
      await opened.queue.close();
      await database.drop();
    };
  });
  beforeEach(async () => {
    await bench?.store.query("TRUNCATE pith.run, pith.worker, pith_queue._private_jobs CASCADE");
  });
  return () => {
    if (bench === undefined) throw new Error("no test has begun");
    return bench;
  };
}

/** A queue on a database of its own, with jobs that nobody runs. */
async function openQueueBench(url: string): Promise<QueueBench> {
  const store = await openPostgres(url, { maxConnections: 10 });
  await migrate(store);
  const queue = createJobQueue(store);
  let last = 0;
  return {
    store,
    queue,
    async submit(submitter = "ada@desk", labels = []) {
      const id = `r${String(++last).padStart(6, "0")}`;
      await store.query(
        `INSERT INTO pith.run (id, origin, host, family, workspace, command, cwd, key, owner_pid, owner_identity, started_at)
         VALUES ($1, 'o', 'h', 'f', '/w', 'true', '/w', 'k', 0, 'pool', 0)`,
        [id],
      );
      await queue.submit({ id, workspace: "/w", submitter, labels, order: ORDER });
      return id;
    },
    worker: (id, labels = [], leaseMs = 60_000) => ({
      id,
      session: `${id}-session`,
      kind: "worker",
      slots: 4,
      labels,
      leaseMs,
    }),
    async expire(id) {
      await store.query(
        "UPDATE pith.job SET lease_ms = 0, lease_until = now() - interval '1 s' WHERE id = $1",
        [id],
      );
    },
    async entries() {
      const rows = await store.query(
        "SELECT id, key, locked_by FROM pith_queue.jobs ORDER BY priority, run_at",
      );
      return rows.map((row) => ({
        number: Number(row["id"]),
        id: String(row["key"]),
        isTaken: row["locked_by"] !== null,
      }));
    },
  };
}

/** A worker with one slot, and what it was handed. */
export interface Hand {
  readonly claims: readonly Claim[];
  /** Resolves when it has been handed so many; the last of them keeps its slot. */
  has(count: number): Promise<readonly Claim[]>;
  /** Is done with what it has, without a result, and takes the next. */
  next(): void;
  /** Takes nothing more and is done with what it has. */
  stop(): Promise<void>;
}

/** Hands jobs to a registered worker that begins them and runs none. */
export async function openHand(queue: JobQueue, worker: WorkerEntry): Promise<Hand> {
  const claims: Claim[] = [];
  let [changed, free] = [(): void => undefined, (): void => undefined];
  let trouble: unknown;
  const handOut: HandOut = await queue.handOut({
    worker: { ...worker, slots: 1 },
    async take(claim) {
      claims.push(claim);
      const freed = new Promise<void>((resolve) => (free = resolve));
      changed();
      await freed;
    },
    onUnregistered: () => queue.register(worker, 3),
    onTrouble(error) {
      trouble = error;
      changed();
    },
  });
  return {
    claims,
    async has(count) {
      while (claims.length < count) {
        if (trouble !== undefined) throw trouble;
        await new Promise<void>((resolve) => (changed = resolve));
      }
      return claims;
    },
    next: () => free(),
    async stop() {
      const stopped = handOut.stop();
      free();
      await stopped;
    },
  };
}

/** The next jobs that a registered worker is handed, one after the other. */
export async function handedOut(queue: JobQueue, worker: WorkerEntry, count: number): Promise<Claim[]> {
  const hand = await openHand(queue, worker);
  for (let got = 1; got < count; got++) {
    await hand.has(got);
    hand.next();
  }
  await hand.has(count);
  await hand.stop();
  return [...hand.claims];
}

export const PASSED: JobResult = {
  end: { cause: "exit", exitCode: 0 },
  log: { lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 },
};

export const ORDER: JobOrder = {
  command: "true",
  argv: ["true"],
  env: {},
  root: "/w",
  cwd: "",
  snapshot: { commit: "0".repeat(40), format: "sha1" },
  timeoutMs: 1000,
  maxOutputBytes: 1000,
  expected: [],
  testsExpected: false,
  hasReport: false,
  commands: [],
};
