import { afterAll, beforeAll, expect, it } from "vitest";
import { openPostgres, type Postgres } from "../../../../src/storage/postgres/database.ts";
import { createPackStore } from "../../../../src/storage/postgres/queue/packs.ts";
import { freshStore, type TestDatabase } from "../../../support/postgres.ts";

let database: TestDatabase;
let store: Postgres;
beforeAll(async () => {
  database = await freshStore();
  store = await openPostgres(database.url);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const BYTES = Buffer.alloc(2_500_000, "pack");
async function* bytes() {
  yield BYTES;
}

it("stores packs of any size, and removes those that neither a job nor a newer pack needs", async () => {
  const packs = createPackStore(store);
  const put = (commit: string, needs: readonly string[], isBase: boolean) =>
    packs.put({ commit, needs, project: "p", isBase, bytes: bytes() });
  const age = (...commits: string[]) =>
    store.query("UPDATE pith.pack SET used_at = now() - interval '30 days' WHERE commit_id = ANY ($1)", [
      commits,
    ]);
  await put("base-1", [], true);
  await put("edit-1", ["base-1"], false);
  await put("base-2", ["base-1"], true);
  await put("edit-2", ["base-2"], false);
  const read: Buffer[] = [];
  for await (const part of (await packs.get("base-1"))?.bytes() ?? []) read.push(Buffer.from(part));
  expect(Buffer.concat(read).equals(BYTES)).toBe(true);

  await age("base-1", "edit-1", "base-2");
  await put("other", [], true);
  expect((await packs.find(["base-1", "edit-1", "base-2", "edit-2", "other"])).sort()).toEqual([
    "base-1",
    "base-2",
    "edit-2",
    "other",
  ]);
  await age("base-1", "base-2", "edit-2");
  // The pack was requested as a base, which counts as a use.
  await store.query("UPDATE pith.pack SET added_at = now() WHERE commit_id = 'base-2'");
  expect(await packs.newestBase("p")).toEqual({ commit: "base-2", depth: 2 });
  await put("last", ["base-2"], true);
  expect((await packs.find(["base-1", "base-2", "edit-2", "other", "last"])).sort()).toEqual([
    "base-1",
    "base-2",
    "last",
    "other",
  ]);
});

it("does not write a pack's row again for each use of the same hour", async () => {
  const packs = createPackStore(store);
  await packs.put({ commit: "often-used", needs: [], project: "q", isBase: true, bytes: bytes() });
  const version = async () =>
    (await store.query("SELECT xmin::text AS version FROM pith.pack WHERE commit_id = 'often-used'"))[0];
  const before = await version();
  expect(await packs.find(["often-used"])).toEqual(["often-used"]);
  expect(await packs.newestBase("q")).toEqual({ commit: "often-used", depth: 1 });
  expect(await version()).toEqual(before);
  await store.query(
    "UPDATE pith.pack SET used_at = now() - interval '2 hours' WHERE commit_id = 'often-used'",
  );
  await packs.find(["often-used"]);
  const [row] = await store.query(
    "SELECT used_at > now() - interval '1 minute' AS recent FROM pith.pack WHERE commit_id = 'often-used'",
  );
  expect(row).toEqual({ recent: true });
});
