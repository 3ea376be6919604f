import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createFetcher } from "../../src/pool/fetch-snapshot.ts";
import { shipSnapshot } from "../../src/pool/submit/ship-snapshot.ts";
import { openPostgres, type Postgres } from "../../src/storage/postgres/database.ts";
import { createPackStore } from "../../src/storage/postgres/queue/packs.ts";
import { makeFolder } from "../support/folder.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import { freshStore, type TestDatabase } from "../support/postgres.ts";
import { treeOf } from "../support/tree-state.ts";

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

it("sends each file content once, and again when a worker's cache is damaged", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 150 }, (_, at) => [`src/f${at}.txt`, `${at}\n`.repeat(50)]),
  );
  const folder = temporaryRepository(files);
  onTestFinished(() => folder.dispose());
  const [desk, home] = [makeFolder(), makeFolder()];
  const packs = createPackStore(store);
  const variables = process.env;
  const ship = () => shipSnapshot(folder.root, packs, { folder: desk, variables });
  const fetcher = createFetcher(join(home, "cache"), packs, variables);
  const { signal } = new AbortController();
  const sizes = async () =>
    (
      await store.query("SELECT sum(length(bytes)) AS size FROM pith.pack_part GROUP BY commit_id ORDER BY 1")
    ).map(({ size }) => Number(size));

  const first = await ship();
  await fetcher.checkout(first, join(home, "one"), signal);
  expect(treeOf(join(home, "one"))).toEqual(treeOf(folder.root));
  folder.write("src/f7.txt", "changed\n");
  const second = await ship();
  const [delta = 0, whole = 0, ...more] = await sizes();
  expect(more).toEqual([]);
  expect(delta).toBeLessThan(whole / 5);
  await ship();
  expect(await sizes()).toHaveLength(2);

  const pack = readdirSync(join(home, "cache"), { recursive: true, encoding: "utf8" }).find((name) =>
    name.endsWith(".pack"),
  );
  truncateSync(join(home, "cache", pack ?? ""), 100);
  await fetcher.checkout(second, join(home, "two"), signal);
  expect(treeOf(join(home, "two"))).toEqual(treeOf(folder.root));
  for (const name of ["one", "two"]) await fetcher.release(second, join(home, name));
  expect(readdirSync(home)).toEqual(["cache"]);
});
