import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LogWriter } from "../../src/logs/log-writer.ts";
import type { NewRun, RunEnding, RunStore } from "../../src/runs/record/store.ts";

const KEEP_ALL = { count: 1_000, maxAgeMs: 1e12, maxBytes: 1e12 };

export function newRun(changes: Partial<NewRun> = {}): NewRun {
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

export function ending(changes: Partial<RunEnding> = {}): RunEnding {
  return {
    endedAt: Date.now(),
    end: { cause: "exit", exitCode: 0 },
    log: { lines: 2, stdoutLines: 1, stderrLines: 1, bytes: 10 },
    ...changes,
  };
}

export const FINDINGS = {
  diagnostics: [{ tool: "tsc", severity: "error", message: "m" }],
  tests: [],
  counts: { error: 1, warning: 0, info: 0 },
  notKept: { diagnostics: 0, failures: 0 },
  testsExpected: false,
  unclaimed: { stdout: { total: 0, first: [], last: [] }, stderr: { total: 0, first: [], last: [] } },
  suspects: [],
} as const;

/** Tests that every run store must pass. Calling `open` again returns a second connection to the same store. */
export function testRunStore(
  name: string,
  withStore: (test: (open: () => Promise<RunStore>) => Promise<void>) => Promise<void>,
): void {
  describe(`${name} as a run store`, () => {
    it("keeps the newest run even if the clock jumped", () =>
      withStore(async (open) => {
        const store = await open();
        const old = await store.add(newRun());
        await store.finish(old.id, ending({ endedAt: 1_000 }));
        const newest = await store.add(newRun());
        await store.finish(newest.id, ending({ endedAt: 1_000 }));
        await store.retain("/w", { ...KEEP_ALL, maxAgeMs: 1_000 });
        expect(await store.get(old.id)).toBeUndefined();
        expect(await store.get(newest.id)).toMatchObject({ id: newest.id });
      }));

    it("stores a run from its start to its end", () =>
      withStore(async (open) => {
        const store = await open();
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
      }));

    it("keeps runs when it is opened again, and for two connections at once", () =>
      withStore(async (open) => {
        const store = await open();
        const run = await store.add(newRun());
        const other = await open();
        expect(await other.get(run.id)).toEqual(run);
        const more = await Promise.all(
          [store, other].flatMap((one) => Array.from({ length: 20 }, () => one.add(newRun()))),
        );
        expect(new Set(more.map((one) => one.id)).size).toBe(40);
        expect(await store.list("/w", 100)).toHaveLength(41);
      }));

    it("lists the newest runs first, and only those of the workspace", () =>
      withStore(async (open) => {
        const store = await open();
        const first = await store.add(newRun());
        const second = await store.add(newRun());
        await store.add(newRun({ workspace: "/other" }));
        expect((await store.list("/w", 10)).map((run) => run.id)).toEqual([second.id, first.id]);
        expect(await store.list("/w", 1)).toHaveLength(1);
      }));

    it("names each workspace that has runs once, the one with the newest run first", () =>
      withStore(async (open) => {
        const store = await open();
        expect(await store.workspaces()).toEqual([]);
        for (const workspace of ["/w", "/other", "/w"]) await store.add(newRun({ workspace }));
        expect(await store.workspaces()).toEqual(["/w", "/other"]);
        await (await open()).add(newRun({ workspace: "/other" }));
        expect(await store.workspaces()).toEqual(["/other", "/w"]);
      }));

    it("finds the previous run that ended by itself", () =>
      withStore(async (open) => {
        const store = await open();
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
      }));

    it("limits runs by count, age and bytes, never removes a running one, and remembers which it removed", () =>
      withStore(async (open) => {
        const store = await open();
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
      }));

    it("returns a log line by line", () =>
      withStore(async (open) => {
        const store = await open();
        const run = await store.add(newRun());
        const writer = await LogWriter.create(store.logBase(run));
        void writer.write("stdout", Buffer.from("one\ntwo\n"));
        void writer.write("stderr", Buffer.from("three\nfour"));
        const log = await writer.end();
        await store.finish(run.id, ending({ log }));
        const reader = await (await open()).openLog(run);
        expect(await reader?.totals()).toEqual(log);
        const lines = (await reader?.lines({ stream: "both", from: 2, count: 10 })) ?? [];
        expect(lines.map(({ number, stream, bytes }) => [number, stream, bytes.toString()])).toEqual([
          [2, "stdout", "two"],
          [3, "stderr", "three"],
          [4, "stderr", "four"],
        ]);
        await reader?.close();
        const never = await store.add(newRun());
        expect(await store.openLog(never)).toBeUndefined();
      }));
  });
}
