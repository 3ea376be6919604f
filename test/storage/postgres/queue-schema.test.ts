import { migrations } from "graphile-worker/dist/generated/sql.js";
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { PithError } from "../../../src/kernel/errors.ts";
import type { WorkerEntry } from "../../../src/pool/queue.ts";
import { openPostgres, type Postgres } from "../../../src/storage/postgres/database.ts";
import { migrate } from "../../../src/storage/postgres/migrate.ts";
import { MIGRATIONS } from "../../../src/storage/postgres/migrations.ts";
import { createJobQueue } from "../../../src/storage/postgres/queue.ts";
import { QUEUE_ENTRIES, QUEUE_VERSION } from "../../../src/storage/postgres/queue-schema.ts";
import { handedOut, ORDER } from "../../support/job-queue.ts";
import { freshDatabase, type TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;
let store: Postgres;

beforeEach(async () => {
  database = await freshDatabase();
  store = await openPostgres(database.url);
  return async () => {
    await store.close();
    await database.drop();
  };
});

async function versions(): Promise<number[]> {
  const rows = await store.query("SELECT id FROM pith_queue.migrations ORDER BY id");
  return rows.map((row) => Number(row["id"]));
}

it("knows the newest version of the library", () => {
  const known = Object.keys(migrations).map((file) => Number.parseInt(file, 10));
  expect(Math.max(...known)).toBe(QUEUE_VERSION);
});

it("is made once, however many servers start together", async () => {
  const others = await Promise.all([1, 2, 3].map(() => openPostgres(database.url)));
  await Promise.all([store, ...others].map((one) => migrate(one)));
  await Promise.all(others.map((one) => one.close()));
  expect(await versions()).toEqual(Array.from({ length: QUEUE_VERSION }, (_, index) => index + 1));
});

it("is refused where a newer library made it that older ones must not work with", async () => {
  await migrate(store);
  const next = QUEUE_VERSION + 1;
  await store.query("INSERT INTO pith_queue.migrations (id, breaking) VALUES ($1, false)", [next]);
  await migrate(store);
  await store.query("UPDATE pith_queue.migrations SET breaking = true WHERE id = $1", [next]);
  const error = await migrate(store).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PithError);
  expect(error).toMatchObject({ code: "index_incompatible", data: { schema_version: next } });
});

it("is left alone by a worker at work, once a newer library has changed it", async () => {
  await migrate(store);
  const code = process.exitCode;
  const troubles: unknown[] = [];
  const handOut = await createJobQueue(store).handOut({
    worker: WORKER,
    take: () => Promise.resolve(),
    onUnregistered: () => Promise.resolve(),
    onTrouble: (error) => void troubles.push(error),
  });
  const next = QUEUE_VERSION + 1;
  await store.query("INSERT INTO pith_queue.migrations (id, breaking) VALUES ($1, true)", [next]);
  const news = JSON.stringify({ migrationNumber: next, breaking: true });
  while (troubles.length === 0) {
    // Until it listens, it hears nothing.
    await store.query("SELECT pg_notify('worker:migrate', $1)", [news]);
    await delay(20);
  }
  await handOut.stop();
  // The library sets it, so that a worker ends with an error; this process is none.
  process.exitCode = code;
  expect(troubles[0]).toMatchObject({ code: "index_incompatible" });
});

it("takes in what waited in the store before it was there", async () => {
  const before = MIGRATIONS.indexOf(QUEUE_ENTRIES);
  await migrate(store, MIGRATIONS.slice(0, before));
  await store.query("DROP SCHEMA pith_queue CASCADE");
  await addJob("r000001", { turn: 2, state: "queued" });
  await addJob("r000002", { turn: 1, state: "queued" });
  await addJob("r000003", { turn: 1, state: "running" });
  await migrate(store);
  expect(await handedIds(2)).toEqual(["r000002", "r000001"]);
});

it("is made again where a backup did not have it, with what waits", async () => {
  await migrate(store);
  await addJob("r000001", { turn: 1, state: "queued" });
  await store.query("DROP SCHEMA pith_queue CASCADE");
  await migrate(store);
  const [row] = await store.query("SELECT count(*) AS open FROM pg_policies WHERE schemaname = 'pith_queue'");
  expect(Number(row?.["open"])).toBe(3);
  await createJobQueue(store).reclaim(60_000);
  expect(await handedIds(1)).toEqual(["r000001"]);
});

async function addJob(
  id: string,
  { turn, state }: { readonly turn: number; readonly state: "queued" | "running" },
): Promise<void> {
  await store.query(
    `INSERT INTO pith.run (id, origin, host, family, workspace, command, cwd, key, owner_pid, owner_identity, started_at)
     VALUES ($1, 'o', 'h', 'f', '/w', 'true', '/w', 'k', 0, 'pool', 0)`,
    [id],
  );
  await store.query(
    `INSERT INTO pith.job (id, workspace, command, submitter, labels, order_json, turn, state)
     VALUES ($1, '/w', 'true', 'ada', '{}', $2, $3, $4)`,
    [id, JSON.stringify(ORDER), turn, state],
  );
}

const WORKER: WorkerEntry = {
  id: "w1",
  session: "s",
  kind: "worker",
  slots: 1,
  labels: [],
  leaseMs: 60_000,
};

async function handedIds(count: number): Promise<string[]> {
  const queue = createJobQueue(store);
  await queue.register(WORKER, 3);
  return (await handedOut(queue, WORKER, count)).map((claim) => claim.id);
}
