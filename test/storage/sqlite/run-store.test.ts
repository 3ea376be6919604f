import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { RunStore } from "../../../src/runs/record/store.ts";
import { openRunStore } from "../../../src/storage/sqlite/run-store.ts";
import { newRun, testRunStore } from "../../conformance/run-store.ts";

async function withFolder(test: (folder: string, open: () => Promise<RunStore>) => Promise<void>) {
  const parent = await mkdtemp(join(tmpdir(), "pith-runs-"));
  const opened: RunStore[] = [];
  try {
    await test(join(parent, "runs"), async () => {
      const store = await openRunStore(join(parent, "runs"));
      opened.push(store);
      return store;
    });
  } finally {
    for (const store of opened) await store.close();
    await rm(parent, { recursive: true });
  }
}

testRunStore("SQLite", (test) => withFolder((_, open) => test(open)));

it("is readable only by its owner", () =>
  withFolder(async (folder, open) => {
    const store = await open();
    const run = await store.add(newRun());
    expect((await stat(join(folder, "runs.db"))).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(store.logBase(run)))).mode & 0o777).toBe(0o700);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  }));
