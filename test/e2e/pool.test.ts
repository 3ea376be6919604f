import { spawnSync } from "node:child_process";
import { describe, expect, it, vi } from "vitest";
import { call, pithMeta } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { type GitFolder, temporaryRepository } from "../support/git-folder.ts";
import { startHttpServer } from "../support/http-server.ts";
import { kept } from "../support/kept-folder.ts";
import {
  LONG_MS,
  PATIENT,
  callJson,
  connectServer,
  isAlive,
  logLines,
  makeGate,
  pith,
  submitJob,
  treesOf,
  until,
  usePool,
} from "../support/pool.ts";

/** A text that looks like a token of a code host. */
const SECRET = ["ghp", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"].join("_");

/** The lock file of a project with one package, which is in an archive beside it. */
const LOCK = JSON.stringify({
  name: "a",
  lockfileVersion: 3,
  packages: {
    "": { name: "a", dependencies: { greet: "file:greet.tgz" } },
    "node_modules/greet": { version: "1.0.0", resolved: "file:greet.tgz", bin: { greet: "greet.js" } },
  },
});
/** A program that prints its number and increases it in its own file. */
const GREET = `#!/usr/bin/env node
const fs = require("node:fs");
const number = 1;
console.log("hello", number);
const text = fs.readFileSync(__filename, "utf8");
fs.writeFileSync(__filename, text.replace("number = 1", "number = 2"), { flag: "r+" });
`;

vi.setConfig({ testTimeout: LONG_MS });

const pool = usePool(() => ({ args: ["--id", "build-1", "--slots", "2", "--label", "gpu"] }));

function repository(files: Record<string, string> = { "a.txt": "one\n" }): GitFolder {
  return kept(temporaryRepository(files));
}

describe("the machine on which a job ran", () => {
  it("is in the reply and in an event at the default log level", async () => {
    const { url } = pool();
    const folder = repository();
    const events: Record<string, unknown>[] = [];
    const client = await connectServer(folder.root, url, {}, events);
    expect(await call(client, "run_command", { command: "sh -c 'echo a; echo b; exit 3'" })).toMatch(
      /^FAIL .*run \w+ on build-1$/m,
    );
    const needed = { command: "sh -c 'exit 0'", labels: ["node>=18", "os=linux"] };
    const answer = await callJson(client, "run_command", needed);
    expect(answer).toMatchObject({
      success: true,
      worker: "build-1",
      worker_labels: expect.arrayContaining(["os=linux", `node=${process.version.slice(1)}`]),
      needed_labels: ["os=linux", "node >=18"],
      queued_ms: expect.any(Number),
      worked_ms: expect.any(Number),
    });
    const shown = await pith(url, ["jobs", "show", String(answer["job_id"])]);
    expect(shown.stdout).toMatch(
      /^ {2}on build-1 arch=\w+ gpu os=linux cores=\d+ .*: queued [\d.]+ s, had its caches, ran [\d.]+ s$/m,
    );
    await expect
      .poll(() => events.find(({ event, run_id }) => event === "pool.job_ran" && run_id === answer["job_id"]))
      .toMatchObject({ level: "notice", worker: "build-1", attempts: 1, local_fallback: false });
  });

  it("lacks files that git ignores, which is said if the command missed one", async () => {
    const { url } = pool();
    const folder = repository({
      ".gitignore": "local.json\n",
      "a.js": 'require("node:fs").readFileSync("local.json")',
    });
    folder.write("local.json", "{}");
    const client = await connectServer(folder.root, url);
    expect(await call(client, "run_command", { command: "node a.js" })).toMatch(
      /^local\.json exists here but was not sent to the worker: git ignores it$/m,
    );
    const other = await callJson(client, "run_command", { command: "sh -c 'cat missing.json'" });
    expect(other).toMatchObject({ success: false });
    expect(other).not.toHaveProperty("not_sent");
  });
});

describe("a job in the pool", () => {
  it("runs on the current files, and is reported like a local run", async () => {
    const { url, queue, worker } = pool();
    const folder = repository();
    folder.write("a.txt", "changed\n");
    folder.write("new.txt", "not committed\n");
    const client = await connectServer(folder.root, url);
    const job = {
      command: `sh -c 'cat a.txt new.txt; pwd; echo ${SECRET}; env | grep PITH_STORE; echo src/x.ts:3:7: error: bad >&2; exit 3'`,
      verbosity: "full",
    };
    const answer = await callJson(client, "run_command", job);
    expect(answer).toMatchObject({ success: false, exit_code: 3 });
    expect(answer["stdout"]).toBe(`changed\nnot committed\n${folder.root}\n(secret-masked)`);
    expect(await logLines(queue, String(answer["job_id"]))).not.toContain(SECRET);
    expect(await callJson(client, "run_command", job)).toMatchObject({
      delta: { previousRun: answer["job_id"], unchanged: 1 },
    });
    expect(answer["errors"]).toMatchObject([{ file: "src/x.ts", line: 3 }]);
    await worker.told((event) => event["kind"] === "ended" && event["id"] === answer["job_id"]);
    const again = await callJson(client, "build", { action: "exec", tool: "cat a.txt" });
    expect(again).toMatchObject({ success: true, exitCode: 0 });
    await until(() => (treesOf(worker.dataFolder).length === 0 ? true : undefined));
    expect(await call(client, "worker_status")).toContain("1 worker");
  });

  it("is judged by its pipeline stages, and shows the output of its filter", async () => {
    const { url, queue } = pool();
    const folder = repository({ "a.sh": "pwd; echo src/x.ts:3:7: error: bad; echo last; exit 3\n" });
    const client = await connectServer(folder.root, url);
    const job = { command: "sh a.sh 2>&1 | tail -1", verbosity: "full" };
    const answer = await callJson(client, "run_command", job);
    expect(answer).toMatchObject({ success: false, exit_code: 3, line_exit_code: 0, stdout: "last" });
    expect(answer["errors"]).toMatchObject([{ file: "src/x.ts", line: 3 }]);
    expect(await logLines(queue, String(answer["job_id"]))).toContain(folder.root);
  });

  it("can be followed, awaited and stopped from another machine", async () => {
    const { url, queue } = pool();
    const folder = repository();
    const client = await connectServer(folder.root, url, { PITH_SERVER_ANSWER_TIMEOUT_MS: "1000" });
    // Another clone of the repository, because a server shows no runs of other projects.
    const clone = makeFolder();
    spawnSync("git", ["clone", "-q", folder.root, clone]);
    const elsewhere = await connectServer(clone, url);
    const gate = makeGate();
    const first = await client.callTool({
      name: "build",
      arguments: { action: "exec", tool: `sh -c 'echo ready; ${gate.wait}; echo done'` },
    });
    const { run_id: id, status } = pithMeta(first);
    expect(status).toBe("running");
    const live = await callJson(elsewhere, "build", {
      action: "log",
      runId: id,
      grep: "ready",
      wait_ms: 40_000,
    });
    expect(live).toMatchObject({ lines: ["1: ready"] });
    expect(await callJson(elsewhere, "get_job_logs", { job_id: id })).toMatchObject({ stdout: "ready" });
    gate.open();
    const ended = await callJson(elsewhere, "build", { action: "log", runId: id, wait_ms: 40_000 });
    expect(ended).toMatchObject({ success: true, exitCode: 0 });
    expect(await callJson(elsewhere, "get_job_logs", { job_id: id })).toMatchObject({
      stdout: "ready\ndone",
    });

    const endless = await submitJob(queue, client, "sh -c 'echo on; sleep 600'");
    await until(async () => ((await isAlive(endless.id, 1)) ? true : undefined));
    const stopped = await callJson(elsewhere, "build", { action: "stop", runId: endless.id });
    expect(stopped).toMatchObject({ success: false, cause: "cancelled" });
    expect(await isAlive(endless.id, 1)).toBe(false);
    const late = await callJson(client, "run_command", { command: "sleep 600", timeout_secs: 1 });
    const shown = await until(async () => {
      const wait = { action: "log", runId: late["job_id"], wait_ms: 40_000 };
      const seen = await callJson(client, "build", wait);
      return seen["status"] === "running" ? undefined : seen;
    });
    expect(shown).toMatchObject({ success: false, cause: "timed_out" });
  });
});

describe("a job that needs packages", () => {
  it("finds them installed, in a copy of its own, and reports what failed", async () => {
    const { url } = pool();
    const folder = repository({
      "package.json": '{"name":"a","scripts":{"greet":"greet"},"dependencies":{"greet":"file:greet.tgz"}}',
      "package-lock.json": LOCK,
      "package/package.json": '{"name":"greet","version":"1.0.0","bin":"greet.js"}',
      "package/greet.js": GREET,
      ".gitignore": "node_modules\n",
    });
    spawnSync("tar", ["-czf", "greet.tgz", "package"], { cwd: folder.root });
    const client = await connectServer(folder.root, url);
    const first = await callJson(client, "run_command", { command: "npm run greet", verbosity: "full" });
    expect(first).toMatchObject({ success: true, prepared: [{ name: "npm", outcome: "made" }] });
    expect(first["stdout"]).toContain("hello 1");
    // The first job has changed its own copy in place.
    const second = await callJson(client, "run_command", { command: "npm run greet", verbosity: "full" });
    expect(second).toMatchObject({ success: true, prepared: [{ name: "npm", outcome: "hit" }] });
    expect(second["stdout"]).toContain("hello 1");
    expect(folder.git("status", "--porcelain")).toBe("?? greet.tgz\n");
    folder.remove("greet.tgz");
    folder.write("package-lock.json", `${LOCK}\n`);
    const broken = await call(client, "run_command", { command: "npm run greet" });
    expect(broken).toMatch(
      /^FAIL not started: prepare failed: npm ci exited \d+, 1 error, .*run \w+ on build-1$/m,
    );
    expect(broken).toMatch(/^error E\w+: /m);
    // A command that only reads files needs no packages.
    expect(await callJson(client, "run_command", { command: "cat .gitignore" })).toMatchObject({
      success: true,
    });
  });
});

describe("the command line for a pool", () => {
  it("shows workers and jobs, runs in the pool, and cancels", async () => {
    const { url, queue } = pool();
    const folder = repository();
    const run = (...args: string[]) => pith(url, args, folder.root);
    expect((await run("workers")).stdout).toMatch(/^build-1: 0\/2 slots busy, up \d+ min, .*gpu/);
    const done = await run("exec", "--pool", "--label", "gpu", "--", "sh", "-c", "cat a.txt; exit 7");
    expect(done).toMatchObject({ status: 7, stdout: expect.stringContaining("one") as unknown });
    const [listed] = JSON.parse((await run("jobs", "--json")).stdout) as Record<string, unknown>[];
    expect(listed).toMatchObject({
      state: "ended",
      exitCode: 7,
      worker: "build-1",
      labels: ["gpu"],
      attempts: 1,
    });
    expect((await run("jobs")).stdout).toMatch(/exit 7 +build-1 +sh -c/);
    const [recorded] = JSON.parse((await run("runs", "--json")).stdout) as Record<string, unknown>[];
    expect(recorded).toMatchObject({ worker: "build-1", workedMs: expect.any(Number) as unknown });
    expect((await run("runs")).stdout).toMatch(/exit 7 .* {2}on build-1$/m);
    expect((await run("logs", String(listed?.["id"]))).stdout).toMatch(
      /^run r\w+, exit 7, on build-1, lines 1-/,
    );
    const client = await connectServer(folder.root, url);
    const waiting = await submitJob(queue, client, "true", { labels: ["none-has-this", "os=linux"] });
    expect((await run("jobs", "show", waiting.id)).stdout).toMatch(
      /queued[^]*needs none-has-this, os=linux\n {2}0 ahead; 0 of 1 workers fit: none has none-has-this$/m,
    );
    const listedRuns = (await run("runs")).stdout.split("\n");
    expect(listedRuns.find((row) => row.startsWith(waiting.id))).toMatch(
      /queued: no worker has none-has-this/,
    );
    expect((await run("jobs", "cancel", waiting.id)).stdout).toContain("stopped");
    expect(await waiting.done).toMatchObject({ success: false, cause: "cancelled" });
    expect(await run("jobs", "show", "r1")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("No job") as unknown,
    });
    expect(await run("jobs", "dance")).toMatchObject({ status: 2 });
    expect(await pith("", ["workers"])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("PITH_STORE") as unknown,
    });
  });
});

it("the pool runs jobs that are submitted over HTTP", async () => {
  const { url, queue } = pool();
  const folder = repository();
  const endpoint = await startHttpServer(folder.root, {
    env: { ...PATIENT, PITH_STORE: url, PITH_SERVER_HTTP_TOKEN: "t" },
  });
  const ask = async (path: string, init: RequestInit = {}): Promise<Record<string, unknown>> => {
    const headers = { Authorization: "Bearer t" };
    return (await (await fetch(new URL(path, endpoint), { ...init, headers })).json()) as Record<
      string,
      unknown
    >;
  };
  const body = JSON.stringify({ command: "cat a.txt", verbosity: "full" });
  const { job_id: id } = await ask("/jobs", { method: "POST", body });
  const ended = await until(async () => {
    const shown = await ask(`/jobs/${String(id)}?wait_ms=20000`);
    return "success" in shown ? shown : undefined;
  });
  expect(ended).toMatchObject({ success: true, stdout: "one" });
  expect(await ask(`/jobs/${String(id)}/logs`)).toEqual({ job_id: id, stdout: "one\n", stderr: "" });
  expect(await ask("/status")).toMatchObject({ workers: [{ id: "build-1" }], local_fallback_active: false });
  expect((await queue.get(String(id)))?.worker).toBe("build-1");
});
