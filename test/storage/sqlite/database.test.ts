import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PithError } from "../../../src/kernel/errors.ts";
import { openStore } from "../../../src/storage/sqlite/database.ts";

const FIRST = "CREATE TABLE thing (name TEXT NOT NULL)";
const SECOND = "ALTER TABLE thing ADD COLUMN size INTEGER NOT NULL DEFAULT 1";

describe("openStore", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pith-db-"));
    path = join(folder, "deep", "store.db");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("creates the folder, the file and the schema, and applies later migrations to old files", async () => {
    const old = await openStore(path, [FIRST]);
    old.db.exec("INSERT INTO thing (name) VALUES ('a')");
    old.close();
    const store = await openStore(path, [FIRST, SECOND]);
    expect(store.db.prepare("SELECT name, size FROM thing").all()).toEqual([{ name: "a", size: 1 }]);
    store.close();
  });

  it("needs little more space than the records of small files take", async () => {
    const store = await openStore(path, [
      "CREATE TABLE record (id INTEGER PRIMARY KEY, value BLOB NOT NULL)",
    ]);
    const add = store.db.prepare("INSERT INTO record (value) VALUES (?)");
    const bytes = Array.from({ length: 200 }, (_, i) => 2100 + i * 10);
    store.transaction(() => {
      for (const count of bytes) add.run(new Uint8Array(count).fill(7));
    });
    store.close();
    const stored = bytes.reduce((sum, count) => sum + count, 0);
    expect(statSync(path).size).toBeLessThan(stored * 1.25);
  });

  it("refuses a file with a newer schema", async () => {
    (await openStore(path, [FIRST, SECOND])).close();
    await expect(openStore(path, [FIRST], "index_incompatible")).rejects.toMatchObject({
      code: "index_incompatible",
      data: { schema_version: 2, supported_version: 1 },
    });
  });

  it("reports a file that is not a database", async () => {
    const broken = join(folder, "broken.db");
    writeFileSync(broken, "not a database, ".repeat(400));
    await expect(openStore(broken, [FIRST], "index_incompatible")).rejects.toMatchObject({
      code: "index_incompatible",
    });
    await expect(openStore(broken, [FIRST])).rejects.toMatchObject({ code: "store_unavailable" });
  });

  it("reports an unavailable store if the folder cannot be created", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const failure = await openStore(join(file, "store.db"), [FIRST]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PithError);
    expect(failure).toMatchObject({ code: "store_unavailable" });
  });

  it("rolls the whole transaction back when its work throws", async () => {
    const store = await openStore(path, [FIRST]);
    expect(() =>
      store.transaction(() => {
        store.db.exec("INSERT INTO thing (name) VALUES ('lost')");
        throw new Error("half way");
      }),
    ).toThrow("half way");
    store.transaction(() =>
      store.transaction(() => store.db.exec("INSERT INTO thing (name) VALUES ('kept')")),
    );
    expect(store.db.prepare("SELECT name FROM thing").all()).toEqual([{ name: "kept" }]);
    store.close();
  });

  it("lets two connections open and migrate the same new file", async () => {
    const [one, two] = await Promise.all([openStore(path, [FIRST]), openStore(path, [FIRST])]);
    one.db.exec("INSERT INTO thing (name) VALUES ('shared')");
    expect(two.db.prepare("SELECT count(*) AS n FROM thing").get()).toEqual({ n: 1 });
    one.close();
    two.close();
  });
});
