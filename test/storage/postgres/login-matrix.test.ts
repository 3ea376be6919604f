import { beforeAll, describe, expect, it } from "vitest";
import { createPostgresIndexStore } from "../../../src/storage/postgres/index/index-store.ts";
import type { Postgres } from "../../../src/storage/postgres/database.ts";
import { FUNCTION_RIGHTS } from "../../../src/storage/postgres/rights.ts";
import { createJobQueue } from "../../../src/storage/postgres/queue/queue.ts";
import { createPackStore } from "../../../src/storage/postgres/queue/packs.ts";
import { createSharedRuns } from "../../../src/storage/postgres/runs/shared-runs.ts";
import { PithError } from "../../../src/kernel/errors.ts";
import type { Claim, WorkerEntry } from "../../../src/pool/queue.ts";
import { ending, newRun } from "../../conformance/run-store.ts";
import { JOB_SPEC, PASSED } from "../../support/job-queue.ts";
import { useStoreLogins } from "../../support/store-logins.ts";
import { runSql } from "../../support/postgres.ts";

const LOGINS = ["reader", "ada", "bob", "worker", "other"] as const;
type Login = (typeof LOGINS)[number];
const VERBS = ["select", "insert", "update", "delete", "truncate"] as const;
type Verb = (typeof VERBS)[number];

const EVERYONE = "reader ada bob worker other";
const READERS = "reader ada bob";
const DEVELOPERS = "ada bob";

/**
 * Which logins reach a row of each table with each verb. The rows belong to ada and to the worker that holds her job;
 * bob and the other worker are strangers to them. A new table fails the test until it is listed here.
 */
const MATRIX: Readonly<Record<string, Readonly<Partial<Record<Verb, string>>>>> = {
  migration: { select: EVERYONE },
  // Rows that have an owner.
  project: { select: READERS, insert: "ada", update: "ada", delete: "ada" },
  manifest: { select: READERS, insert: "ada", update: "ada", delete: "ada" },
  manifest_entry: { select: READERS, insert: "ada", update: "ada", delete: "ada" },
  index_job: { select: READERS, insert: "ada", update: "ada", delete: "ada" },
  run: { select: READERS, insert: "ada", update: "ada", delete: "ada" },
  run_log: { select: READERS, insert: "ada", update: "ada", delete: "ada" },
  pack: { select: "ada worker other", insert: "ada" },
  pack_part: { select: "ada worker other", insert: "ada" },
  object: { select: "ada worker other" },
  // Rows that only functions write.
  job: { select: EVERYONE },
  job_attempt: { select: EVERYONE },
  job_log: { select: `${READERS} worker` },
  job_order: { select: "ada worker" },
  worker: { select: EVERYONE },
  worker_cache: {},
  check_answer: {},
  record: { select: READERS },
  run_id: { select: READERS },
  // How long runs are kept, and in which partitions they are.
  retention: { select: EVERYONE },
  period: { select: EVERYONE },
  // Caches that every developer computes in the same way and shares.
  image: { select: READERS, insert: DEVELOPERS, update: DEVELOPERS, delete: DEVELOPERS },
  upkeep: { select: READERS, insert: DEVELOPERS, update: DEVELOPERS },
  slice: { select: READERS, insert: DEVELOPERS, update: DEVELOPERS, delete: DEVELOPERS },
  vector_space: { select: READERS, insert: DEVELOPERS, update: DEVELOPERS, delete: DEVELOPERS },
  vector: { select: READERS, insert: DEVELOPERS, update: DEVELOPERS, delete: DEVELOPERS },
  vector_claim: { select: READERS, insert: DEVELOPERS, update: DEVELOPERS, delete: DEVELOPERS },
};

const logins = useStoreLogins({
  reader: "reader",
  ada: "developer",
  bob: "developer",
  worker: "worker",
  other: "worker",
});
const origin = (login: Login) => ({ id: `folder/${logins().names[login]}`, host: "host" });
const POOL = { pid: 0, identity: "pool" };
const workerEntry = (id: string): WorkerEntry => ({
  id,
  session: `${id}-session`,
  kind: "worker",
  slots: 1,
  labels: [],
  leaseMs: 3_600_000,
});
const HOLDER = workerEntry("holder");
const SECRET = "--token=very-secret";
const CHUNK = {
  seq: 0,
  stream: "stdout",
  bytes: Buffer.from("x\n"),
  lines: 1,
  stdoutBefore: 0,
  stderrBefore: 0,
  bytesBefore: 0,
  firstLineIn: 0,
} as const;
let claim: Claim;

/** Fills every table: ada has a project, a run and a job in the pool, which one of two workers holds. */
beforeAll(async () => {
  const { as, database } = logins();
  const index = createPostgresIndexStore(as.ada, origin("ada"));
  const { projectId } = await index.project("/app", "family");
  const record = { chunks: 1, features: Buffer.from("f"), outline: Buffer.from("o"), uses: Buffer.from("o") };
  const entries = [{ path: "a", key: "k" }];
  await index.publish({
    projectId,
    ref: "live",
    records: [{ key: "k", record }],
    removed: [],
    at: 1,
    changed: entries,
  });
  await index.saveImage("family", Buffer.from("i"));
  const runs = createSharedRuns(as.ada, origin("ada"));
  await submit("r000001");
  await runs.add({ ...newRun(), id: "r000002" }, "family");
  await runs.add({ ...newRun(), id: "r000003" }, "family");
  await as.ada.query("DELETE FROM pith.run WHERE id = 'r000003'");
  await createPackStore(as.ada).put({
    commit: "c",
    needs: [],
    project: "p",
    isBase: false,
    bytes: (async function* () {
      yield await Promise.resolve(Buffer.from("pack"));
    })(),
  });
  const queue = createJobQueue(as.worker);
  await queue.register(HOLDER, 3);
  const [taken] = await queue.claim({ worker: HOLDER, count: 1, except: [] });
  if (taken === undefined) throw new Error("no job was handed out");
  claim = taken;
  await queue.append(claim, [CHUNK]);
  await runSql(
    database.url,
    `INSERT INTO pith.index_job VALUES ('i', 'p', '${origin("ada").id}', 'live', 'full', 'running', 1, 1, 1, 'h')`,
    `INSERT INTO pith.run_log SELECT 'r000002', 1, seq, stream, lines, 0, 0, 0, 0, bytes, i.stored_at
     FROM pith.job_log, pith.run_id i WHERE i.id = 'r000002'`,
    `INSERT INTO pith.object (key, kind, owner, size, sha256, secret)
     VALUES ('k', 'snapshot', '${logins().names.ada}', 1, '', '')`,
    "INSERT INTO pith.upkeep VALUES (true, 1)",
    "INSERT INTO pith.slice VALUES ('k', '', 1)",
    "INSERT INTO pith.vector_space (provider, model, dimensions, document_prefix, query_prefix, width, last_used) VALUES ('p', 'm', 1, '', '', 1, 1)",
    "INSERT INTO pith.vector VALUES (1, 'c', 1, '', 1)",
    "INSERT INTO pith.vector_claim VALUES (1, 'c', 'ada', 1)",
    "INSERT INTO pith.check_answer (key, trusted_for, run, submitter, exit_code, answer) VALUES ('k', '', 'r', 's', 0, '')",
  );
});

/** Adds a run of ada and submits its job, whose arguments hold a secret. */
async function submit(id: string): Promise<void> {
  const { as } = logins();
  await createSharedRuns(as.ada, origin("ada")).add({ ...newRun({ owner: POOL }), id }, "family");
  const spec = { ...JOB_SPEC, argv: ["deploy", SECRET] } as const;
  await createJobQueue(as.ada).submit({ id, workspace: "/w", submitter: "ada", labels: [], spec });
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => (error instanceof PithError ? error.code : error));
}

describe("every login and verb", () => {
  it.each(Object.keys(MATRIX))("on pith.%s", async (table) => {
    const statements = await statementsFor(table);
    const reached: Partial<Record<Verb, string>> = {};
    for (const verb of VERBS) {
      const who: Login[] = [];
      for (const login of LOGINS) if (await reaches(login, verb, statements[verb])) who.push(login);
      if (who.length > 0) reached[verb] = who.join(" ");
    }
    expect(reached).toEqual(MATRIX[table]);
  });

  it("is listed for every table of the schema, each of which has a row", async () => {
    const [tables] = await runSql(
      logins().database.url,
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'pith'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
    );
    const names = (tables?.rows ?? []).map(({ name }) => String(name));
    expect(names).toEqual(Object.keys(MATRIX).toSorted());
    for (const name of names) {
      const [counted] = await runSql(logins().database.url, `SELECT count(*)::int AS n FROM pith.${name}`);
      expect([name, counted?.rows[0]?.["n"]]).not.toEqual([name, 0]);
    }
  });
});

it("lets no login name a partition, whatever it may do with the partitioned table", async () => {
  const [found] = await runSql(
    logins().database.url,
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'pith'::regnamespace AND relispartition AND relkind = 'r'",
  );
  const names = (found?.rows ?? []).map(({ name }) => String(name));
  // The rows of the matrix are in the first partitions; those of the next days exist already.
  expect(names.filter((name) => name.startsWith("run_p"))).toHaveLength(3);
  expect(names).toEqual(expect.arrayContaining(["run_p0", "run_log_p0", "job_log_p0"]));
  for (const name of names) {
    const statements = await statementsFor(name);
    for (const verb of VERBS)
      for (const login of LOGINS)
        expect([name, verb, login, await reaches(login, verb, statements[verb])]).toEqual([
          name,
          verb,
          login,
          false,
        ]);
  }
  // Even a login that was granted a partition by mistake sees no row of it.
  await runSql(logins().database.url, `GRANT SELECT ON pith.run_p0 TO ${logins().names.bob}`);
  expect(await logins().as.bob.query("SELECT 1 FROM pith.run_p0")).toEqual([]);
  await runSql(logins().database.url, `REVOKE ALL ON pith.run_p0 FROM ${logins().names.bob}`);
});

interface Statement {
  readonly sql: string;
  readonly values?: readonly unknown[];
}

/** Returns a statement for each verb that acts on all rows of a table, or inserts one of them again. */
async function statementsFor(table: string): Promise<Record<Verb, Statement>> {
  const [columns, rows] = await runSql(
    logins().database.url,
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'pith' AND table_name = '${table}'
       AND is_identity = 'NO' ORDER BY ordinal_position`,
    // A run whose id is in use is not inserted, whoever asks, so this one gets another.
    `SELECT row_to_json(t)::jsonb || CASE '${table}' WHEN 'run' THEN '{"id": "r000099"}' ELSE '{}' END::jsonb AS row
     FROM pith.${table} t LIMIT 1`,
  );
  const names = (columns?.rows ?? []).map(({ name }) => `"${name}"`);
  return {
    select: { sql: `SELECT 1 FROM pith.${table}` },
    insert: {
      sql: `INSERT INTO pith.${table} (${names.join(", ")}) SELECT ${names.join(", ")}
        FROM jsonb_populate_record(NULL::pith.${table}, $1) ON CONFLICT DO NOTHING RETURNING 1`,
      values: [rows?.rows[0]?.["row"]],
    },
    update: { sql: `UPDATE pith.${table} SET ${names[0]} = ${names[0]} RETURNING 1` },
    delete: { sql: `DELETE FROM pith.${table} RETURNING 1` },
    truncate: { sql: `TRUNCATE pith.${table} CASCADE` },
  };
}

/** Tries a statement in a transaction that is rolled back. */
async function reaches(login: Login, verb: Verb, { sql, values }: Statement): Promise<boolean> {
  let found = -1;
  const undo = new Error("rolled back");
  const outcome: unknown = await logins()
    .as[login].transaction(async (queries) => {
      found = (await queries.query(sql, values)).length;
      throw undo;
    })
    .catch((error: unknown) => error);
  if (outcome !== undo) expect(outcome).toMatchObject({ code: "permission_denied" });
  // A row that already exists is not inserted again; what counts is that the login was not refused.
  return verb === "insert" || verb === "truncate" ? outcome === undo : found > 0;
}

describe("the functions of the store", () => {
  it("all have a fixed search path, run as the owner only if they must, and are granted only as listed", async () => {
    const [found] = await runSql(
      logins().database.url,
      `SELECT proname AS name, prosecdef AS as_owner, array_to_string(proconfig, ' ') AS config,
         ARRAY(SELECT r FROM unnest(ARRAY['reader', 'developer', 'worker']) AS r
           WHERE has_function_privilege('pith_' || r, p.oid, 'EXECUTE')) AS roles,
         (SELECT bool_or(grantee = 0) FROM aclexplode(proacl)) AS is_public
       FROM pg_proc p WHERE pronamespace = 'pith'::regnamespace ORDER BY 1`,
    );
    for (const { name, config, roles, is_public: isPublic } of found?.rows ?? []) {
      expect([name, config]).toEqual([name, "search_path=pg_catalog, pg_temp"]);
      expect([name, roles]).toEqual([name, FUNCTION_RIGHTS[String(name)] ?? []]);
      expect([name, isPublic]).toEqual([name, false]);
    }
    const names = (found?.rows ?? []).map(({ name }) => String(name));
    expect(names).toEqual(expect.arrayContaining(Object.keys(FUNCTION_RIGHTS)));
  });

  it("let only the worker that claimed a job write its output and its result", async () => {
    const { as } = logins();
    for (const login of ["other", "ada", "bob"] as const) {
      const queue = createJobQueue(as[login]);
      expect([login, await queue.append(claim, [{ ...CHUNK, seq: 1 }])]).toEqual([login, false]);
      expect([login, await queue.finish(claim, PASSED, [])]).toEqual([login, false]);
      expect(await queue.answer(claim, "k")).toBeUndefined();
      await queue.release(claim, "forged");
      await queue.unregister(HOLDER);
      await queue.disown(HOLDER, []);
      expect((await queue.renew({ ...HOLDER, leaseMs: 1 }, [claim], true)).held).toEqual([]);
    }
    const forged = createJobQueue(as.reader);
    expect(await codeOf(forged.finish(claim, PASSED, []))).toBe("permission_denied");
    expect(await createJobQueue(as.ada).get(claim.id)).toMatchObject({ state: "running", worker: "holder" });
    expect((await createJobQueue(as.ada).status()).workers).toMatchObject([
      { id: "holder", draining: false },
    ]);
  });

  it("let nobody take the name of a connected worker, or take jobs as a developer", async () => {
    const { as } = logins();
    expect(await codeOf(createJobQueue(as.other).register(HOLDER, 3))).toBe("permission_denied");
    const thief = workerEntry("thief");
    expect(await codeOf(createJobQueue(as.bob).register(thief, 3))).toBe("permission_denied");
    await submit("r000010");
    const bob = createJobQueue(as.bob);
    await bob.register({ ...thief, kind: "fallback" }, 3);
    expect(await bob.claim({ worker: thief, count: 9, except: [] })).toEqual([]);
    // Nor in the name of a worker that another login registered.
    expect(await bob.claim({ worker: HOLDER, count: 9, except: [] })).toEqual([]);
    const ada = createJobQueue(as.ada);
    const own = { ...workerEntry("adas-server"), kind: "fallback" } as const;
    await ada.register(own, 3);
    const claims = await ada.claim({ worker: own, count: 9, except: [] });
    expect(claims.map(({ id }) => id)).toEqual(["r000010"]);
    // What a developer's own server ran is no answer for others.
    const answer = { key: "ran by ada", exitCode: 0, bytes: Buffer.from("forged") };
    for (const one of claims) expect(await ada.finish(one, PASSED, [], answer)).toBe(true);
    expect(await createJobQueue(as.worker).answer(claim, "k")).toMatchObject({ run: "r" });
    const kept = await runSql(
      logins().database.url,
      "SELECT trusted_for FROM pith.check_answer WHERE key = 'ran by ada'",
    );
    expect(kept[0]?.rows).toEqual([{ trusted_for: expect.stringMatching(/^ada_/) }]);
    await bob.unregister(thief);
    await ada.unregister(own);
  });

  it("let only the owner of a run submit and cancel its job", async () => {
    const { as } = logins();
    const bob = createJobQueue(as.bob);
    const stolen = { id: "r000002", workspace: "/w", submitter: "bob", labels: [], spec: JOB_SPEC };
    expect(await codeOf(bob.submit(stolen))).toBe("permission_denied");
    expect(await codeOf(bob.cancel(claim.id))).toBe("permission_denied");
    expect(await createJobQueue(as.ada).get(claim.id)).toMatchObject({ cancelRequested: false });
  });

  it("name a submitter by its login, so that nobody takes the turns of others or passes for them", async () => {
    const { as, names } = logins();
    const queue = createJobQueue(as.bob);
    const shown: string[] = [];
    for (const [place, submitter] of ["ada@desk", "bob@desk", names.bob, `${names.bob}@desk`].entries()) {
      const id = `r00003${place}`;
      await createSharedRuns(as.bob, origin("bob")).add({ ...newRun({ owner: POOL }), id }, "family");
      await queue.submit({ id, workspace: "/w", submitter, labels: ["nowhere"], spec: JOB_SPEC });
      shown.push((await queue.get(id))?.submitter ?? "no job");
      await queue.cancel(id);
    }
    expect(shown).toEqual([
      `${names.bob} (ada@desk)`,
      `${names.bob} (bob@desk)`,
      names.bob,
      `${names.bob}@desk`,
    ]);
  });

  it("show a worker the keys of no log that another stored", async () => {
    const { as, database, names } = logins();
    await runSql(
      database.url,
      `INSERT INTO pith.object (key, kind, owner, size, sha256, secret) VALUES
       ('log of ada', 'log', '${names.ada}', 1, '', ''), ('log of worker', 'log', '${names.worker}', 1, '', '')`,
    );
    const seen = async (login: Login): Promise<unknown[]> =>
      (await as[login].query("SELECT key FROM pith.object WHERE kind = 'log' ORDER BY 1")).map(
        ({ key }) => key,
      );
    expect(await seen("bob")).toEqual(["log of ada", "log of worker"]);
    expect(await seen("reader")).toEqual(["log of ada", "log of worker"]);
    expect(await seen("worker")).toEqual(["log of worker"]);
    expect(await seen("other")).toEqual([]);
    await runSql(database.url, "DELETE FROM pith.object WHERE kind = 'log'");
  });

  it("record the end of a pool's run only as its worker reported it", async () => {
    const { as } = logins();
    const bob = createSharedRuns(as.bob, origin("bob"));
    const ada = createSharedRuns(as.ada, origin("ada"));
    await bob.finish(claim.id, ending());
    expect((await ada.get(claim.id))?.end).toBeUndefined();
    const end = { cause: "exit", exitCode: 1 } as const;
    const log = { lines: 1, stdoutLines: 1, stderrLines: 0, bytes: 2 };
    expect(await createJobQueue(as.worker).finish(claim, { end, log }, [])).toBe(true);
    await bob.finish(claim.id, { ...ending(), end: { cause: "exit", exitCode: 0 } });
    expect(await ada.get(claim.id)).toMatchObject({ end, log });
  });

  it("delete the specification of a job, with its secrets, when it ends", async () => {
    const { as, database } = logins();
    await submit("r000020");
    await submit("r000021");
    const orders = async (store: Postgres) =>
      (await store.query(
        "SELECT job_id, order_json LIKE '%very-secret%' AS secret FROM pith.job_order ORDER BY 1",
      )) as unknown;
    const ids = [
      { job_id: "r000020", secret: true },
      { job_id: "r000021", secret: true },
    ];
    expect(await orders(as.ada)).toEqual(ids);
    expect(await orders(as.bob)).toEqual([]);
    // Before it has a job, a worker sees none of them.
    expect(await orders(as.worker)).toEqual([]);
    await createJobQueue(as.ada).cancel("r000020");
    await as.ada.query("DELETE FROM pith.run WHERE id = 'r000021'");
    const [left] = await runSql(database.url, "SELECT job_id FROM pith.job_order");
    expect(left?.rows).toEqual([]);
  });

  it("let nobody change records or packs of others", async () => {
    const { as } = logins();
    const bob = createPostgresIndexStore(as.bob, origin("bob"));
    const { projectId } = await bob.project("/app", "family");
    const forged = {
      chunks: 1,
      features: Buffer.from("forged"),
      outline: Buffer.from("forged"),
      uses: Buffer.from("forged"),
    };
    await bob.publish({
      projectId,
      ref: "live",
      records: [{ key: "k", record: forged }],
      removed: [],
      at: 1,
      changed: [],
    });
    expect(Buffer.from((await bob.features(["k"])).get("k") ?? []).toString()).toBe("f");
    await bob.collect({ removedProjects: [], unusedSince: Date.now() + 1e9, every: 0, now: Date.now() });
    expect((await bob.features(["k"])).size).toBe(1);
    expect(await createPackStore(as.bob).find(["c"])).toEqual([]);
    expect(await createPackStore(as.bob).newestBase("p")).toBeUndefined();
    expect(await createPackStore(as.bob).get("c")).toBeUndefined();
    expect((await createPackStore(as.worker).get("c"))?.commit).toBe("c");
  });
});
