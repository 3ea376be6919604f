import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LogWriter } from "../../../src/logs/log-writer.ts";
import { PithError } from "../../../src/kernel/errors.ts";
import { missingLogError } from "../../../src/runs/reply/log-query.ts";
import { REMOTE_OWNER } from "../../../src/runs/record/remote.ts";
import type { RunStore, StoredRun } from "../../../src/runs/record/store.ts";
import { openPostgres, type Postgres } from "../../../src/storage/postgres/database.ts";
import { createSharedRuns } from "../../../src/storage/postgres/runs/shared-runs.ts";
import { TeamRuns } from "../../../src/storage/postgres/runs/team-runs.ts";
import { openRunStore } from "../../../src/storage/sqlite/run-store.ts";
import { ending, FINDINGS, newRun, testRunStore } from "../../conformance/run-store.ts";
import { freshStore, runSql, type TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;
let connection: Postgres;
const parents: string[] = [];
const opened = new Set<RunStore>();

beforeAll(async () => {
  database = await freshStore();
  connection = await openPostgres(database.url);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
  for (const parent of parents) await rm(parent, { recursive: true });
});

/** A simulated machine with its own data folder and a store that can become unavailable. */
interface Machine {
  away: boolean;
  /** The number of bytes of a log that are sent before the connection breaks. */
  breaksAfter: number;
  readonly troubles: PithError[];
  open(): Promise<RunStore>;
}

const LARGE_LOG = 2_000_000;
/** Timeout for background work on a busy machine. */
const SLOW_MACHINE = { timeout: 60_000 } as const;

type SendLog = ReturnType<typeof createSharedRuns>["sendLog"];

/** Sends a log until the connection breaks. */
function breaking(machine: Machine, sendLog: SendLog): SendLog {
  return (id, log) =>
    sendLog(id, {
      ...log,
      async *bytes(stream, from) {
        let left = machine.breaksAfter;
        for await (const piece of log.bytes(stream, from)) {
          if ((left -= piece.bytes.length) < 0) throw new PithError("store_unavailable", "it broke");
          yield piece;
        }
      },
    });
}

async function withMachines(test: (...machines: [Machine, Machine]) => Promise<void>): Promise<void> {
  await runSql(database.url, "TRUNCATE pith.run, pith.run_id, pith.run_log, pith.job CASCADE");
  const makeMachine = async (name: string): Promise<Machine> => {
    const parent = await mkdtemp(join(tmpdir(), `pith-team-${name}-`));
    parents.push(parent);
    const shared = createSharedRuns(connection, { id: name, host: `${name}.example` });
    const machine: Machine = {
      away: false,
      breaksAfter: Infinity,
      troubles: [],
      async open() {
        const local = await openRunStore(join(parent, "runs"), { sharing: true });
        const store = new TeamRuns({
          local,
          shared: () =>
            machine.away
              ? Promise.reject(new PithError("store_unavailable", "the store is away"))
              : Promise.resolve({ ...shared, sendLog: breaking(machine, shared.sendLog) }),
          familyOf: (workspace) => Promise.resolve(`example.org${workspace}`),
          onFailure: (error) => machine.troubles.push(error),
          largeLogBytes: LARGE_LOG,
        });
        opened.add(store);
        return store;
      },
    };
    return machine;
  };
  try {
    await test(await makeMachine("alpha"), await makeMachine("beta"));
  } finally {
    for (const store of opened) await end(store);
  }
}

/** Closes a store before the test ends, as an exiting process does. */
async function end(store: RunStore): Promise<void> {
  opened.delete(store);
  await store.close();
}

testRunStore("PostgreSQL", (test) => withMachines((machine) => test(() => machine.open())));

async function runWithLog(store: RunStore, text: string): Promise<StoredRun> {
  const run = await store.add(newRun({ startedAt: Date.now() }));
  const writer = await LogWriter.create(store.logBase(run));
  void writer.write("stdout", Buffer.from(text));
  await store.finish(run.id, ending({ log: await writer.end(), findings: FINDINGS }));
  return run;
}

async function textOf(store: RunStore, run: StoredRun): Promise<string> {
  const reader = await store.openLog(run);
  const pieces: Buffer[] = [];
  if (reader !== undefined) for await (const { bytes } of reader.bytes("both", 1)) pieces.push(bytes);
  await reader?.close();
  return Buffer.concat(pieces).toString("utf8");
}

describe("the runs of a team", () => {
  it("are listed and read on another machine, with the machine's name", () =>
    withMachines(async (alpha, beta) => {
      const [here, there] = [await alpha.open(), await beta.open()];
      const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i} äö\n`).join("");
      const run = await runWithLog(here, lines);
      await end(here);
      const [listed] = await there.list("/w", 10);
      expect(listed).toMatchObject({ id: run.id, host: "alpha.example", end: { exitCode: 0 } });
      const found = await there.get(run.id);
      expect(found?.findings).toEqual(FINDINGS);
      if (found === undefined) throw new Error("no run");
      expect(await textOf(there, found)).toBe(lines);
      const reader = await there.openLog(found);
      const [last] = (await reader?.lines({ stream: "stdout", from: 30_000, count: 5 })) ?? [];
      expect(last?.bytes.toString()).toBe("line 29999 äö");
      expect(await there.running()).toEqual([]);
    }));

  it("show a run in progress elsewhere as running, without a log", () =>
    withMachines(async (alpha, beta) => {
      const run = await (await alpha.open()).add(newRun());
      const there = await beta.open();
      const [listed] = await there.list("/w", 10);
      expect(listed).toMatchObject({ id: run.id, host: "alpha.example" });
      expect(listed?.end).toBeUndefined();
      expect(await there.running()).toEqual([]);
    }));

  it("continue without the store, and are sent when it is available again", () =>
    withMachines(async (alpha, beta) => {
      alpha.away = true;
      const here = await alpha.open();
      const run = await runWithLog(here, "made alone\n");
      expect((await here.list("/w", 10)).map(({ id }) => id)).toEqual([run.id]);
      expect(await textOf(here, run)).toBe("made alone\n");
      expect(alpha.troubles[0]?.message).toBe("the store is away");
      const there = await beta.open();
      expect(await there.get(run.id)).toBeUndefined();
      alpha.away = false;
      const second = await runWithLog(here, "made together\n");
      await end(here);
      expect((await there.list("/w", 10)).map(({ id }) => id).toSorted()).toEqual(
        [run.id, second.id].toSorted(),
      );
      const found = await there.get(run.id);
      expect(found !== undefined && (await textOf(there, found))).toBe("made alone\n");
    }));

  it("are sent by the next process if their own process ended", () =>
    withMachines(async (alpha, beta) => {
      alpha.away = true;
      const first = await alpha.open();
      const run = await runWithLog(first, "x\n");
      await end(first);
      alpha.away = false;
      const second = await alpha.open();
      await end(second);
      expect(await (await beta.open()).get(run.id)).toMatchObject({ id: run.id, end: { exitCode: 0 } });
    }));

  it("have complete logs, however large, without delaying other runs", () =>
    withMachines(async (alpha, beta) => {
      const [here, there] = [await alpha.open(), await beta.open()];
      alpha.breaksAfter = 3_000_000;
      const lines = Array.from({ length: 100_000 }, (_, i) => `${i} ${"x".repeat(60)}\n`).join("");
      const large = await runWithLog(here, lines);
      await expect.poll(() => alpha.troubles.at(-1)?.message, SLOW_MACHINE).toBe("it broke");
      const small = await runWithLog(here, "small\n");
      await expect
        .poll(async () => (await there.get(small.id))?.end, SLOW_MACHINE)
        .toEqual({ cause: "exit", exitCode: 0 });

      // The end of the run is known, and a partial log is not shown as the whole.
      const found = await there.get(large.id);
      if (found === undefined) throw new Error("no run");
      expect(found).toMatchObject({ end: { exitCode: 0 }, log: { lines: 100_000 }, findings: FINDINGS });
      expect(await there.openLog(found)).toBeUndefined();
      expect(missingLogError(found).message).toContain("is on alpha.example: not all of it is here yet");
      const pieces = async () =>
        (await runSql(database.url, "SELECT seq, xmin FROM pith.run_log ORDER BY run_id, seq"))[0]?.rows ??
        [];
      const before = await pieces();
      expect(before.length).toBeGreaterThan(10);

      alpha.breaksAfter = Infinity;
      await end(here);
      await alpha.open();
      await expect.poll(() => there.openLog(found), SLOW_MACHINE).toBeDefined();
      expect(await textOf(there, found)).toBe(lines);
      // The chunks that were there already were not sent again.
      expect(await pieces()).toEqual(expect.arrayContaining(before));
    }));

  it("have a log sent again if another version stored part of it in other chunks", () =>
    withMachines(async (alpha, beta) => {
      const here = await alpha.open();
      alpha.breaksAfter = 3_000_000;
      const lines = "y".repeat(99).concat("\n").repeat(40_000);
      const run = await runWithLog(here, lines);
      await expect.poll(() => alpha.troubles.at(-1)?.message, SLOW_MACHINE).toBe("it broke");
      await end(here);
      await runSql(
        database.url,
        "UPDATE pith.run_log SET bytes = substr(bytes, 1, 100), lines = 1 WHERE seq = (SELECT max(seq) FROM pith.run_log)",
      );
      alpha.breaksAfter = Infinity;
      await alpha.open();
      const there = await beta.open();
      const found = await there.get(run.id);
      if (found === undefined) throw new Error("no run");
      await expect.poll(() => there.openLog(found), SLOW_MACHINE).toBeDefined();
      expect(await textOf(there, found)).toBe(lines);
    }));

  it("never use an id of another machine, and keep a run local if that happened", () =>
    withMachines(async (alpha, beta) => {
      beta.away = true;
      const there = await beta.open();
      const run = await runWithLog(there, "theirs\n");
      // Another machine got the same id while the store was unavailable.
      await createSharedRuns(connection, { id: "gamma", host: "gamma.example" }).add(
        { ...newRun({ command: "other", startedAt: Date.now() }), id: run.id },
        "example.org/w",
      );
      beta.away = false;
      await there.retain("/w", { count: 50, maxAgeMs: 1e12, maxBytes: 1e12 });
      await end(there);
      const [row] = await runSql(database.url, "SELECT command, ended_at FROM pith.run");
      expect(row?.rows).toEqual([{ command: "other", ended_at: null }]);
      expect((await (await alpha.open()).get(run.id))?.command).toBe("other");
      expect((await (await beta.open()).get(run.id))?.command).toBe("npm test");
    }));

  it("can be ended from another machine if they belong to the pool", () =>
    withMachines(async (alpha, beta) => {
      const run = await (await alpha.open()).add(newRun({ owner: REMOTE_OWNER }));
      const there = await beta.open();
      await there.finish(run.id, ending());
      expect((await there.get(run.id))?.end).toEqual({ cause: "exit", exitCode: 0 });
    }));

  it("can contain characters that a text column cannot store", () =>
    withMachines(async (alpha, beta) => {
      const here = await alpha.open();
      const run = await here.add(newRun({ command: "a\0b" }));
      const findings = { ...FINDINGS, diagnostics: [{ ...FINDINGS.diagnostics[0], message: "\0\ud800" }] };
      await here.finish(run.id, ending({ findings }));
      await end(here);
      const found = await (await beta.open()).get(run.id);
      expect(found?.command).toBe("a\u2400b");
      expect(found?.findings?.diagnostics[0]?.message).toBe("\0\ud800");
    }));
});
