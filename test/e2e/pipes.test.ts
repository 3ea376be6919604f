import { describe, expect, it } from "vitest";
import { call, pithMeta, serverEnvironment, textOf } from "../support/client.ts";
import { connect, pithInside } from "../support/inside.ts";
import { makeFolder } from "../support/folder.ts";

const PROJECT = {
  "package.json": JSON.stringify({ name: "demo", scripts: { test: "node --test" } }),
  "a.test.js":
    "const { test } = require('node:test');\ntest('adds', () => {});\ntest('subtracts', () => { throw new Error('1 is not 2'); });\n",
};
const GREEN = { ...PROJECT, "a.test.js": "require('node:test').test('adds', () => {});\n" };
const LINE = "node --test 2>&1 | tail -5";

function runIdOf(text: string): string {
  return /run ([0-9a-z]{5,8})/.exec(text)?.[1] ?? "";
}

describe("a pipeline does not hide a failure from an agent", () => {
  it("in bash, which shows the output of the filter and the failure that it hides", async () => {
    const client = await connect(makeFolder(PROJECT), { args: ["--toolsets", "code,run,files,jobs"] });
    // Once through npm, whose start takes longer than the tests.
    const result = await client.callTool({ name: "bash", arguments: { command: "npm test 2>&1 | tail -5" } });
    const text = textOf(result);
    expect(result.isError).toBe(true);
    expect(text).toMatch(/^FAIL tap 1\/2 failed, exit 1, run /);
    expect(text).toContain('! exit 1 before "| tail -5"; 1 test failed');
    expect(text).toContain("subtracts");
    expect(text).toMatch(/# duration_ms [\d.]+$/);
    expect(pithMeta(result)).toMatchObject({ exit_code: 1, line_exit_code: 0, success: false });
    const id = runIdOf(text);
    const whole = await call(client, "get_job_logs", { job_id: id });
    expect(whole).toContain("TAP version 13");
    expect(whole).toContain("1 is not 2");
    const view = JSON.parse(
      await call(client, "build", { action: "log", runId: id, stream: "view", response_format: "json" }),
    );
    expect(view).toMatchObject({ totalLines: 5, hasMore: false });
  });

  it("in build and run_command, which judge the whole recorded output", async () => {
    const client = await connect(makeFolder(PROJECT), { args: ["--toolsets", "run,jobs"] });
    for (const text of [
      await call(client, "build", { action: "exec", tool: LINE }),
      await call(client, "run_command", { command: LINE }),
      await call(client, "build", { action: "exec", tool: `bash -c "${LINE}"` }),
    ]) {
      expect(text).toMatch(/^FAIL tap 1\/2 failed, exit 1, run /);
      expect(text).toContain('! exit 1 before "| tail -5"; 1 test failed');
      expect(text).toContain("subtracts");
      expect(text).not.toContain("no test ran");
    }
    const json = await call(client, "run_command", { command: LINE, response_format: "json" });
    expect(JSON.parse(json)).toMatchObject({
      success: false,
      exit_code: 1,
      line_exit_code: 0,
      hidden: ['exit 1 before "| tail -5"; 1 test failed'],
      summary: { failed: 1, passed: 1 },
    });
  });

  it("and the reply has no note if everything passed", async () => {
    const client = await connect(makeFolder(GREEN));
    expect(await call(client, "build", { action: "exec", tool: LINE })).toMatch(
      /^PASS tap 1 passed exit 0 run [0-9a-z]+$/,
    );
    const full = await call(client, "bash", { command: LINE });
    expect(full).toMatch(/^PASS tap 1 passed exit 0 run [0-9a-z]+\n# fail 0\n/);
    expect(full.split("\n")).toHaveLength(6);
  });

  it("and the reply claims nothing about parts that could not be parsed", async () => {
    const client = await connect(makeFolder(PROJECT));
    const loop = await call(client, "bash", { command: "for i in 1 2; do node --test | tail -1; done" });
    expect(loop).toMatch(/^exit 0 run [0-9a-z]+\n! exit codes inside "for" are not known\n/);
    expect(loop).not.toMatch(/\bok\b|PASS/);
    expect(await call(client, "bash", { command: "for i in 1 2; do echo $i | cat; done" })).toMatch(
      /^exit 0 run [0-9a-z]+\n1\n2$/,
    );
  });

  it("and permissions and records refer to the command line as it was typed", async () => {
    const work = makeFolder(PROJECT);
    const dataFolder = makeFolder();
    const env = { PITH_PERMISSIONS_DENY: "rm" };
    const client = await connect(work, { dataFolder, env });
    await expect(call(client, "bash", { command: "node --test | tail -1; rm -rf x" })).resolves.toContain(
      "permission_denied",
    );
    await call(client, "bash", { command: LINE });
    const { stdout } = await pithInside(["runs", "--json"], work, serverEnvironment({ dataFolder }));
    expect(JSON.parse(stdout)).toMatchObject([{ command: LINE, exitCode: 1, lineExitCode: 0 }]);
  });
});

describe("a pipeline on the command line", () => {
  // A script with input on stdin would run unrecorded, so these scripts get none.
  const run = (folder: string, ...args: string[]) => pithInside(args, folder);

  it("in exec names the failed stage and has the exit code of the line", async () => {
    const folder = makeFolder(PROJECT);
    const hidden = await run(folder, "exec", "--", "bash", "-c", LINE);
    expect(hidden).toMatchObject({ status: 0 });
    expect(hidden.stdout).toMatch(
      /^FAIL tap 1\/2 failed, exit 1, .*\n! exit 1 before "\| tail -5"; 1 test failed\n/,
    );
    expect((await run(folder, "exec", "--", "sh", "-c", `${LINE}; exit 4`)).status).toBe(4);
    const none = await run(makeFolder(GREEN), "exec", `${LINE} | grep -c nothing`);
    expect(none.stdout).toMatch(
      /^PASS tap 1 passed exit 0 .*\n! exit 1 of "\| tail -5 \| grep -c nothing"\n$/,
    );
    expect(none.status).toBe(1);
  });

  it("in shell shows its output and the failure that it hides", async () => {
    const { stdout, status } = await run(makeFolder(PROJECT), "shell", "--", LINE);
    expect(status).toBe(0);
    expect(stdout).toMatch(/# duration_ms [\d.]+\n! exit 1 before "\| tail -5"; 1 test failed\n$/);
  });
});
