import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bubblewrapProblem, type Isolation } from "../../src/exec/isolation/enclosure.ts";
import { randomId } from "../../src/kernel/ids.ts";
import type { JobLimits } from "../../src/pool/job-limits.ts";
import { runInPlace } from "../../src/pool/run-in-place.ts";
import { orderFor } from "../../src/pool/worker-command.ts";
import { makeFolder } from "../support/folder.ts";

const NO_LIMITS: JobLimits = { timeMs: 0, memoryMb: 0, processes: 0, diskMb: 0 };
const HOUR_MS = 3_600_000;

/** Runs a shell line like the command of a job. */
async function run(line: string, limits: Partial<JobLimits> = {}, isolation?: Isolation) {
  const folder = makeFolder();
  const root = join(folder, "job");
  mkdirSync(root);
  const marker = `r1_${randomId(12)}`;
  const log = join(folder, "log");
  const place = { root, cwd: root, log, reportFile: `${log}.report`, marker };
  const command = {
    id: "r1",
    shown: { command: line, workspace: "/home", cwd: "/home" },
    argv: ["sh", "-c", line] as const,
    env: {},
    variables: {},
    programFolders: [],
    timeoutMs: HOUR_MS,
    maxOutputBytes: 1_000_000,
    expected: [],
    testsExpected: false,
  };
  const machine = {
    marker: "PITH_WORKER_TEST",
    permissions: { allow: ["*"], ask: [], deny: [] },
    ownFolders: [],
    passEnvironment: ["*"],
    limits: { ...NO_LIMITS, ...limits },
    variables: process.env,
  };
  const output: Buffer[] = [];
  const { end } = await runInPlace({
    order: orderFor(command, place, machine),
    place,
    shownRoot: "/home",
    isolation,
    limits: machine.limits,
    signal: new AbortController().signal,
    onStored: (_stream, bytes) => void output.push(bytes),
    pressure: () => undefined,
  });
  return { end, output: Buffer.concat(output).toString("utf8") };
}

it("a job that takes longer than the worker allows is stopped, and says whose limit it was", async () => {
  expect((await run("sleep 600", { timeMs: 200 })).end).toEqual({
    cause: "timed_out",
    detail: "This worker allows 0.2 s.",
    signal: expect.any(String),
  });
});

it("processes that a job leaves in the background are ended, and the result says so", async () => {
  expect((await run("sleep 600 > /dev/null 2>&1 & exit 0")).end).toMatchObject({
    cause: "exit",
    exitCode: 0,
    detail: "Processes it left in the background were ended.",
  });
});

// A container engine is not needed to see what a configured command does: bubblewrap has namespaces of its own too.
describe.skipIf((await bubblewrapProblem()) !== undefined)("a job in a configured command", () => {
  const container: Isolation = {
    kind: "command",
    command: [
      ..."bwrap --ro-bind / / --dev /dev --unshare-pid --proc /proc".split(" "),
      ..."--bind {workspace} {workspace} --setenv INSIDE yes --chdir {cwd} --".split(" "),
    ],
    hasNetwork: true,
    caches: [],
    tools: [],
    home: "/nonexistent",
    hidden: [],
  };

  it("runs inside it, in its own folder, with its exit code and without traces", async () => {
    const { end, output } = await run("echo $INSIDE; pwd; touch here /usr/there; exit 3", {}, container);
    expect(output).toMatch(/^yes\n\/home\ntouch: .*\/usr\/there.*Read-only file system\n$/);
    expect(end).toMatchObject({ cause: "exit", exitCode: 3 });
    expect(end).not.toHaveProperty("detail");
  });

  it("is held to the limits of the worker", async () => {
    const many = "for i in 1 2 3 4 5 6 7 8; do sleep 600 & done; wait";
    const { end } = await run(many, { processes: 5 }, container);
    expect(end).toEqual({
      cause: "resource_limit",
      detail: expect.stringMatching(/^it had \d+ processes at once, and this worker allows 5$/),
    });
  });
});
