import { readdirSync, truncateSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { execute } from "../../src/exec/execute.ts";
import { findMarked, markerName } from "../../src/exec/sweep.ts";
import { logPaths, RECORD_BYTES } from "../../src/logs/log-format.ts";
import type { RunReport } from "../../src/model/run-report.ts";
import type { LogQuery } from "../../src/runs/reply/log-query.ts";
import { Budget } from "../../src/kernel/budget.ts";
import { renderLog } from "../../src/render/log/log.ts";
import type { Format } from "../../src/render/rendered.ts";
import { planLine, planShell } from "../../src/runs/plan/plan.ts";
import type { RunSettings } from "../../src/runs/plan/request.ts";
import { RunService } from "../../src/runs/service.ts";
import { openRunStore } from "../../src/storage/sqlite/run-store.ts";
import { shown } from "../support/run-service.ts";

let folder = "";
let workspace = "";
let service: RunService;
const SETTINGS: RunSettings = {
  answerMs: 20_000,
  timeoutMs: 60_000,
  maxOutputBytes: 1e9,
  reports: true,
  retention: { count: 50, maxAgeMs: 1e10, maxBytes: 1e9 },
  permissions: { allow: ["*"], ask: [], deny: [] },
  roots: [],
  passEnvironment: ["*"],
  addEnvironment: {},
};

function newService(changes: Partial<RunSettings> = {}, data = join(folder, "data")): RunService {
  return new RunService({
    settings: { ...SETTINGS, ...changes },
    environment: process.env,
    openStore: () => openRunStore(data),
    execute,
  });
}

function sh(script: string, changes: Record<string, unknown> = {}) {
  return { workspace, cwd: workspace, plan: planShell(script), ...changes };
}

async function run(script: string): Promise<RunReport> {
  return service.exec(sh(script), { verbosity: "full" });
}

async function lines(runId: string, changes: Record<string, unknown> = {}): Promise<string[]> {
  const slice = await service.log({ runId, stream: "both", startLine: 1, lineCount: 500, ...changes });
  return slice.lines.map((line) => line.text);
}

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "pith-service-")));
  workspace = folder;
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  service = newService();
});
afterEach(() => service.close());

describe("RunService", () => {
  it("runs a command, stores its record and reports on it", async () => {
    const report = await run("echo out; echo err >&2; exit 3");
    expect(report).toMatchObject({ success: false, passed: false });
    expect(report.run).toMatchObject({
      command: "echo out; echo err >&2; exit 3",
      end: { cause: "exit", exitCode: 3 },
      log: { lines: 2, stdoutLines: 1, stderrLines: 1, bytes: 8 },
    });
    expect(await lines(report.run.id)).toEqual(["out", "err"]);
    expect((await service.list(workspace, 5))[0]?.id).toBe(report.run.id);
  });

  it("still knows a run after a restart", async () => {
    const { run: made } = await run("echo kept");
    await service.close();
    service = newService();
    expect(await lines(made.id)).toEqual(["kept"]);
    expect((await service.report(made.id, "minimal")).success).toBe(true);
  });

  it("reports a run as running when the time is over, and continues it", async () => {
    const started = await service.exec(sh("echo first; sleep 1; echo last; exit 4"), {
      verbosity: "minimal",
      answerMs: 200,
    });
    expect(started.run.end).toBeUndefined();
    const waited = await service.log({
      runId: started.run.id,
      stream: "both",
      startLine: 1,
      lineCount: 9,
      waitMs: 10_000,
    });
    expect(waited.run.end).toEqual({ cause: "exit", exitCode: 4 });
    expect(waited.lines.map((line) => line.text)).toEqual(["first", "last"]);
  });

  it("waits for a line that matches", async () => {
    const active = await service.start(sh("echo booting; sleep 0.3; echo server ready on 80; sleep 60"));
    const slice = await service.log({
      runId: active.run.id,
      stream: "both",
      startLine: 1,
      lineCount: 9,
      grep: "ready on \\d+",
      waitMs: 20_000,
    });
    expect(slice.lines.map((line) => [line.number, line.text])).toEqual([[2, "server ready on 80"]]);
    expect(slice.run.end).toBeUndefined();
    const stopped = await service.stop(active.run.id);
    expect(stopped.run.end?.cause).toBe("cancelled");
  });

  it("ends all processes when the caller cancels", async () => {
    const abort = new AbortController();
    const pending = service.exec(sh("setsid sleep 300 & sleep 300"), {
      verbosity: "minimal",
      signal: abort.signal,
    });
    setTimeout(() => abort.abort(), 300);
    const report = await pending;
    expect(report.run.end?.cause).toBe("cancelled");
    expect(await findMarked(markerName(report.run.id))).toEqual([]);
  });

  it("stops a run of another server, which may end by itself first", async () => {
    const other = newService();
    const active = await other.start(sh("trap 'echo bye; exit 0' TERM; echo on; sleep 300 & wait"));
    await other.log({
      runId: active.run.id,
      stream: "both",
      startLine: 1,
      lineCount: 9,
      grep: "on",
      waitMs: 20_000,
    });
    const report = await service.stop(active.run.id);
    expect(report.run.end?.cause).toBe("cancelled");
    expect(await lines(active.run.id)).toEqual(["on", "bye"]);
    expect(await findMarked(markerName(active.run.id))).toEqual([]);
    await other.close();
  });

  it("does not change an ended run when it is stopped later", async () => {
    const { run: made } = await run("exit 3");
    expect((await service.stop(made.id)).run.end).toEqual({ cause: "exit", exitCode: 3 });
  });

  it("reports the first cause if the process that ran it is gone", async () => {
    const store = await openRunStore(join(folder, "data"));
    // No process can have this id.
    const gone = { pid: 2 ** 30, identity: "gone" };
    const made = { workspace, command: "x", cwd: workspace, key: "x", startedAt: Date.now(), owner: gone };
    const stopped = await store.add(made);
    const killed = await store.add(made);
    await store.askToStop(stopped.id);
    await store.close();
    expect((await service.report(stopped.id, "minimal")).run.end).toEqual({ cause: "cancelled" });
    expect((await service.stop(killed.id)).run.end?.cause).toBe("interrupted");
    expect(await lines(stopped.id)).toEqual([]);
  });

  it("reports all runs although the log of an interrupted one is damaged", async () => {
    const data = join(folder, "interrupted");
    const store = await openRunStore(data);
    const owner = { pid: 2 ** 22 + 1, identity: "gone" };
    const left = await store.add({ workspace, command: "x", cwd: workspace, key: "k", startedAt: 1, owner });
    await Promise.all(["out", "err"].map((end) => writeFile(`${store.logBase(left)}.${end}`, "a\n")));
    await mkdir(`${store.logBase(left)}.idx`);
    await store.close();
    const other = newService({}, data);
    expect(await other.list(workspace, 5)).toMatchObject([{ id: left.id, end: { cause: "interrupted" } }]);
    await other.close();
  });

  it("says how many lines are lost if the output and the index of a log were cut alike", async () => {
    const { run: made } = await run("seq 1 1000");
    const store = await openRunStore(join(folder, "data"));
    const { stdout, index } = logPaths(store.logBase(made));
    await store.close();
    await truncate(stdout, 20);
    await truncate(index, RECORD_BYTES);
    const slice = await service.log({ runId: made.id, stream: "both", startLine: 1 });
    const show = (format: Format): string => renderLog(slice, { format, budget: new Budget(1_000) }).text;
    expect(show("text")).toContain("990 lines could not be kept");
    expect(JSON.parse(show("json"))).toMatchObject({ totalLines: 10, lostLines: 990 });
  });

  it("finds the files that go test prints without their folder", async () => {
    await mkdir(join(workspace, "cart"), { recursive: true });
    await writeFile(join(workspace, "cart", "cart_test.go"), "package cart\n");
    const fail = (pack: string): string =>
      `echo '--- FAIL: TestSum (0.00s)'; echo '    cart_test.go:9: 3 is not 4'; echo FAIL; printf 'FAIL\\t${pack}\\t0.01s\\n'; exit 1`;
    const fileIn = async (pack: string): Promise<string | undefined> =>
      (await run(fail(pack))).run.findings?.tests[0]?.failures[0]?.file;
    expect(await fileIn("example.com/shop/cart")).toBe("cart/cart_test.go");
    expect(await fileIn("example.com/elsewhere")).toBe("cart_test.go");
  });

  it("reads tails, ranges and matches", async () => {
    const { run: made } = await run("seq 1 1000");
    expect(await lines(made.id, { startLine: -3 })).toEqual(["998", "999", "1000"]);
    expect(await lines(made.id, { startLine: 500, lineCount: 2 })).toEqual(["500", "501"]);
    const found = await service.log({
      runId: made.id,
      stream: "both",
      startLine: 1,
      lineCount: 3,
      grep: "^9",
    });
    expect(found).toMatchObject({ matches: 111, hasMore: true, endLine: 91 });
  });

  it("truncates long lines among others, but shows a single requested line completely", async () => {
    const { run: made } = await run("head -c 5000 /dev/zero | tr '\\0' y; echo; echo next");
    const log = async (changes: Partial<LogQuery>) =>
      (await service.log({ runId: made.id, stream: "both", startLine: 1, ...changes })).lines[0];
    expect(await log({})).toMatchObject({ text: "y".repeat(500), hidden: { characters: 4_500 } });
    expect(await log({ lineCount: 1 })).toMatchObject({ text: "y".repeat(5_000) });
    expect(await log({ column: 4_991 })).toMatchObject({ column: 4_991, text: "y".repeat(10) });
    await expect(log({ column: 5_001 })).rejects.toThrow("column 5001 is beyond the end of line 1");
  });

  it("shows the final state of a progress bar, however long it was", async () => {
    const { run: made } = await run(
      "for i in $(seq 1 2000); do printf 'done %d of 2000\\r' $i; done; printf '\\nnext\\n'",
    );
    expect(await lines(made.id)).toEqual(["done 2000 of 2000", "next"]);
  });

  it("shows diagnostics of output that is no longer complete", async () => {
    const { run: done } = await run("echo 'src/a.c:3:5: error: bad idea' >&2; exit 3");
    const [logs = ""] = readdirSync(join(folder, "data")).filter((name) => /^[0-9a-z]{12}$/.test(name));
    const base = join(folder, "data", logs, done.id);
    // A full disk leaves such a log.
    truncateSync(`${base}.err`, 9);
    truncateSync(`${base}.idx`, 0);
    const report = await service.report(done.id, "minimal");
    expect(shown(report)).toContain("bad idea");
  });

  it("treats a timeout beyond the limit of timers as none", async () => {
    const report = await service.exec(sh("echo fine", { timeoutMs: 1e13 }), { verbosity: "minimal" });
    expect(report.success).toBe(true);
  });

  it("reports whether a run was removed or never existed", async () => {
    await service.close();
    service = newService({ retention: { count: 2, maxAgeMs: 1e10, maxBytes: 1e9 } }, join(folder, "few"));
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await run(`echo ${i}`)).run.id);
    await expect
      .poll(() => service.report(ids[0] ?? "", "minimal").catch((error: Error) => error.message))
      .toContain("no longer kept: the last 2");
    await expect(service.report("zzzzz", "minimal")).rejects.toMatchObject({
      code: "run_not_found",
      message: expect.stringContaining("No run"),
    });
  });

  it("reports fifty simultaneous runs without mixing them up", async () => {
    const reports = await Promise.all(
      Array.from({ length: 50 }, (_, i) => run(`echo run-${i}; echo error-${i} >&2; exit ${i}`)),
    );
    expect(new Set(reports.map((one) => one.run.id)).size).toBe(50);
    for (const [i, report] of reports.entries()) {
      expect(report.run.end).toEqual({ cause: "exit", exitCode: i });
      expect((await lines(report.run.id)).sort()).toEqual([`error-${i}`, `run-${i}`]);
    }
  });

  it("reports why a command did not start", async () => {
    const missing = await service.exec(
      { workspace, cwd: workspace, plan: planLine("no-such-program --x") },
      { verbosity: "minimal" },
    );
    expect(missing.run.end).toMatchObject({ cause: "not_found" });
    expect(missing.success).toBe(false);
    await expect(service.start(sh("true", { cwd: join(folder, "nowhere") }))).rejects.toMatchObject({
      code: "invalid_cwd",
    });
  });

  it("sets variables that prevent prompts, and filters the environment", async () => {
    await service.close();
    service = new RunService({
      settings: { ...SETTINGS, passEnvironment: ["*", "!PRIVATE_*"] },
      environment: {
        ...process.env,
        PRIVATE_THING: "no",
        SSH_AUTH_SOCK: "/agent",
        FORCE_COLOR: "1",
        CI: "",
        NO_COLOR: "",
      },
      openStore: () => openRunStore(join(folder, "data")),
      execute,
    });
    const report = await service.exec(
      sh(
        'echo "$CI $NO_COLOR $PAGER $GIT_TERMINAL_PROMPT [$PRIVATE_THING$FORCE_COLOR] $SSH_AUTH_SOCK $MINE"',
        { env: { MINE: "mine" } },
      ),
      { verbosity: "full" },
    );
    expect(await lines(report.run.id)).toEqual(["  cat 0 [1] /agent mine"]);
  });

  it("keeps the working directory inside the roots after resolving links", async () => {
    const outside = await mkdtemp(join(tmpdir(), "pith-outside-"));
    const inside = await mkdtemp(join(folder, "inside-"));
    await symlink(outside, join(inside, "link"));
    await service.close();
    service = newService({ roots: [inside] });
    await expect(service.start(sh("true", { cwd: join(inside, "link") }))).rejects.toMatchObject({
      code: "workspace_not_allowed",
    });
    await rm(outside, { recursive: true });
  });

  it("masks secrets in the record, the log and the diagnostics", async () => {
    const token = ["ghp", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"].join("_");
    const report = await service.exec(sh(`echo "x.c:1:2: error: bad ${token}" >&2; exit 1`), {
      verbosity: "full",
    });
    expect(JSON.stringify(report)).not.toContain(token);
    expect(JSON.stringify(report)).toContain("(secret-masked)");
  });

  it("compares with the previous run of the same command", async () => {
    const script = join(folder, "lint.sh");
    const plan = planShell(`sh ${script}`);
    const write = (text: string) => writeFile(script, `cat <<'EOF'\n${text}\nEOF\nexit 1\n`);
    await write("a.ts(1,1): error TS1: one\nb.ts(2,1): error TS2: two");
    await service.exec({ workspace, cwd: workspace, plan }, { verbosity: "minimal" });
    await write("b.ts(3,1): error TS2: two\nc.ts(1,1): error TS3: three");
    const { delta } = await service.exec({ workspace, cwd: workspace, plan }, { verbosity: "minimal" });
    expect(delta?.fixed.diagnostics.map((one) => one.file)).toEqual(["a.ts"]);
    expect(delta?.fresh.diagnostics.map((one) => one.file)).toEqual(["c.ts"]);
    expect(delta?.unchanged.diagnostics.map((one) => one.file)).toEqual(["b.ts"]);
  });

  it("does not report a problem as fixed that an unfinished run did not reach", async () => {
    const script = join(folder, "long.sh");
    const plan = planShell(`sh ${script}`);
    await writeFile(script, "echo 'a.c:1:1: error: one'; exit 1\n");
    await service.exec({ workspace, cwd: workspace, plan }, { verbosity: "minimal" });
    await writeFile(script, "sleep 60; echo 'a.c:1:1: error: one'; exit 1\n");
    const request = { workspace, cwd: workspace, plan, timeoutMs: 200 };
    const report = await service.exec(request, { verbosity: "minimal" });
    expect(report.run.end?.cause).toBe("timed_out");
    expect(report.delta?.fixed.diagnostics).toEqual([]);
    expect(report.delta?.notRun.diagnostics.map((one) => one.file)).toEqual(["a.c"]);
  });
});
