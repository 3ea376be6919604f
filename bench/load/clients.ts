/** The clients of bench/team-load.ts: servers that submit jobs and workers that run them, through the code that real ones use. */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isStoreUnavailable } from "../../src/kernel/errors.ts";
import type { LogChunk } from "../../src/model/job.ts";
import { ChunkWriter } from "../../src/pool/chunk-writer.ts";
import { JobClaimer } from "../../src/pool/job-claimer.ts";
import type { Claim, JobQueue, PoolNews, WorkerEntry } from "../../src/pool/queue.ts";
import { retryUntilAvailable } from "../../src/runs/record/retry-until-available.ts";
import { openPostgres } from "../../src/storage/postgres/database.ts";
import { createPackStore } from "../../src/storage/postgres/queue/packs.ts";
import { createJobQueue } from "../../src/storage/postgres/queue/queue.ts";
import { createSharedRuns } from "../../src/storage/postgres/runs/shared-runs.ts";

/** One connection listens, and two work. */
const CONNECTIONS = 3;
/** How many jobs a server has under way at the same time. */
const JOBS_PER_SERVER = 2;
const SLOTS_PER_WORKER = 4;
const JOBS_PER_SNAPSHOT = 5;
/** How often somebody looks at the lists of runs and jobs. */
const JOBS_PER_LISTING = 20;
const SNAPSHOT_BYTES = 2_000;
const LINES_PER_JOB = 100;
const HEARTBEAT_MS = 5_000;
const POLL_MS = 2_000;

export interface ServerTask {
  readonly url: string;
  readonly name: string;
  readonly login: string;
  readonly jobs: number;
  readonly until: number;
}

/** After its time a server waits this long for the jobs that are under way. */
const LAST_WAIT_MS = 30_000;

/** Repeats a step until the database answers, as servers and workers do. */
function patiently<T>(step: () => Promise<T>): Promise<T> {
  return retryUntilAvailable(step, { signal: new AbortController().signal });
}

/** Submits jobs one after the other, in a few rows at once, and records their end. Returns how many have ended. */
export async function runServer({ url, name, login, jobs, until }: ServerTask): Promise<number> {
  const store = await openPostgres(url, { maxConnections: CONNECTIONS });
  const queue = createJobQueue(store);
  const packs = createPackStore(store);
  const runs = createSharedRuns(store, { id: `${name}/${login}`, host: name });
  const waiting = new Map<string, () => void>();
  const ended = (id: string): void => waiting.get(id)?.();
  const unlisten = await queue.listen((news: PoolNews) => {
    if (news.kind === "ended") ended(news.id);
  });
  const poll = setInterval(() => {
    // The database is polled in case a notification was lost; an error here shows in the submitting code too.
    void queue.ended([...waiting.keys()]).then(
      (ids) => ids.forEach(ended),
      () => undefined,
    );
  }, POLL_MS);
  let next = 0;
  let done = 0;
  let commit = "";
  const work = async (): Promise<void> => {
    for (let at = next++; at < jobs && Date.now() < until; at = next++) {
      if (at % JOBS_PER_SNAPSHOT === 0) {
        commit = randomBytes(20).toString("hex");
        await patiently(() =>
          packs.put({ commit, needs: [], project: name, isBase: false, bytes: oneChunk() }),
        );
      } else await patiently(() => packs.find([commit]));
      const id = `${name}x${at}`;
      const run = {
        id,
        workspace: `/repositories/${name}`,
        command: "npm test",
        cwd: `/repositories/${name}`,
        key: name,
      };
      const owner = { pid: 0, identity: "pool" };
      await patiently(() => runs.add({ ...run, startedAt: Date.now(), owner }, `family-${name}`));
      const finished = new Promise<true>((resolve) => waiting.set(id, () => resolve(true)));
      await patiently(() => queue.submit({ ...run, submitter: name, labels: [], spec: specOf(commit) }));
      const hasEnded = await Promise.race([finished, delay(until + LAST_WAIT_MS - Date.now(), false)]);
      waiting.delete(id);
      if (!hasEnded) return;
      await patiently(() => queue.get(id));
      if (at % JOBS_PER_LISTING === 0) {
        await patiently(() => runs.list(`family-${name}`, 20));
        await patiently(() => queue.list({ workspace: `/repositories/${name}`, limit: 20 }));
      }
      const ending = { endedAt: Date.now(), end: { cause: "exit", exitCode: 0 }, log: NO_LOG } as const;
      await patiently(() => runs.finish(id, ending));
      done++;
    }
  };
  await Promise.all(Array.from({ length: JOBS_PER_SERVER }, work));
  clearInterval(poll);
  await unlisten();
  await store.close();
  return done;
}

/** Runs jobs until the promise resolves: each job prints some lines and ends at once. */
export async function runWorker(url: string, id: string, stopped: Promise<void>): Promise<void> {
  const store = await openPostgres(url, { maxConnections: CONNECTIONS });
  const queue = createJobQueue(store);
  const worker: WorkerEntry = {
    id,
    session: `${id}-session`,
    kind: "worker",
    slots: SLOTS_PER_WORKER,
    labels: [],
    leaseMs: 60_000,
  };
  const held = new Map<string, Claim>();
  const onError = (error: unknown): void => {
    // A busy database is asked again with the next heartbeat.
    if (!isStoreUnavailable(error)) throw error;
  };
  const claimer = new JobClaimer({
    queue,
    worker,
    held,
    onError,
    start(claim) {
      held.set(claim.id, claim);
      void runJob(queue, claim)
        .finally(() => {
          held.delete(claim.id);
          claimer.poll();
        })
        .catch(onError);
    },
  });
  await queue.register(worker, 3);
  const unlisten = await queue.listen((news) => {
    if (news.kind === "queued") claimer.hear(news.for);
  });
  const end = new AbortController();
  const { signal } = end;
  const heartbeats = (async (): Promise<void> => {
    while (!signal.aborted) {
      // The wait ends early when the worker is stopped.
      await delay(HEARTBEAT_MS, undefined, { signal }).catch(() => undefined);
      try {
        await queue.renew(worker, [...held.values()], false);
        await queue.reap(3);
      } catch (error) {
        onError(error);
      }
      claimer.poll();
    }
  })();
  await stopped;
  end.abort();
  await heartbeats;
  await claimer.stop();
  await unlisten();
  await store.close();
}

async function runJob(queue: JobQueue, claim: Claim): Promise<void> {
  const [first, second] = [linesOf(0), linesOf(1)];
  await patiently(() => queue.append(claim, first));
  const end = { cause: "exit", exitCode: 0 } as const;
  const result = { end, log: { ...NO_LOG, lines: LINES_PER_JOB } };
  await patiently(() => queue.finish(claim, result, second));
}

/** Returns half of a job's lines, as one chunk; the second half follows the first. */
function linesOf(half: 0 | 1): LogChunk[] {
  const writer = new ChunkWriter();
  for (let part = 0; part <= half; part++) {
    for (let at = 0; at < LINES_PER_JOB / 2; at++)
      writer.write(
        "stdout",
        Buffer.from(`${at} ${Math.random().toString(36)} an ordinary line of build output\n`),
      );
    if (part < half) writer.take();
  }
  return writer.take();
}

async function* oneChunk(): AsyncGenerator<Buffer> {
  yield await Promise.resolve(randomBytes(SNAPSHOT_BYTES));
}

const NO_LOG = { lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 };

function specOf(commit: string) {
  return {
    command: "npm test",
    argv: ["npm", "test"],
    env: {},
    root: "/work",
    cwd: "",
    snapshot: { commit, format: "sha1" },
    timeoutMs: 600_000,
    maxOutputBytes: 1_000_000,
    expected: [],
    testsExpected: true,
    hasReport: false,
  } as const;
}
