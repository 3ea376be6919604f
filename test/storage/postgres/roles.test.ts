import { beforeAll, describe, expect, it } from "vitest";
import { PithError } from "../../../src/kernel/errors.ts";
import { openPostgres, type Postgres } from "../../../src/storage/postgres/database.ts";
import { createPostgresIndexStore } from "../../../src/storage/postgres/index/index-store.ts";
import { migrate } from "../../../src/storage/postgres/migrate.ts";
import { createJobQueue } from "../../../src/storage/postgres/queue/queue.ts";
import { TABLE_RIGHTS } from "../../../src/storage/postgres/rights.ts";
import { grantRights, roleOf } from "../../../src/storage/postgres/roles.ts";
import { createSharedRuns } from "../../../src/storage/postgres/runs/shared-runs.ts";
import { ending, newRun } from "../../conformance/run-store.ts";
import { claimNext, JOB_SPEC } from "../../support/job-queue.ts";
import { useStoreLogins } from "../../support/store-logins.ts";
import { runSql, type TestDatabase } from "../../support/postgres.ts";

const logins = useStoreLogins({
  reader: "reader",
  ada: "developer",
  bob: "developer",
  worker: "worker",
  stranger: undefined,
});
type Login = "reader" | "ada" | "bob" | "worker" | "stranger";
let as: Record<Login, Postgres>;
let database: TestDatabase;
let names: Record<Login, string>;
beforeAll(() => {
  ({ as, database, names } = logins());
});

const origin = (login: Login) => ({ id: `folder/${names[login]}`, host: "host" });
const record = { chunks: 1, features: Buffer.from("f"), outline: Buffer.from("o"), uses: Buffer.from("u") };

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "allowed",
    (error: unknown) => (error instanceof PithError ? error.code : String(error)),
  );
}

describe("the roles of a store", () => {
  it("cover every table", async () => {
    const [tables] = await runSql(
      database.url,
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'pith'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1",
    );
    expect(tables?.rows.map(({ name }) => String(name))).toEqual(Object.keys(TABLE_RIGHTS).toSorted());
  });

  it("are derived from the privileges of a login", async () => {
    const roles = [];
    for (const store of Object.values(as).slice(0, 4)) roles.push((await roleOf(store)).role);
    expect(roles).toEqual(["reader", "developer", "developer", "worker"]);
  });

  it("get their privileges only from the owner, who is told what is missing", async () => {
    const refused: unknown = await grantRights(as.ada).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "permission_denied" });
    expect((refused as PithError).suggestion).toContain("CREATEROLE");
    const owner = await openPostgres(database.url);
    // Two concurrent grants wait for each other.
    await Promise.all([grantRights(owner), grantRights(owner)]);
    await owner.close();
  });

  it("can open the store with the current schema, while others see nothing", async () => {
    for (const login of ["reader", "ada", "worker"] as const)
      expect([login, await codeOf(migrate(as[login]))]).toEqual([login, "allowed"]);
    expect(await codeOf(migrate(as.stranger))).toBe("permission_denied");
    expect(await codeOf(as.stranger.query("SELECT * FROM pith.record"))).toBe("permission_denied");
  });

  it("let a developer write, a reader read, and nobody change rows of others", async () => {
    const ada = createPostgresIndexStore(as.ada, origin("ada"));
    const { projectId } = await ada.project("/app", "family");
    const change = { projectId, ref: "live", records: [{ key: "k", record }], removed: [], at: 1 };
    await ada.publish({ ...change, changed: [{ path: "a", key: "k" }] });
    await ada.saveImage("family", Buffer.from("i"));

    const reader = createPostgresIndexStore(as.reader, origin("reader"));
    expect((await reader.features(["k"])).size).toBe(1);
    expect((await reader.manifest(projectId, "live"))?.entries).toHaveLength(1);
    expect(await codeOf(reader.publish({ ...change, changed: [] }))).toBe("permission_denied");
    expect(await codeOf(reader.project("/mine", "family"))).toBe("permission_denied");
    expect(await codeOf(as.reader.query("SELECT * FROM pith.pack"))).toBe("permission_denied");

    const bob = createPostgresIndexStore(as.bob, origin("bob"));
    expect([...(await bob.known(["k"]))]).toEqual(["k"]);
    expect(await codeOf(bob.publish({ ...change, changed: [{ path: "b", key: "k" }] }))).toBe(
      "permission_denied",
    );
    expect(await bob.removeProject(projectId)).toBeUndefined();
    expect(await codeOf(as.bob.query("DELETE FROM pith.manifest_entry RETURNING path"))).toBe("allowed");
    expect((await ada.manifest(projectId, "live"))?.entries).toHaveLength(1);
    expect(await ada.removeProject(projectId)).toEqual({ manifests: 1, files: 1, blobs: 1 });
  });

  it("let only the creator change runs and logs, and every reader read them", async () => {
    const ada = createSharedRuns(as.ada, origin("ada"));
    const run = { ...newRun({ startedAt: Date.now() }), id: "r000001" };
    expect(await ada.add(run, "family")).toBe(true);
    await createSharedRuns(as.bob, origin("bob")).finish(run.id, ending());
    expect((await ada.get(run.id))?.end).toBeUndefined();
    await ada.finish(run.id, ending());
    expect((await createSharedRuns(as.reader, origin("reader")).get(run.id))?.end?.exitCode).toBe(0);
    expect(await codeOf(createSharedRuns(as.worker, origin("worker")).get(run.id))).toBe("permission_denied");
    const stolen = { ...newRun(), id: "r000002" };
    const forged = as.bob.query(
      `INSERT INTO pith.run (id, owner, origin, host, family, workspace, command, cwd, key, owner_pid, owner_identity,
         started_at) VALUES ($1, $2, '', '', '', '', '', '', '', 0, '', 0)`,
      [stolen.id, names.ada],
    );
    expect(await codeOf(forged)).toBe("permission_denied");
  });

  it("let a worker run jobs without seeing the index", async () => {
    const pool = { pid: 0, identity: "pool" };
    const run = { ...newRun({ owner: pool, startedAt: Date.now() }), id: "r000003" };
    await createSharedRuns(as.ada, origin("ada")).add(run, "family");
    await createJobQueue(as.ada).submit({
      id: run.id,
      workspace: "/w",
      submitter: "ada",
      labels: [],
      spec: JOB_SPEC,
    });
    const queue = createJobQueue(as.worker);
    const worker = {
      id: "w_roles",
      session: "s",
      kind: "worker",
      slots: 1,
      labels: [],
      leaseMs: 60_000,
    } as const;
    await queue.register(worker, 3);
    const [claim] = await claimNext(queue, worker, 1);
    expect(claim?.id).toBe(run.id);
    if (claim === undefined) throw new Error("nothing was handed out");
    await queue.renew(worker, [claim], false);
    const { end, log } = ending();
    expect(await queue.finish(claim, { end, log }, [])).toBe(true);
    await queue.reap(3);
    await queue.unregister(worker);
    expect((await createJobQueue(as.ada).get(run.id))?.result?.end).toEqual(end);
    for (const table of ["record", "manifest_entry", "project", "image", "run", "run_log"])
      expect([table, await codeOf(as.worker.query(`SELECT * FROM pith.${table}`))]).toEqual([
        table,
        "permission_denied",
      ]);
    // Whoever observes the end of a pool's run records it.
    await createSharedRuns(as.bob, origin("bob")).finish(run.id, ending());
    expect((await createSharedRuns(as.ada, origin("ada")).get(run.id))?.end).toEqual(end);
  });

  it("give access to the queue to those who use it, and let others read it", async () => {
    const pool = { pid: 0, identity: "pool" };
    const run = { ...newRun({ owner: pool, startedAt: Date.now() }), id: "r000004" };
    await createSharedRuns(as.ada, origin("ada")).add(run, "family");
    const job = { id: run.id, workspace: "/w", submitter: "ada", labels: ["gpu"], spec: JOB_SPEC };
    for (const login of ["reader", "worker", "stranger"] as const)
      expect([login, await codeOf(createJobQueue(as[login]).submit(job))]).toEqual([
        login,
        "permission_denied",
      ]);
    const ada = createJobQueue(as.ada);
    await ada.submit(job);
    const seen = async (login: Login) =>
      (await as[login].query("SELECT id FROM pith.job WHERE state = 'queued'")).map((row) => row["id"]);
    for (const login of ["reader", "ada", "worker"] as const)
      expect([login, await seen(login)]).toEqual([login, [run.id]]);
    expect(await codeOf(seen("stranger"))).toBe("permission_denied");
    for (const login of ["reader", "worker"] as const)
      expect(await codeOf(as[login].query("DELETE FROM pith.job"))).toBe("permission_denied");
    expect(await codeOf(as.reader.query("UPDATE pith.job SET worker = 'me'"))).toBe("permission_denied");
    const worker = {
      id: "w_roles",
      session: "s",
      kind: "worker",
      slots: 1,
      labels: [],
      leaseMs: 1_000,
    } as const;
    await createJobQueue(as.worker).register(worker, 3);
    expect(await createJobQueue(as.worker).claim({ worker, count: 1, except: [] })).toEqual([]);
    await createJobQueue(as.worker).unregister(worker);
    expect(await codeOf(createJobQueue(as.bob).cancel(run.id))).toBe("permission_denied");
    expect(await seen("ada")).toEqual([run.id]);
    await ada.cancel(run.id);
    expect(await seen("ada")).toEqual([]);
  });
});
