import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanStore } from "../../../../src/index/live/retention.ts";
import type { IndexStore } from "../../../../src/index/store/store.ts";
import { openPostgres, type Postgres } from "../../../../src/storage/postgres/database.ts";
import { createPostgresIndexStore } from "../../../../src/storage/postgres/index/index-store.ts";
import { testIndexStore } from "../../../conformance/index-store.ts";
import { freshStore, runSql, type TestDatabase } from "../../../support/postgres.ts";

const HERE = { id: "here", host: "this-machine" };
const THERE = { id: "there", host: "other-machine" };
const TABLES =
  "pith.record, pith.project, pith.manifest, pith.manifest_entry, pith.image, pith.upkeep, pith.index_job";
let database: TestDatabase;
let connections: Postgres[] = [];

beforeAll(async () => {
  database = await freshStore();
  const store = await openPostgres(database.url);
  await store.close();
});
afterAll(() => database.drop());

async function withStore(
  test: (open: (origin?: typeof HERE) => Promise<IndexStore>) => Promise<void>,
): Promise<void> {
  await runSql(database.url, `TRUNCATE ${TABLES}`);
  try {
    await test(async (origin = HERE) => {
      const connection = await openPostgres(database.url);
      connections.push(connection);
      return createPostgresIndexStore(connection, origin);
    });
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
    connections = [];
  }
}

testIndexStore("PostgreSQL", (test) => withStore((open) => test(() => open())));

describe("a store shared by several machines", () => {
  const record = { chunks: 1, features: Buffer.from("f"), outline: Buffer.from("o"), uses: Buffer.from("o") };

  it("keeps folders with the same path on two machines apart, and shares their blobs", () =>
    withStore(async (open) => {
      const here = await open();
      const there = await open(THERE);
      const mine = await here.project("/app", "github.com/a/b");
      const theirs = await there.project("/app", "github.com/a/b");
      expect(mine.projectId).not.toBe(theirs.projectId);
      await there.publish({
        projectId: theirs.projectId,
        ref: "live",
        records: [{ key: "k", record }],
        changed: [{ path: "a", key: "k" }],
        removed: [],
        at: 1,
      });
      expect([...(await here.known(["k"]))]).toEqual(["k"]);
      expect(await here.manifest(mine.projectId, "live")).toBeUndefined();
      const seen = new Map((await here.projects()).map((row) => [row.projectId, row.otherHost]));
      expect(seen).toEqual(
        new Map([
          [mine.projectId, undefined],
          [theirs.projectId, "other-machine"],
        ]),
      );
    }));

  it("does not treat another machine's folder as deleted because it is missing here", () =>
    withStore(async (open) => {
      const here = await open();
      await (await open(THERE)).project("/no/such/folder/here", "x");
      const day = 24 * 60 * 60 * 1_000;
      await cleanStore(here, Date.now() + 30 * day);
      expect(await here.projects()).toHaveLength(1);
      await cleanStore(here, Date.now() + 90 * day);
      expect(await here.projects()).toHaveLength(0);
    }));

  it("keeps unfinished jobs of another machine out of this one's recovery", () =>
    withStore(async (open) => {
      const there = await open(THERE);
      const job = { jobId: "j", projectId: "p", ref: "live", mode: "full", status: "running" } as const;
      await there.startJob({ ...job, changedFiles: 1, startedAt: 1, pid: 1, host: "other-machine" });
      expect(await (await open()).jobs()).toEqual([]);
      expect(await there.jobs()).toHaveLength(1);
    }));

  it("keeps a record that was requested recently", () =>
    withStore(async (open) => {
      const store = await open();
      const { projectId } = await store.project("/a", "a");
      const records = ["asked", "forgotten"].map((key) => ({ key, record }));
      await store.publish({ projectId, ref: "live", records, changed: [], removed: [], at: 1 });
      await runSql(database.url, "UPDATE pith.record SET added_at = 1");
      await store.known(["asked"]);
      expect(await store.collect({ removedProjects: [], unusedSince: 1_000, every: 0, now: 2_000 })).toEqual({
        blobs: 1,
      });
      expect([...(await store.known(["asked", "forgotten"]))]).toEqual(["asked"]);
    }));
});
