import { expect, it } from "vitest";
import { openPostgres } from "../../../src/storage/postgres/database.ts";
import { MIGRATIONS, migrate } from "../../../src/storage/postgres/migrate.ts";
import { createJobQueue } from "../../../src/storage/postgres/queue/queue.ts";
import { claimNext, JOB_SPEC } from "../../support/job-queue.ts";
import { freshDatabase } from "../../support/postgres.ts";

it("keeps the queued jobs of a store version that used a queue library, and drops the library's schema", async () => {
  const database = await freshDatabase();
  const store = await openPostgres(database.url);
  await migrate(store, MIGRATIONS.slice(0, 6));
  await store.query("CREATE SCHEMA pith_queue");
  await store.query("CREATE TABLE pith_queue._private_jobs (key text)");
  for (const [id, turn] of [
    ["r000001", 2],
    ["r000002", 1],
  ] as const) {
    await store.query(
      `INSERT INTO pith.run (id, origin, host, family, workspace, command, cwd, key, owner_pid, owner_identity, started_at)
       VALUES ($1, 'o', 'h', 'f', '/w', 'true', '/w', 'k', 0, 'pool', 0)`,
      [id],
    );
    await store.query(
      `INSERT INTO pith.job (id, workspace, command, submitter, labels, order_json, turn)
       VALUES ($1, '/w', 'true', 'ada', '{}', $2, $3)`,
      [id, JSON.stringify(JOB_SPEC), turn],
    );
  }
  await migrate(store);
  const [row] = await store.query("SELECT to_regnamespace('pith_queue') IS NULL AS dropped");
  expect(row?.["dropped"]).toBe(true);
  const queue = createJobQueue(store);
  const worker = { id: "w1", session: "s", kind: "worker", slots: 1, labels: [], leaseMs: 60_000 } as const;
  await queue.register(worker, 3);
  expect((await claimNext(queue, worker, 2)).map((claim) => claim.id)).toEqual(["r000002", "r000001"]);
  await queue.close();
  await database.drop();
});
