import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCodeIndex, type CodeIndex } from "../../../src/index/service.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { INDEX_MIGRATIONS } from "../../../src/storage/sqlite/index-schema.ts";
import { discardIndexStore, openIndexStore } from "../../../src/storage/sqlite/index-store.ts";
import { damageDatabase } from "../../support/damaged-database.ts";
import { temporaryRepository, type GitFolder } from "../../support/git-folder.ts";

const PITH = resolve(import.meta.dirname, "../../../dist/pith.js");
const FILES = 130;

let data: string;
let folder: GitFolder;
const opened: CodeIndex[] = [];
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "pith-data-"));
  const files: Record<string, string> = {};
  for (let i = 0; i < FILES; i++) files[`pkg${i % 7}/m${i}.py`] = `# file ${i}\n`.repeat(i % 5) + body(i);
  folder = temporaryRepository(files);
});
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
  folder.dispose();
  rmSync(data, { recursive: true, force: true });
});

function body(i: number): string {
  return `class Thing${i}:\n    def run_${i}(self):\n        return helper_${i}\n`;
}

function openIndex(): CodeIndex {
  const database = join(data, "index.db");
  const index = createCodeIndex({
    openStore: () => openIndexStore(database),
    discardStore: () => discardIndexStore(database),
    logger: createLogger("error", () => undefined),
    timeBudgetMs: 60_000,
    answerMs: 120_000,
    maxFileBytes: 1_500_000,
    workers: 1,
    prewarm: false,
  });
  opened.push(index);
  return index;
}

const ASK = { limit: 10, offset: 0, level: "signature", policy: "balanced" } as const;

async function placeOf(index: CodeIndex, name: string): Promise<string | undefined> {
  const { hits, metadata } = await index.locate({ ...ASK, root: folder.root, name });
  expect(metadata.freshness_status).toBe("fresh");
  return hits.map((hit) => `${hit.path}:${hit.lineStart}`).join(" ");
}

describe("an indexing process that is killed", () => {
  // The kills range from before the first write to after the last; which ones hit a transaction varies.
  it("leaves a store that answers correctly and allows the work to be finished, at any moment", async () => {
    for (const wait of [150, 250, 320, 400, 500, 650]) {
      const child = spawn(process.execPath, [PITH, "index", "--force", folder.root], {
        env: { ...process.env, PITH_DATA_DIR: data },
        stdio: "ignore",
      });
      await Promise.race([delay(wait), once(child, "exit")]);
      if (child.exitCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      const index = openIndex();
      for (const i of [0, 57, 119, FILES - 1])
        expect(await placeOf(index, `Thing${i}`)).toBe(`pkg${i % 7}/m${i}.py:${(i % 5) + 1}`);
      await index.close();
      opened.pop();
    }
  });

  it("is reported once", async () => {
    const store = await openIndexStore(join(data, "index.db"));
    const { projectId } = await store.project(folder.root, folder.root);
    const gone = spawn(process.execPath, ["-e", ""]);
    await once(gone, "exit");
    await store.startJob({
      jobId: "left1234",
      projectId,
      ref: "live",
      mode: "full",
      status: "running",
      changedFiles: FILES,
      startedAt: 1,
      pid: gone.pid ?? 0,
      host: (await import("node:os")).hostname(),
    });
    await store.close();
    const index = openIndex();
    expect((await index.health(folder.root)).interrupted_recovery_report).toMatchObject({
      interrupted_jobs: 1,
      jobs: [{ job_id: "left1234", mode: "full" }],
    });
    expect(await index.health(folder.root)).not.toHaveProperty("interrupted_recovery_report");
  });
});

describe("a damaged store", () => {
  it("is reported, and replaced by a forced rebuild", async () => {
    const { writeFileSync } = await import("node:fs");
    writeFileSync(join(data, "index.db"), "no database ".repeat(1_000));
    const index = openIndex();
    await expect(placeOf(index, "Thing1")).rejects.toMatchObject({ code: "index_incompatible" });
    expect((await index.health(folder.root)).startup_checks.index.status).toBe("corrupt_manifest");
    expect(await index.index({ root: folder.root, force: true })).toMatchObject({
      status: "success",
      files_indexed: FILES,
    });
    expect(await placeOf(index, "Thing1")).toBe("pkg1/m1.py:2");
  });
});

describe("a store with missing or foreign data", () => {
  const change = async (sql: string): Promise<void> => {
    const { openDatabase } = await import("../../../src/storage/sqlite/driver.ts");
    const database = await openDatabase(join(data, "index.db"));
    database.exec(sql);
    database.close();
  };
  const indexed = async (): Promise<void> => {
    const first = openIndex();
    await first.index({ root: folder.root });
    await first.close();
    opened.pop();
  };

  it("creates records again that are missing or from another version", async () => {
    await indexed();
    await change("UPDATE record SET feature = 0");
    expect(await placeOf(openIndex(), "Thing1")).toBe("pkg1/m1.py:2");
    await change("DELETE FROM record WHERE id % 2 = 0");
    const index = openIndex();
    expect(await index.index({ root: folder.root })).toMatchObject({
      status: "success",
      files_indexed: FILES,
    });
    for (const i of [1, 2, 3, 4])
      expect(await placeOf(index, `Thing${i}`)).toBe(`pkg${i % 7}/m${i}.py:${(i % 5) + 1}`);
  });

  it("treats changed bytes in a record as damage", async () => {
    await indexed();
    // One bit of every record is flipped.
    for (const column of ["features", "outline"])
      await change(
        `UPDATE record SET ${column} = unhex(substr(hex(${column}), 1, 20) || 'FF' || substr(hex(${column}), 23))`,
      );
    const index = openIndex();
    await expect(placeOf(index, "Thing1")).rejects.toMatchObject({ code: "index_incompatible" });
    expect(await index.index({ root: folder.root, force: true })).toMatchObject({ status: "success" });
    expect(await placeOf(index, "Thing1")).toBe("pkg1/m1.py:2");
  });
});

describe("a store with damaged content", () => {
  it("is created again by forced indexing, even if only a query finds the damage", async () => {
    const first = openIndex();
    await first.index({ root: folder.root });
    await first.close();
    opened.pop();
    await damageDatabase(join(data, "index.db"));
    const index = openIndex();
    await expect(placeOf(index, "Thing1")).rejects.toMatchObject({ code: "index_incompatible" });
    expect(await index.index({ root: folder.root, force: true })).toMatchObject({ status: "success" });
    expect(await placeOf(index, "Thing1")).toBe("pkg1/m1.py:2");
  });

  it("treats a foreign database in its place as damage", async () => {
    const runs = await (await import("../../../src/storage/sqlite/run-store.ts")).openRunStore(data);
    await runs.close();
    const { existsSync, renameSync } = await import("node:fs");
    for (const end of ["", "-wal", "-shm"])
      if (existsSync(join(data, `runs.db${end}`)))
        renameSync(join(data, `runs.db${end}`), join(data, `index.db${end}`));
    const { openDatabase } = await import("../../../src/storage/sqlite/driver.ts");
    const database = await openDatabase(join(data, "index.db"));
    database.exec(`PRAGMA user_version = ${INDEX_MIGRATIONS.length}`);
    database.close();
    const index = openIndex();
    await expect(placeOf(index, "Thing1")).rejects.toMatchObject({ code: "index_incompatible" });
    expect(await index.index({ root: folder.root, force: true })).toMatchObject({ status: "success" });
  });

  it("treats a folder in its place as damage", async () => {
    const { mkdirSync } = await import("node:fs");
    mkdirSync(join(data, "index.db"));
    const index = openIndex();
    await expect(placeOf(index, "Thing1")).rejects.toMatchObject({ code: "index_incompatible" });
    expect(await index.index({ root: folder.root, force: true })).toMatchObject({ status: "success" });
  });
});

describe("a store that temporarily rejects writes", () => {
  it("still answers from its content, marked stale, and catches up later", async () => {
    const { PithError } = await import("../../../src/kernel/errors.ts");
    let full = false;
    const index = createCodeIndex({
      async openStore() {
        const store = await openIndexStore(join(data, "index.db"));
        const refuse = () => Promise.reject(new PithError("store_unavailable", "disk full"));
        return { ...store, publish: (change) => (full ? refuse() : store.publish(change)) };
      },
      discardStore: () => Promise.resolve(),
      logger: createLogger("error", () => undefined),
      timeBudgetMs: 60_000,
      answerMs: 120_000,
      maxFileBytes: 1_500_000,
      workers: 1,
      prewarm: false,
    });
    opened.push(index);
    expect(await placeOf(index, "Thing1")).toBe("pkg1/m1.py:2");
    full = true;
    folder.write("pkg1/m1.py", `\n\n${body(1)}`);
    const { hits, metadata } = await index.locate({ ...ASK, root: folder.root, name: "Thing1" });
    expect(metadata.freshness_status).not.toBe("fresh");
    expect(hits.every((hit) => hit.stale === true)).toBe(true);
    full = false;
    expect(await placeOf(index, "Thing1")).toBe("pkg1/m1.py:3");
    const outline = await index.outline({ root: folder.root, path: "pkg1/m1.py", depth: "all" });
    expect(outline.symbols.map(({ name }) => name)).toEqual(["Thing1", "run_1"]);
  });
});
