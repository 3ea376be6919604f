import { existsSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { NewRun, RunEnding, RunStore } from "../../src/runs/store.ts";
import { openRunStore } from "../../src/storage/sqlite/run-store.ts";

let folder = "";
let store: RunStore;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "pith-runs-")), "runs");
  store = await openRunStore(folder);
});
afterEach(async () => {
  store.close();
  await rm(dirname(folder), { recursive: true });
});

const KEEP_ALL = { count: 1_000, maxAgeMs: 1e12, maxBytes: 1e12 };

function newRun(changes: Partial<NewRun> = {}): NewRun {
  return {
    workspace: "/w",
    command: "npm test",
    cwd: "/w",
    key: "k",
    startedAt: 1_000,
    owner: { pid: 1, identity: "1 x" },
    ...changes,
  };
}

function ending(changes: Partial<RunEnding> = {}): RunEnding {
  return {
    endedAt: Date.now(),
    end: { cause: "exit", exitCode: 0 },
    log: { lines: 2, stdoutLines: 1, stderrLines: 1, bytes: 10 },
    ...changes,
  };
}

const FINDINGS = {
  diagnostics: [{ tool: "tsc", severity: "error", message: "m" }],
  tests: [],
  counts: { error: 1, warning: 0, info: 0 },
  notKept: { diagnostics: 0, failures: 0 },
  testsExpected: false,
  unclaimed: { stdout: { total: 0, first: [], last: [] }, stderr: { total: 0, first: [], last: [] } },
  suspects: [],
} as const;

describe("run store", () => {
  it("keeps a run from its start to its end", async () => {
    const run = await store.add(newRun({ tool: "npm.test" }));
    expect(run.id).toMatch(/^[0-9a-z]{5,8}$/);
    expect(await store.get(run.id)).toEqual(run);
    expect(await store.running()).toEqual([run]);
    const end = ending({ findings: FINDINGS });
    await store.finish(run.id, end);
    expect(await store.get(run.id)).toEqual({ ...run, ...end });
    expect(await store.running()).toEqual([]);
    await store.finish(run.id, ending({ end: { cause: "interrupted" } }));
    expect((await store.get(run.id))?.end).toEqual({ cause: "exit", exitCode: 0 });
  });

  it("is still there after it is opened again, and by two at once", async () => {
    const run = await store.add(newRun());
    const other = await openRunStore(folder);
    expect(await other.get(run.id)).toEqual(run);
    const more = await Promise.all(
      [store, other].flatMap((one) => Array.from({ length: 20 }, () => one.add(newRun()))),
    );
    expect(new Set(more.map((one) => one.id)).size).toBe(40);
    expect(await store.list("/w", 100)).toHaveLength(41);
    other.close();
  });

  it("lists the newest first and only the workspace's own", async () => {
    const first = await store.add(newRun());
    const second = await store.add(newRun());
    await store.add(newRun({ workspace: "/other" }));
    expect((await store.list("/w", 10)).map((run) => run.id)).toEqual([second.id, first.id]);
    expect(await store.list("/w", 1)).toHaveLength(1);
  });

  it("finds the previous run that ended by itself", async () => {
    const add = async (change: Partial<RunEnding>, key = "k") => {
      const run = await store.add(newRun({ key }));
      await store.finish(run.id, ending({ findings: FINDINGS, ...change }));
      return run;
    };
    const first = await add({});
    await add({ end: { cause: "cancelled" } });
    await add({}, "another command");
    const last = await store.add(newRun());
    expect((await store.previous(last))?.id).toBe(first.id);
    expect(await store.previous(first)).toBeUndefined();
  });

  it("retains by count, age and bytes, never removes a running one, and remembers what it removed", async () => {
    const running = await store.add(newRun());
    const runs = [];
    for (let i = 0; i < 6; i++) {
      const run = await store.add(newRun());
      writeFileSync(`${store.logBase(run)}.out`, "x");
      await store.finish(run.id, ending({ endedAt: Date.now() - (i === 3 ? 1e9 : 0) }));
      runs.push(run.id);
    }
    const ids = async () => (await store.list("/w", 100)).map((run) => run.id).reverse();
    await store.retain("/w", { ...KEEP_ALL, count: 5 });
    expect(await ids()).toEqual([running.id, ...runs.slice(1)]);
    expect(existsSync(`${store.logBase({ id: runs[0] ?? "", workspace: "/w" })}.out`)).toBe(false);
    expect(existsSync(`${store.logBase({ id: runs[1] ?? "", workspace: "/w" })}.out`)).toBe(true);
    await store.retain("/w", { ...KEEP_ALL, maxAgeMs: 1e8 });
    expect(await ids()).toEqual([running.id, runs[1], runs[2], runs[4], runs[5]]);
    await store.retain("/w", { ...KEEP_ALL, maxBytes: 25 });
    expect(await ids()).toEqual([running.id, runs[4], runs[5]]);
    await store.retain("/w", { ...KEEP_ALL, maxBytes: 1 });
    expect(await ids()).toEqual([running.id, runs[5]]);
    expect(await store.wasRemoved(runs[0] ?? "")).toBe(true);
    expect(await store.wasRemoved("nosuch")).toBe(false);
  });

  it("belongs to its owner alone", async () => {
    const run = await store.add(newRun());
    expect((await stat(join(folder, "runs.db"))).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(store.logBase(run)))).mode & 0o777).toBe(0o700);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });
});
