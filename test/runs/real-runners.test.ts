import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunReport } from "../../src/model/run-report.ts";
import type { RunService } from "../../src/runs/service.ts";
import { makeFolder } from "../support/folder.ts";
import { installTools } from "../support/node-tools.ts";
import { makeRunService, runIn, shown } from "../support/run-service.ts";
import { captureRun } from "./runner-captures.ts";
import { type Files, NPM_RUNNERS, type RunnerCases, SYSTEM_RUNNERS } from "./runner-cases.ts";

/**
 * Runs every installed test runner on cases that other tools report as passed although they failed, once alone and once behind
 * a filter. Slow runners, and those that npm would have to install, run only with PITH_TEST_RUNNERS=all.
 */
const ALL = process.env["PITH_TEST_RUNNERS"] === "all";
const NPM_PACKAGES = [
  "mocha@11",
  "jest@29",
  "jasmine@5",
  "ava@6",
  "tap@21",
  "vitest@4",
  "tape@5",
  "qunit@2",
  "deno@2",
  "@oven/bun-linux-x64@1.4.4",
];
/**
 * Each runner meets two of these filters, and each way to end meets all of them in six runners. The matrix of captured
 * runners has the other pairs.
 */
const FILTERS = ["RUN 2>&1 | tail -3", "RUN 2>&1 | head -2", "RUN > out.log 2>&1 || true"] as const;
const FILTERED = ["passes", "fails", "does not load", "finds none"];
/** Compilers are slow on a loaded machine. */
const TIMEOUT_MS = 240_000;

const tools = ALL ? installTools("runners", NPM_PACKAGES, { anyNode: true }) : undefined;
const bun = tools && join(tools.folder, "node_modules/@oven/bun-linux-x64/bin");
const npmPath = tools && [join(tools.folder, "node_modules/.bin"), bun, process.env["PATH"]].join(delimiter);

for (const [name, runner] of Object.entries(NPM_RUNNERS))
  describe.skipIf(npmPath === undefined)(`${name} is not green`, () => check(name, runner, npmPath));

for (const [name, runner] of Object.entries(SYSTEM_RUNNERS)) {
  const there = (ALL || !runner.slow) && works(runner);
  if (!there) console.warn(`${name} is NOT run here${runner.slow && !ALL ? " (PITH_TEST_RUNNERS=all)" : ""}`);
  describe.skipIf(!there)(`${name} is not green`, () => check(name, runner, process.env["PATH"]));
}

function check(name: string, runner: RunnerCases, path: string | undefined): void {
  const turn = Object.keys({ ...SYSTEM_RUNNERS, ...NPM_RUNNERS }).indexOf(name);
  /** Expects the same result behind a filter as without it. */
  const checkFiltered = async (label: string, folder: string, service: RunService, open: RunReport) => {
    const way = FILTERED.indexOf(label);
    if (!ALL && way % 2 !== turn % 2) return;
    const filter = FILTERS[(turn + way) % FILTERS.length] ?? "";
    const line = filter.replace("RUN", () => runner.command);
    const report = await runIn(folder, line, { service, timeoutMs: TIMEOUT_MS });
    const text = shown(report);
    // A runner that `head` stopped early did not finish, with or without Pith, so its run is not green.
    const isCut = report.run.end?.isPartial === true;
    if (report.passed || !isCut) {
      expect(report.passed, `${line}: ${text}`).toBe(label === "passes");
      expect(report.run.end?.exitCode, `${line}: ${text}`).toBe(open.run.end?.exitCode);
    }
    expect(isCut, text).toBe(isCut && filter.includes("head"));
    expect(text).not.toMatch(isCut ? /no test ran/ : /^$/);
  };
  const run = async (label: string, files: Files, command = runner.command) => {
    const folder = makeFolder({ ...runner.always, ...files });
    if (tools !== undefined && path === npmPath)
      symlinkSync(join(tools.folder, "node_modules"), join(folder, "node_modules"));
    const service = makeRunService({}, { ...process.env, PATH: path });
    const report = await runIn(folder, command, { service, timeoutMs: TIMEOUT_MS });
    if (process.env["PITH_WRITE_SNAPSHOTS"] === "all")
      await captureRun(`${name}: ${label}`, { command, report, service });
    else if (FILTERED.includes(label)) await checkFiltered(label, folder, service, report);
    return { report, text: shown(report) };
  };
  const failing = async (label: string, files: Files | undefined, command?: string): Promise<string> => {
    const { report, text } = await run(label, files ?? {}, command);
    expect(report.passed, text).toBe(false);
    expect(text).toMatch(/^(?:FAIL|UNCLEAR)/);
    return text;
  };
  const timeout = { timeout: TIMEOUT_MS };

  it("unless its tests pass", timeout, async () => {
    const { report, text } = await run("passes", runner.passes);
    expect(report, text).toMatchObject({ success: true, passed: true });
  });
  it("after a failed test", timeout, () => failing("fails", runner.fails));
  it("after a failed test that the shell hides", timeout, async () => {
    // make prints no counts, so only its exit code shows a failure.
    if (runner.program !== "make") await failing("fails, hidden", runner.fails, `${runner.command} || true`);
  });
  it("after a failed test that a second command follows", timeout, () =>
    failing("fails before another", runner.fails, `${runner.command} && echo all good`),
  );
  it("after a suite that did not load", timeout, () => failing("does not load", runner.doesNotLoad));
  it("after it was killed", timeout, () => failing("is killed", runner.isKilled));
  it.skipIf(runner.endsBadly === undefined)(
    "after it exited with an error although all tests passed",
    timeout,
    () => failing("ends badly", runner.endsBadly),
  );
  it.skipIf(runner.none === undefined)("without any test", timeout, () => failing("finds none", runner.none));
}

/** Returns whether the program really runs; a version manager may have installed only its shim. */
function works({ program, probe = ["--version"] }: RunnerCases): boolean {
  return spawnSync(program, probe, { stdio: "ignore", timeout: 60_000 }).status === 0;
}

it("says that a stage may have failed only because the next one stopped reading", { retry: 2 }, async () => {
  const flood = "setInterval(() => process.stdout.write('line\\n'.repeat(999)), 1);\n";
  const folder = makeFolder({ "flood.mjs": flood });
  const report = await runIn(folder, "node flood.mjs | head -1", { timeoutMs: 20_000 });
  expect(report.success).toBe(false);
  expect(shown(report)).toContain(
    '! exit 1 before "| head -1", which had stopped reading, perhaps the only cause: run it without "| head -1"',
  );
});
