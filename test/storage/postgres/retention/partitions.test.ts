import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { LogChunk } from "../../../../src/model/job.ts";
import { openPostgres, type Postgres } from "../../../../src/storage/postgres/database.ts";
import { MIGRATIONS, migrate } from "../../../../src/storage/postgres/migrate.ts";
import { createJobQueue } from "../../../../src/storage/postgres/queue/queue.ts";
import {
  maintainStore,
  readRetention,
  setRetention,
} from "../../../../src/storage/postgres/retention/maintain.ts";
import { createSharedRuns } from "../../../../src/storage/postgres/runs/shared-runs.ts";
import { ending, newRun } from "../../../conformance/run-store.ts";
import { JOB_SPEC, PASSED } from "../../../support/job-queue.ts";
import { freshDatabase } from "../../../support/postgres.ts";
import { useStoreLogins } from "../../../support/store-logins.ts";

const logins = useStoreLogins({ ada: "developer", worker: "worker" });
const POOL = { pid: 0, identity: "pool" };
const WORKER = { id: "w", session: "s", kind: "worker", slots: 9, labels: [], leaseMs: 3_600_000 } as const;
const CHUNK: LogChunk = {
  seq: 0,
  stream: "stdout",
  bytes: Buffer.from("one line\n"),
  lines: 1,
  stdoutBefore: 0,
  stderrBefore: 0,
  bytesBefore: 0,
  firstLineIn: 0,
};

let owner: Postgres;
beforeAll(async () => {
  owner = await openPostgres(logins().database.url);
  return () => owner.close();
});
beforeEach(async () => {
  await owner.query("TRUNCATE pith.run, pith.run_id, pith.run_log, pith.job, pith.job_log CASCADE");
});

function runsOfAda() {
  return createSharedRuns(logins().as.ada, { id: `folder/${logins().names.ada}`, host: "host" });
}

/** Adds a run of ada with a log, and optionally its job, which a worker has run and logged. */
async function addRun(id: string, { isJob = false, ends = true } = {}): Promise<void> {
  const runs = runsOfAda();
  await runs.add({ ...newRun(isJob ? { owner: POOL } : {}), id }, "family");
  if (!isJob) {
    await logins().as.ada.query(
      `INSERT INTO pith.run_log (stored_at, run_id, token, seq, stream, lines, stdout_before, stderr_before, bytes_before,
         first_line_in, bytes) SELECT stored_at, id, 1, 0, 'stdout', 1, 0, 0, 0, 0, 'x' FROM pith.run_id WHERE id = $1`,
      [id],
    );
    return runs.finish(id, ending());
  }
  const ada = createJobQueue(logins().as.ada);
  await ada.submit({ id, workspace: "/w", submitter: "ada", labels: [], spec: JOB_SPEC });
  const worker = createJobQueue(logins().as.worker);
  await worker.register(WORKER, 3);
  const [claim] = await worker.claim({ worker: WORKER, count: 1, except: [] });
  if (claim === undefined) throw new Error("no job");
  expect(await worker.append(claim, [CHUNK])).toBe(true);
  if (ends) expect(await worker.finish(claim, PASSED, [])).toBe(true);
  await runs.finish(id, ending());
}

/** Makes everything that is stored look as if it had been stored that many days ago. */
async function age(days: number): Promise<void> {
  await owner.transaction(async (queries) => {
    const shift = `- interval '${days} days'`;
    for (const table of ["run", "run_log", "job_log"]) {
      const rows = await queries.query(
        "SELECT suffix, from_time, to_time FROM pith.period ORDER BY from_time",
      );
      for (const { suffix } of rows)
        await queries.query(`ALTER TABLE pith.${table} DETACH PARTITION pith.${table}_${suffix}`);
      for (const { suffix } of rows) {
        await queries.query(`UPDATE pith.${table}_${suffix} SET stored_at = stored_at ${shift}`);
        const [bounds] = await queries.query(
          `SELECT (from_time ${shift})::text AS from, (to_time ${shift})::text AS to FROM pith.period WHERE suffix = $1`,
          [suffix],
        );
        const from = bounds?.["from"] === "-infinity" ? "MINVALUE" : `'${bounds?.["from"]}'`;
        await queries.query(
          `ALTER TABLE pith.${table} ATTACH PARTITION pith.${table}_${suffix} FOR VALUES FROM (${from}) TO ('${bounds?.["to"]}')`,
        );
        await queries.query(`ALTER TABLE pith.${table}_${suffix} RENAME TO ${table}_${suffix}_aged`);
      }
    }
    await queries.query(`UPDATE pith.job SET stored_at = stored_at ${shift}`);
    await queries.query(`UPDATE pith.run_id SET stored_at = stored_at ${shift}`);
    await queries.query(
      `UPDATE pith.period SET from_time = from_time ${shift}, to_time = to_time ${shift}, suffix = suffix || '_aged'`,
    );
  });
}

async function count(table: string): Promise<number> {
  const [row] = await owner.query(`SELECT count(*) AS n FROM pith.${table}`);
  return Number(row?.["n"]);
}

async function counts(): Promise<Record<string, number>> {
  const tables = ["run", "run_log", "job", "job_log"];
  return Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await count(table)])));
}

async function partitions(): Promise<string[]> {
  const rows = await owner.query(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'pith'::regnamespace AND relispartition AND relkind = 'r'",
  );
  return rows.map(({ name }) => String(name)).toSorted();
}

describe("runs and logs that are older than the retention", () => {
  it("go with their partition, whoever asks, and their ids are still known as removed", async () => {
    await addRun("r000001");
    await addRun("r000002", { isJob: true });
    expect(await counts()).toEqual({ run: 2, run_log: 1, job: 1, job_log: 1 });
    const before = await partitions();
    await age(4);
    await addRun("r000003");
    await addRun("r000004", { isJob: true });
    await age(12);
    expect(await counts()).toEqual({ run: 4, run_log: 2, job: 2, job_log: 2 });
    // A worker may not change tables, but what it calls runs as the owner.
    await maintainStore(logins().as.worker);
    expect(await counts()).toEqual({ run: 2, run_log: 1, job: 1, job_log: 1 });
    const dropped = before.filter((name) => name.endsWith("_p0")).map((name) => `${name}_aged_aged`);
    expect(dropped).toHaveLength(3);
    expect((await partitions()).filter((name) => dropped.includes(name))).toEqual([]);
    const runs = runsOfAda();
    for (const id of ["r000001", "r000002"]) {
      expect(await runs.get(id)).toBeUndefined();
      expect(await runs.wasRemoved(id)).toBe(true);
      // An id is never used twice while it is remembered.
      expect(await runs.add({ ...newRun(), id }, "family")).toBe(false);
      expect(await createJobQueue(logins().as.ada).get(id)).toBeUndefined();
    }
    expect(await runs.wasRemoved("r000003")).toBe(false);
    expect((await runs.list("family", 10)).map(({ id }) => id)).toEqual(["r000004", "r000003"]);
    await age(120);
    await addRun("r000005");
    await maintainStore(owner);
    expect(await runs.wasRemoved("r000001")).toBe(false);
  });

  it("stay while a job of that time has not ended, and while somebody reads the table", async () => {
    await addRun("r000001", { isJob: true, ends: false });
    await age(40);
    await maintainStore(owner);
    expect(await counts()).toMatchObject({ run: 1, job: 1, job_log: 1 });
    await owner.query("UPDATE pith.job SET state = 'ended'");
    await owner.transaction(async (queries) => {
      await queries.query("SELECT count(*) FROM pith.run");
      await maintainStore(logins().as.ada);
      expect(await counts()).toMatchObject({ run: 1, job: 1, job_log: 1 });
    });
    // The next attempt is made minutes later, so that writers do not wait for each of them.
    await maintainStore(owner);
    expect(await count("run")).toBe(1);
    await owner.query("UPDATE pith.retention SET tried_at = '-infinity'");
    await maintainStore(owner);
    expect(await counts()).toEqual({ run: 0, run_log: 0, job: 0, job_log: 0 });
  });

  it("depend on what the owner sets", async () => {
    await addRun("r000001");
    await age(9);
    await maintainStore(owner);
    expect(await count("run")).toBe(1);
    await expect(setRetention(logins().as.ada, 3)).rejects.toMatchObject({ code: "permission_denied" });
    await expect(setRetention(owner, 0)).rejects.toMatchObject({ code: "invalid_input" });
    await setRetention(owner, 3);
    expect(await readRetention(logins().as.worker)).toMatchObject({ keepDays: 3 });
    expect(await count("run")).toBe(0);
    await setRetention(owner, 14);
  });
});

describe("partitions of the next days", () => {
  it("are made by any login that may write, once, however many ask together", async () => {
    await age(100);
    expect(await codeOf(addTo("r000001"))).toBe("store_unavailable");
    const asked = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? logins().as.ada : logins().as.worker));
    await Promise.all(asked.map((store) => maintainStore(store)));
    await addRun("r000002");
    const [covered] = await owner.query(
      "SELECT count(*) AS n, max(to_time) > now() + interval '6 days' AS ahead FROM pith.period WHERE to_time > now()",
    );
    expect(covered).toEqual({ n: "3", ahead: true });
  });

  it("are read only where the rows are", async () => {
    await addRun("r000001", { isJob: true });
    const plan = async (sql: string): Promise<string> =>
      JSON.stringify(await owner.query(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ${sql}`));
    const [run] = await owner.query("SELECT tableoid::regclass::text AS name FROM pith.run");
    const found = await plan(
      "SELECT * FROM pith.run WHERE id = 'r000001' AND stored_at = (SELECT stored_at FROM pith.run_id WHERE id = 'r000001')",
    );
    const executed = found.match(/on run_p\w+[^"]*\(actual/g) ?? [];
    expect(executed).toHaveLength(1);
    expect(`pith.${executed[0]}`).toContain(String(run?.["name"]).replace("pith.", ""));
  });
});

it("removes the job and the logs of a run that its owner deletes", async () => {
  await addRun("r000001");
  await addRun("r000002", { isJob: true });
  await logins().as.ada.query("DELETE FROM pith.run");
  expect(await counts()).toEqual({ run: 0, run_log: 0, job: 0, job_log: 0 });
  expect(await runsOfAda().wasRemoved("r000002")).toBe(true);
});

it("keeps the runs, jobs and logs of an earlier version", async () => {
  const database = await freshDatabase();
  const store = await openPostgres(database.url);
  await migrate(store, MIGRATIONS.slice(0, 10));
  await store.query(
    `INSERT INTO pith.run (id, origin, host, family, workspace, command, cwd, key, owner_pid, owner_identity, started_at)
     SELECT 'r' || n, 'here', 'h', 'f', '/w', 'true', '/w', 'k', 0, 'pool', n FROM generate_series(1, 5) n`,
  );
  await store.query(
    `INSERT INTO pith.job (id, workspace, command, submitter, labels, turn, token, state)
     VALUES ('r1', '/w', 'true', 'ada', '{}', 1, 1, 'ended')`,
  );
  await store.query(
    "INSERT INTO pith.job_attempt (job_id, token, worker, session) VALUES ('r1', 1, 'w', 's')",
  );
  await store.query("INSERT INTO pith.job_log VALUES ('r1', 1, 0, 'stdout', 1, 0, 0, 0, 0, 'kept\n')");
  await store.query("DELETE FROM pith.run WHERE id = 'r5'");
  await migrate(store);
  const runs = createSharedRuns(store, { id: "here", host: "h" });
  expect((await runs.list("f", 10)).map(({ id }) => id)).toEqual(["r4", "r3", "r2", "r1"]);
  expect([await runs.wasRemoved("r5"), await runs.wasRemoved("r4")]).toEqual([true, false]);
  await runs.add({ ...newRun(), id: "r6" }, "f");
  expect((await runs.list("f", 1)).map(({ id }) => id)).toEqual(["r6"]);
  const queue = createJobQueue(store);
  expect(await queue.get("r1")).toMatchObject({ attempts: [{ token: 1, lines: 1 }] });
  const texts: string[] = [];
  for await (const { bytes } of queue.chunks({ id: "r1", token: 1, stream: "both", fromLine: 1 }))
    texts.push(bytes.toString());
  expect(texts).toEqual(["kept\n"]);
  await store.query("DELETE FROM pith.run WHERE id = 'r1'");
  expect(await store.query("SELECT 1 FROM pith.job_log")).toEqual([]);
  await store.close();
  await database.drop();
});

/** Inserts a run without making partitions before, as a process does that is connected for long. */
async function addTo(id: string): Promise<void> {
  await logins().as.ada.query(
    `INSERT INTO pith.run (id, origin, host, family, workspace, command, cwd, key, owner_pid, owner_identity, started_at)
     VALUES ($1, '/' || current_user, 'h', 'f', '/w', 'true', '/w', 'k', 0, 'pool', 0)`,
    [id],
  );
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: { readonly code?: unknown }) => error.code);
}
