import { beforeAll, describe, expect, it } from "vitest";
import { createJobQueue } from "../../../src/storage/postgres/queue/queue.ts";
import { createSharedRuns } from "../../../src/storage/postgres/runs/shared-runs.ts";
import type { WorkerEntry } from "../../../src/pool/queue.ts";
import { ending, newRun } from "../../conformance/run-store.ts";
import { JOB_SPEC, PASSED } from "../../support/job-queue.ts";
import { useStoreLogins } from "../../support/store-logins.ts";

const logins = useStoreLogins({ ada: "developer", bob: "developer", worker: "worker", other: "worker" });
const origin = (login: "ada" | "bob") => ({ id: `folder/${logins().names[login]}`, host: "host" });
const POOL = { pid: 0, identity: "pool" };
const entry = (id: string, kind: WorkerEntry["kind"] = "worker"): WorkerEntry => ({
  id,
  session: `${id}-session`,
  kind,
  slots: 9,
  labels: [],
  leaseMs: 3_600_000,
});
/** Values that no Pith writes into a column of JSON. */
const GARBAGE = ["x", "", "null", "1", "[]", "{}", '"x"', "[1]", "[null]", '{"a":1}', "[[]]", '[{"name":1}]'];
let next = 100;

async function addRun(login: "ada" | "bob"): Promise<string> {
  const id = `r000${next++}`;
  await createSharedRuns(logins().as[login], origin(login)).add({ ...newRun({ owner: POOL }), id }, "family");
  return id;
}

/** Everything that ada and an honest worker ask of the store; all of it must work beside the rows of others. */
async function useStore(): Promise<void> {
  const { as } = logins();
  const id = await addRun("ada");
  const ada = createJobQueue(as.ada);
  const node = { name: "node", text: ">=20", intervals: [{ from: [20, 0, 0] }] } as const;
  await ada.submit({ id, workspace: "/w", submitter: "ada", labels: [], needs: [node], spec: JOB_SPEC });
  expect(await ada.position(id)).toMatchObject({ workers: expect.any(Number) });
  await ada.machines();
  await ada.status();
  const queue = createJobQueue(as.worker);
  const me = { ...entry("honest"), facts: { node: [[22, 0, 0]] } } as const;
  await queue.register(me, 3);
  const claims = await queue.claim({ worker: me, count: 50, except: [] });
  const claim = claims.find((one) => one.id === id);
  if (claim === undefined) throw new Error("the job was not handed out");
  for (const one of claims) await queue.finish(one, PASSED, []);
  expect((await ada.get(id))?.result?.end).toEqual(PASSED.end);
  const listed = await ada.list({ limit: 1_000 });
  expect(listed.map((job) => job.id)).toContain(id);
  const runs = createSharedRuns(as.ada, origin("ada"));
  await runs.finish(id, ending());
  expect((await runs.list("family", 1_000)).map((run) => run.id)).toContain(id);
}

beforeAll(() => useStore());

describe("a developer cannot stop the pool for others", () => {
  it.each(GARBAGE)("with needs of %s", async (needs) => {
    const { as } = logins();
    const id = await addRun("bob");
    await as.bob
      .query("SELECT pith.submit_job($1, '/w', 'x', 'bob', '{}', '{}', $2::jsonb, 0::smallint, '{}')", [
        id,
        needs,
      ])
      .catch((error: unknown) => error);
    await useStore();
  });

  it.each(GARBAGE)("with the result %s of its own job", async (text) => {
    const { as } = logins();
    const id = await addRun("bob");
    const bob = createJobQueue(as.bob);
    await bob.submit({ id, workspace: "/w", submitter: "bob", labels: ["bobs"], spec: JOB_SPEC });
    const own = { ...entry("bobs-server", "fallback"), labels: ["bobs"] };
    await bob.register(own, 3);
    const [claim] = await bob.claim({ worker: own, count: 9, except: [] });
    expect(claim?.id).toBe(id);
    for (const values of [
      [text, text, text],
      ['{"cause":"exit","exitCode":0}', text, text],
    ])
      await as.bob
        .query("SELECT pith.finish_job($1, $2, $3, $4, $5)", [id, claim?.token, ...values])
        .catch((error: unknown) => error);
    await useStore();
  });

  it("with a priority above all others", async () => {
    const { as } = logins();
    const id = await addRun("bob");
    const submitted = as.bob.query(
      "SELECT pith.submit_job($1, '/w', 'x', 'bob', '{}', '{}', '[]', 30000::smallint, '{}')",
      [id],
    );
    await expect(submitted).rejects.toThrow();
  });

  it("with a lease that never ends", async () => {
    const { as } = logins();
    const registered = as.bob.query(
      "SELECT pith.register_worker('adas-name', 's', 'fallback', 1, '{}', '{}', 2000000000, 3)",
    );
    await expect(registered).rejects.toThrow();
  });
});

describe("a worker cannot stop the pool for others", () => {
  it.each([...GARBAGE, '{"node":"x"}', '{"node":[1]}', '{"node":{}}', '{"node":null}'])(
    "with facts of %s",
    async (facts) => {
      await logins()
        .as.other.query("SELECT pith.register_worker('odd', 'odd', 'worker', 1, '{}', $1::jsonb, 60000, 3)", [
          facts,
        ])
        .catch((error: unknown) => error);
      await useStore();
    },
  );
});

describe("a developer cannot break the list of runs for others", () => {
  it.each(GARBAGE)("with %s in every column of text of its own run", async (text) => {
    const { as } = logins();
    const id = await addRun("bob");
    const columns = await as.bob.query(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'pith' AND table_name = 'run'
         AND data_type = 'text' AND column_name NOT IN ('id', 'owner', 'origin', 'family')`,
    );
    for (const { name } of columns)
      await as.bob
        .query(`UPDATE pith.run SET "${name}" = $2 WHERE id = $1`, [id, text])
        .catch((error: unknown) => error);
    await useStore();
  });
});

it("lets nobody delete an object of others by naming it in a row of its own", async () => {
  const { as } = logins();
  const [adas, bobs] = [await addRun("ada"), await addRun("bob")];
  const insert = `INSERT INTO pith.run_log (run_id, token, seq, stream, lines, stdout_before, stderr_before, bytes_before,
      first_line_in, bytes, object, object_offset, size, stored_at)
    SELECT $1, 1, 0, 'stdout', 1, 0, 0, 0, 0, $2, $3, 0, 2, i.stored_at FROM pith.run_id i WHERE i.id = $1`;
  await as.ada.query("SELECT pith.add_object('adas-log', 'log', 2, 'x', 'x')");
  await as.ada.query(insert, [adas, null, "adas-log"]);
  await expect(as.bob.query(insert, [bobs, null, "adas-log"])).rejects.toMatchObject({
    code: "permission_denied",
  });
  await as.bob.query(insert, [bobs, Buffer.from("x\n"), null]);
  await expect(
    as.bob.query("UPDATE pith.run_log SET object = 'adas-log', bytes = NULL WHERE run_id = $1", [bobs]),
  ).rejects.toMatchObject({ code: "permission_denied" });
  await as.bob.query("DELETE FROM pith.run_log WHERE run_id = $1", [bobs]);
  await as.bob.query("SELECT pith.forget_objects('{adas-log}')");
  expect(await as.ada.query("SELECT state FROM pith.object WHERE key = 'adas-log'")).toEqual([
    { state: "used" },
  ]);
});
