import { beforeAll, beforeEach } from "vitest";
import type { JobSpec } from "../../src/pool/job-spec.ts";
import type { Claim, JobQueue, JobResult, NewJob, WorkerEntry } from "../../src/pool/queue.ts";
import { createJobQueue } from "../../src/storage/postgres/queue/queue.ts";
import { openPostgres, type Postgres } from "../../src/storage/postgres/database.ts";
import { freshStore } from "./postgres.ts";

export interface QueueBench {
  readonly store: Postgres;
  readonly queue: JobQueue;
  /** Submits a job under the next id and returns the id. */
  submit(submitter?: string, labels?: readonly string[], more?: Partial<NewJob>): Promise<string>;
  worker(id: string, labels?: readonly string[], leaseMs?: number): WorkerEntry;
  /** Makes the lease of a job expire now. */
  expire(id: string): Promise<void>;
}

/** Provides a queue with its own database for all tests of a file; it is emptied before each test. */
export function useQueueBench(): () => QueueBench {
  let bench: QueueBench | undefined;
  beforeAll(async () => {
    const database = await freshStore();
    const opened = await openQueueBench(database.url);
    bench = opened;
    return async () => {
      await opened.queue.close();
      await database.drop();
    };
  });
  beforeEach(async () => {
    await bench?.store.query(
      "TRUNCATE pith.run, pith.job, pith.job_log, pith.worker, pith.worker_cache CASCADE",
    );
  });
  return () => {
    if (bench === undefined) throw new Error("no test has begun");
    return bench;
  };
}

/** Opens a queue whose jobs are never run. */
async function openQueueBench(url: string): Promise<QueueBench> {
  const store = await openPostgres(url, { maxConnections: 10 });
  const queue = createJobQueue(store);
  let last = 0;
  return {
    store,
    queue,
    async submit(submitter = "ada@desk", labels = [], more = {}) {
      const id = `r${String(++last).padStart(6, "0")}`;
      await store.query(
        `INSERT INTO pith.run (id, origin, host, family, workspace, command, cwd, key, owner_pid, owner_identity, started_at)
         VALUES ($1, 'o', 'h', 'f', '/w', 'true', '/w', 'k', 0, 'pool', 0)`,
        [id],
      );
      await queue.submit({ id, workspace: "/w", submitter, labels, spec: JOB_SPEC, ...more });
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
  };
}

/** Claims the next jobs for a registered worker, one at a time. */
export async function claimNext(queue: JobQueue, worker: WorkerEntry, count: number): Promise<Claim[]> {
  const claims: Claim[] = [];
  while (claims.length < count) {
    const [claim] = await queue.claim({ worker, count: 1, except: [] });
    if (claim === undefined) throw new Error(`only ${claims.length} of ${count} jobs could be claimed`);
    claims.push(claim);
  }
  return claims;
}

export const PASSED: JobResult = {
  end: { cause: "exit", exitCode: 0 },
  log: { lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 },
};

export const JOB_SPEC: JobSpec = {
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
};
