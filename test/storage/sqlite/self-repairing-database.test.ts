import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RunStore } from "../../../src/runs/record/store.ts";
import { checkRunStore } from "../../../src/storage/sqlite/check-store.ts";
import { openDatabase } from "../../../src/storage/sqlite/driver.ts";
import { openRunStore } from "../../../src/storage/sqlite/run-store.ts";
import { ending, newRun } from "../../conformance/run-store.ts";
import { damageDatabase } from "../../support/damaged-database.ts";
import { makeFolder } from "../../support/folder.ts";

async function openIn(folder: string): Promise<RunStore> {
  const store = await openRunStore(folder);
  onTestFinished(() => store.close());
  return store;
}

/** Creates a folder with a closed store of one run. */
async function withOneRun() {
  const folder = makeFolder();
  const store = await openRunStore(folder);
  const run = await store.add(newRun());
  await store.finish(run.id, ending());
  await store.close();
  // Pages still in the journal would hide the damage.
  const database = await openDatabase(join(folder, "runs.db"));
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return { folder, path: join(folder, "runs.db"), run };
}

function asideIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^runs\.db\.damaged-\w+(?:-\d+)?$/.test(name));
}

const DAMAGES: Readonly<Record<string, (path: string) => Promise<void> | void>> = {
  "spoilt pages": damageDatabase,
  "no database": (path) => writeFileSync(path, "this is a text\n".repeat(999)),
  "half of its first page": (path) => truncateSync(path, 2_000),
  "its first page alone": (path) => truncateSync(path, 4_096),
  "a folder": (path) => {
    rmSync(path);
    mkdirSync(path);
  },
  async "another database"(path) {
    rmSync(path);
    const other = await openDatabase(path);
    other.exec("CREATE TABLE other (x); PRAGMA user_version = 3");
    other.close();
  },
};

describe("a damaged run store", () => {
  it.each(Object.keys(DAMAGES))("is quarantined and replaced by a new one: %s", async (name) => {
    const { folder, path, run } = await withOneRun();
    await DAMAGES[name]?.(path);
    const before = name.startsWith("a") ? undefined : readFileSync(path);
    const store = await openIn(folder);
    expect(await store.get(run.id)).toBeUndefined();
    const [aside = "", ...more] = asideIn(folder);
    expect(more).toEqual([]);
    expect(store.setAside()).toEqual([join(folder, aside)]);
    expect(store.takeSetAside()).toEqual([join(folder, aside)]);
    expect(store.takeSetAside()).toEqual([]);
    if (before !== undefined) expect(readFileSync(join(folder, aside)).equals(before)).toBe(true);
    const added = await store.add(newRun());
    expect(await (await openIn(folder)).get(added.id)).toEqual(added);
  });

  it("is replaced by one new store for all concurrent users", async () => {
    const { folder, path } = await withOneRun();
    const stores = await Promise.all(Array.from({ length: 4 }, () => openIn(folder)));
    await damageDatabase(path);
    const added = await Promise.all(stores.map((store) => store.add(newRun())));
    expect(asideIn(folder)).toHaveLength(1);
    for (const store of stores) for (const { id } of added) expect(await store.get(id)).toMatchObject({ id });
  });

  it("may have been truncated to nothing while in use", async () => {
    const { folder, path, run } = await withOneRun();
    const stores = [await openIn(folder), await openIn(folder)];
    truncateSync(path, 0);
    const added = [];
    // First a newly opened store adds a run, then those that were open during the damage.
    for (const store of [await openIn(folder), ...stores]) added.push(await store.add(newRun()));
    for (const store of stores) {
      for (const { id } of added) expect(await store.get(id)).toMatchObject({ id });
      expect(await store.get(run.id)).toBeUndefined();
    }
    expect(asideIn(folder)).toHaveLength(1);
  });

  it("may have its journal truncated while in use", async () => {
    const { folder, path } = await withOneRun();
    const store = await openIn(folder);
    await store.add(newRun());
    const other = await openIn(folder);
    truncateSync(`${path}-wal`, 100);
    const added = await other.add(newRun());
    expect(await store.get(added.id)).toEqual(added);
    expect(asideIn(folder)).toHaveLength(1);
  });

  it("keeps the runs in progress", async () => {
    const { folder, path } = await withOneRun();
    const server = await openIn(folder);
    const supervisor = await openIn(folder);
    const own = await server.add(newRun());
    const handed = await server.add(newRun());
    const owner = { pid: 7, identity: "7 x" };
    await supervisor.adopt(handed, owner);
    await damageDatabase(path);
    expect(await server.get(own.id)).toEqual(own);
    await supervisor.finish(handed.id, ending());
    expect(await server.get(handed.id)).toMatchObject({ end: { exitCode: 0 }, owner });
    await server.finish(own.id, ending());
    expect(await supervisor.get(own.id)).toMatchObject({ end: { exitCode: 0 } });
    expect(asideIn(folder)).toHaveLength(1);
  });

  it("is reported by the health check, also after it has been quarantined", async () => {
    const { folder, path } = await withOneRun();
    expect(await checkRunStore(folder)).toEqual({ name: "run store", ok: true, detail: path });
    await damageDatabase(path);
    expect(await checkRunStore(folder)).toMatchObject({
      ok: false,
      detail: expect.stringContaining("runs.db is damaged"),
    });
    expect(asideIn(folder)).toEqual([]);
    await (await openIn(folder)).list("/w", 1);
    const [aside = ""] = asideIn(folder);
    expect(await checkRunStore(folder)).toMatchObject({ ok: true, detail: expect.stringContaining(aside) });
  });
});

describe("an intact run store", () => {
  it("is not quarantined if a newer version wrote it", async () => {
    const { folder, path } = await withOneRun();
    const database = await openDatabase(path);
    database.exec("PRAGMA user_version = 999");
    database.close();
    await expect(openRunStore(folder)).rejects.toMatchObject({
      code: "store_unavailable",
      suggestion: expect.stringContaining("newer Pith"),
    });
    expect(asideIn(folder)).toEqual([]);
  });

  it("is waited for while another process writes, without blocking this process", async () => {
    const { folder, path } = await withOneRun();
    const store = await openIn(folder);
    const database = await openDatabase(path);
    onTestFinished(() => database.close());
    database.exec("BEGIN IMMEDIATE");
    const adding = store.add(newRun());
    await new Promise((resolve) => setTimeout(resolve, 200));
    database.exec("COMMIT");
    const run = await adding;
    expect(await store.get(run.id)).toEqual(run);
    expect(asideIn(folder)).toEqual([]);
  });

  it("shows its other runs if one record is damaged", async () => {
    const { folder, path, run } = await withOneRun();
    const database = await openDatabase(path);
    database.exec("UPDATE runs SET end_json = '{\"cau', findings_json = '\u0001'");
    database.close();
    const store = await openIn(folder);
    const good = await store.add(newRun());
    await store.finish(good.id, ending());
    expect(await store.list("/w", 5)).toMatchObject([{ id: good.id }, { id: run.id }]);
    expect((await store.get(run.id))?.end).toMatchObject({ cause: "interrupted" });
  });
});
