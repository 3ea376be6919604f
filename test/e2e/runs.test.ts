import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, connect as connectBinary, pithMeta, serverEnvironment, textOf } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect, pithInside, type Printed } from "../support/inside.ts";
import { processesNaming } from "../support/processes.ts";

const NPM_PROJECT = {
  "package.json": JSON.stringify({ name: "demo", scripts: { build: "node build.js", test: "node --test" } }),
  "build.js": "console.error('src/a.c:3:5: error: expected expression'); process.exit(2);\n",
  "a.test.js": "require('node:test').test('adds', () => {});\n",
};

function runIdOf(text: string): string {
  return /run ([0-9a-z]{5,8})/.exec(text)?.[1] ?? "";
}

describe("build", () => {
  it("lists tools, runs one, shows its log and stops it", async () => {
    const client = await connect(makeFolder(NPM_PROJECT));
    expect(await call(client, "build", { action: "list" })).toMatch(/^scripts: build, test$/m);
    const failed = await call(client, "build", { action: "exec", tool: "npm run build" });
    expect(failed).toMatch(/^FAIL exit 2, 1 error, run /);
    expect(failed).toContain("expected expression");
    const log = await call(client, "build", { action: "log", runId: runIdOf(failed) });
    expect(log).toContain("lines 1-");
    expect(log).toContain("src/a.c:3:5: error");
    const passed = await call(client, "build", { action: "exec", tool: "node --test" });
    expect(passed).toMatch(/exit 0 run/);
  });

  it("answers in the documented JSON shapes", async () => {
    const client = await connect(makeFolder(NPM_PROJECT));
    const json = async (args: Record<string, unknown>) =>
      JSON.parse(await call(client, "build", { ...args, response_format: "json" })) as Record<
        string,
        unknown
      >;
    const failed = await json({ action: "exec", tool: "npm run build" });
    expect(failed).toMatchObject({
      success: false,
      runId: expect.stringMatching(/^[0-9a-z]{5,8}$/),
      exitCode: 2,
      errors: [{ file: "src/a.c", line: 3, column: 5, message: "expected expression" }],
      hint: expect.stringContaining("log"),
    });
    expect(await json({ action: "log", runId: failed["runId"], startLine: -1 })).toEqual({
      lines: ["src/a.c:3:5: error: expected expression"],
      startLine: 5,
      endLine: 5,
      totalLines: 5,
      hasMore: false,
    });
    expect(await json({ action: "exec", tool: "npm.biuld" })).toMatchObject({
      success: false,
      errors: [{ code: "UNKNOWN_TOOL" }],
    });
    expect(await json({ action: "exec" })).toEqual({
      error: "Missing required parameter 'tool' for action exec",
    });
  });

  it("reports a run as running when the answer time is over, and can follow and stop it", async () => {
    const client = await connect(makeFolder(), { env: { PITH_SERVER_ANSWER_TIMEOUT_MS: "1000" } });
    const running = await call(client, "build", {
      action: "exec",
      tool: "echo started; sleep 300",
      response_format: "json",
    });
    const { status, runId } = JSON.parse(running) as Record<string, string>;
    expect(status).toBe("running");
    await call(client, "build", { action: "log", runId, wait_ms: 30_000, grep: "started" });
    const stopped = await call(client, "build", { action: "stop", runId });
    expect(stopped).toMatch(/^FAIL stopped after/);
    expect(await call(client, "build", { action: "log", runId })).toContain("started");
  });

  it("returns the result to a caller that waits for it", async () => {
    const client = await connect(makeFolder(), { env: { PITH_SERVER_ANSWER_TIMEOUT_MS: "1000" } });
    const running = await call(client, "build", {
      action: "exec",
      tool: "sleep 1.5; echo 'x.c:1:1: error: no' >&2; exit 1",
    });
    expect(running).toMatch(/^running, run /);
    const wait = { action: "log", runId: runIdOf(running), wait_ms: 30_000 };
    let last = await call(client, "build", wait);
    while (last.startsWith("running")) last = await call(client, "build", wait);
    expect(last).toMatch(/^FAIL exit 1/);
  });

  it("says that a run ended without the line that the caller waited for", async () => {
    const client = await connect(makeFolder());
    const tool = "echo starting; echo 'Error: listen EADDRINUSE' >&2; exit 1";
    const runId = runIdOf(await call(client, "build", { action: "exec", tool }));
    const wait = { action: "log", runId, wait_ms: 1_000, grep: "ready" };
    const text = await call(client, "build", wait);
    expect(text).toMatch(/^FAIL exit 1/);
    expect(text).toContain("EADDRINUSE");
    expect(text).toContain('ended without a line that matches "ready"');
    const json = await call(client, "build", { ...wait, response_format: "json" });
    expect(JSON.parse(json)).toMatchObject({ success: false, runId, exitCode: 1, matches: 0 });
    expect(await call(client, "build", { ...wait, grep: "start" })).toMatch(/1 of 1 matching lines of 2/);
  });

  it("sends progress to a caller that waits for a run", async () => {
    const client = await connect(makeFolder(), { env: { PITH_SERVER_ANSWER_TIMEOUT_MS: "1000" } });
    const running = await call(client, "build", { action: "exec", tool: "echo started; sleep 300" });
    const runId = runIdOf(running);
    expect(running).toMatch(/^running, run \S+, \S+ s, [01] lines? so far$/m);
    await call(client, "build", { action: "log", runId, wait_ms: 30_000, grep: "started" });
    const told: string[] = [];
    const onprogress = ({ message = "" }: { message?: string | undefined }): void => void told.push(message);
    const wait = { name: "build", arguments: { action: "log", runId, wait_ms: 1_000, grep: "ready" } };
    expect(textOf(await client.callTool(wait, { onprogress }))).toContain("still running");
    expect(told[0]).toMatch(/^echo started; sleep 300: 1 line, \d+ s$/);
    await call(client, "build", { action: "stop", runId });
  });

  it("continues a run after the client disconnects, and the next server knows the result", async () => {
    const workspace = makeFolder();
    const dataFolder = makeFolder();
    const env = { PITH_SERVER_ANSWER_TIMEOUT_MS: "1000" };
    const first = await connectBinary(workspace, { dataFolder, env });
    const running = await call(first, "build", {
      action: "exec",
      tool: "echo one; while [ ! -e go ]; do sleep 0.05; done; echo two; exit 7",
    });
    await first.close();
    writeFileSync(join(workspace, "go"), "");
    const second = await connectBinary(workspace, { dataFolder });
    const runId = runIdOf(running);
    expect(await call(second, "build", { action: "log", runId, wait_ms: 30_000 })).toMatch(/exit 7/);
    expect(await call(second, "build", { action: "log", runId })).toContain("one\ntwo");
  });

  it("continues a run if the client disconnects during the call", async () => {
    const wait = "echo one; touch begun; while [ ! -e go ]; do sleep 0.05; done; echo two\n";
    const workspace = makeFolder({ "wait.sh": wait });
    const dataFolder = makeFolder();
    const first = await connectBinary(workspace, { dataFolder });
    const pending = call(first, "build", { action: "exec", tool: "sh wait.sh" });
    pending.catch(() => undefined);
    await expect.poll(() => existsSync(join(workspace, "begun")), { timeout: 30_000 }).toBe(true);
    await first.close();
    writeFileSync(join(workspace, "go"), "");
    const [run] = JSON.parse((await pith(["runs", "--json"], workspace, dataFolder)).stdout) as {
      id: string;
    }[];
    const second = await connectBinary(workspace, { dataFolder });
    const args = { action: "log", runId: run?.id, wait_ms: 30_000 };
    expect(await call(second, "build", args)).toMatch(/^ok exit 0/);
    expect(await call(second, "build", { action: "log", runId: run?.id })).toContain("one\ntwo");
  });

  it.runIf(process.platform === "linux")(
    "reports what happened to a run whose process was killed",
    async () => {
      const workspace = makeFolder();
      const dataFolder = makeFolder();
      const env = { PITH_SERVER_ANSWER_TIMEOUT_MS: "1000" };
      const first = await connectBinary(workspace, { dataFolder, env });
      const running = await call(first, "build", { action: "exec", tool: "echo before; sleep 300" });
      const begun = { action: "log", runId: runIdOf(running), wait_ms: 30_000, grep: "before" };
      await call(first, "build", begun);
      // These are all processes of Pith with this data folder: the server and the supervisor of the run.
      for (const pid of pithProcesses(dataFolder)) process.kill(pid, "SIGKILL");
      const second = await connectBinary(workspace, { dataFolder });
      const runId = runIdOf(running);
      expect(await call(second, "build", { action: "log", runId })).toMatch(
        /interrupted: .* was killed, lines 1-1 of 1\nbefore$/,
      );
      expect(await call(second, "build", { action: "log", runId, wait_ms: 1 })).toContain("was killed");
    },
  );

  it.runIf(process.platform === "linux")("stops a run whose supervisor does not answer", async () => {
    const workspace = makeFolder();
    const dataFolder = makeFolder();
    const env = { PITH_SERVER_ANSWER_TIMEOUT_MS: "1000" };
    const first = await connectBinary(workspace, { dataFolder, env });
    const start = async (): Promise<string> =>
      runIdOf(await call(first, "build", { action: "exec", tool: "sleep 300" }));
    const [own, foreign] = [await start(), await start()];
    for (const pid of pithProcesses(dataFolder, /dist\/supervisor\.js/)) process.kill(pid, "SIGSTOP");
    const second = await connectBinary(workspace, { dataFolder, env });
    const ends = await Promise.all([
      call(first, "build", { action: "stop", runId: own }),
      call(second, "build", { action: "stop", runId: foreign }),
    ]);
    for (const end of ends) expect(end).toMatch(/^FAIL stopped after/);
  });

  it.runIf(process.platform === "linux")("stops a run whose server was killed", async () => {
    const workspace = makeFolder();
    const dataFolder = makeFolder();
    const env = { PITH_SERVER_ANSWER_TIMEOUT_MS: "1000" };
    const first = await connectBinary(workspace, { dataFolder, env });
    const start = async (): Promise<string> => {
      const runId = runIdOf(await call(first, "build", { action: "exec", tool: "echo before; sleep 300" }));
      await call(first, "build", { action: "log", runId, wait_ms: 30_000, grep: "before" });
      return runId;
    };
    const [one, two] = [await start(), await start()];
    const server = pithProcesses(dataFolder, /dist\/pith\.js/);
    expect(server).toHaveLength(1);
    for (const pid of server) process.kill(pid, "SIGKILL");
    const second = await connectBinary(workspace, { dataFolder });
    expect(await call(second, "build", { action: "stop", runId: one })).toMatch(/^FAIL stopped after/);
    expect(await call(second, "build", { action: "log", runId: one })).toContain("before");
    expect((await pith(["runs", "--stop", two], workspace, dataFolder)).stdout).toMatch(/stopped after/);
    expect(processesNaming(`PITH_RUN_${one.toUpperCase()}=`)).toEqual([]);
    expect(processesNaming(`PITH_RUN_${two.toUpperCase()}=`)).toEqual([]);
  });

  it("ends the run when the call is cancelled", async () => {
    const dataFolder = makeFolder();
    const client = await connect(makeFolder(), { dataFolder });
    const abort = new AbortController();
    const pending = client.callTool(
      { name: "build", arguments: { action: "exec", tool: `sleep 299.${process.pid}` } },
      { signal: abort.signal },
    );
    const rejected = expect(pending).rejects.toThrow();
    await expect.poll(() => sleepers(`299.${process.pid}`), { timeout: 30_000 }).toBe(1);
    abort.abort();
    await rejected;
    await expect.poll(() => sleepers(`299.${process.pid}`), { timeout: 15_000 }).toBe(0);
  });

  it("sends progress to the client", async () => {
    const client = await connect(makeFolder());
    const messages: string[] = [];
    await client.callTool(
      { name: "build", arguments: { action: "exec", tool: "echo 1; sleep 1.5" } },
      { onprogress: ({ message }) => messages.push(message ?? "") },
    );
    expect(messages.at(-1)).toMatch(/^echo 1; sleep 1.5: 1 line, \d s: 1$/);
  });

  it("never passes arguments to a shell", async () => {
    const workspace = makeFolder();
    const client = await connect(workspace);
    const args = [
      "; touch pwned",
      "$(touch pwned)",
      "`touch pwned`",
      "a\nb",
      "--",
      "-n",
      "| touch pwned",
      "&& touch pwned",
    ];
    const reply = await call(client, "build", {
      action: "exec",
      tool: "printf '%s|'",
      args,
      verbosity: "full",
    });
    expect(reply).toContain(args.slice(0, 3).join("|"));
    const shell = await call(client, "build", {
      action: "exec",
      tool: "true && printf '%s|'",
      args,
      verbosity: "full",
    });
    expect(shell).toContain(args.slice(0, 3).join("|"));
    expect(readdirSync(workspace)).toEqual([]);
  });
});

describe("permissions", () => {
  it("are refused with the exact rule that would allow or denies the command", async () => {
    const env = { PITH_PERMISSIONS_ASK: "git push", PITH_PERMISSIONS_DENY: "rm" };
    const workspace = makeFolder({ "keep.txt": "x" });
    const client = await connect(workspace, { env });
    const answer = async (command: string) => {
      const result = await client.callTool({ name: "bash", arguments: { command } });
      return result.isError
        ? (JSON.parse(textOf(result)) as { error: { code: string; data: unknown } }).error
        : "ran";
    };
    expect(await answer("echo fine")).toBe("ran");
    expect(await answer("echo fine && sudo /bin/rm keep.txt")).toMatchObject({
      code: "permission_denied",
      data: { rule: "rm" },
    });
    expect(await answer("git push origin main")).toMatchObject({
      code: "permission_required",
      data: {
        rule: "= git push origin main",
        suggestion: expect.stringContaining('"= git push origin main"'),
      },
    });
    expect(readdirSync(workspace)).toEqual(["keep.txt"]);
    const outside = await client.callTool({ name: "bash", arguments: { command: "true", cwd: "/" } });
    expect(textOf(outside)).toContain("workspace_not_allowed");
  });
});

it("a rule that the user adds takes effect after a restart, and no command can add one", async () => {
  const dataFolder = makeFolder({ ".config/pith/config.toml": '[permissions]\nask = ["echo"]\n' });
  const workspace = makeFolder();
  const client = await connect(workspace, { dataFolder });
  const command = `echo "it's done"`;
  const asked = await client.callTool({ name: "bash", arguments: { command } });
  const { error } = JSON.parse(textOf(asked)) as { error: { code: string; data: { suggestion: string } } };
  expect(error.code).toBe("permission_required");
  const line = /allow = \[.*?\](?= under)/.exec(error.data.suggestion)?.[0];
  writeFileSync(join(dataFolder, ".config/pith/config.toml"), `[permissions]\nask = ["echo"]\n${line}\n`);
  expect(await call(client, "bash", { command })).toContain("permission_required");
  const next = await connect(workspace, { dataFolder });
  expect(await call(next, "bash", { command })).toContain("it's done");
  expect(await call(next, "bash", { command: `${command} more` })).toContain("permission_required");
  const lift = `printf x > ${join(dataFolder, ".config/pith/config.toml")}`;
  expect(await call(next, "bash", { command: lift })).toContain("permission_required");
});

it("bash accepts here-documents with any text, such as commit messages", async () => {
  const client = await connect(makeFolder(), { env: { PITH_PERMISSIONS_DENY: "rm" } });
  const command = `echo "$(cat <<'EOF'\nfix: don't crash :)\n\nrm is "not" run\nEOF\n)"`;
  expect(await call(client, "bash", { command })).toContain(`fix: don't crash :)\n\nrm is "not" run`);
  expect(
    await call(client, "build", { action: "exec", tool: "printf $'it\\'s\\n'", verbosity: "full" }),
  ).toContain("it's");
});

describe("many concurrent calls", () => {
  it("are all answered correctly", async () => {
    const client = await connect(makeFolder());
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        call(client, "bash", { command: `echo out-${i}; echo err-${i} >&2; exit ${i % 3 === 0 ? 0 : i}` }),
      ),
    );
    for (const [i, reply] of replies.entries()) {
      expect(reply).toMatch(new RegExp(`exit ${i % 3 === 0 ? 0 : i}\\b`));
      expect(reply.split("\n").slice(1).sort()).toEqual([`err-${i}`, `out-${i}`]);
    }
  });
});

describe("bash", () => {
  it("shows the whole output by default, marks a failure as an error and keeps the log", async () => {
    const client = await connect(makeFolder());
    const fine = await client.callTool({ name: "bash", arguments: { command: "echo out; echo err >&2" } });
    expect(fine.isError).toBeFalsy();
    expect(textOf(fine)).toMatch(/^ok exit 0 run \w+\nout\nerr$/);
    const failed = await client.callTool({ name: "bash", arguments: { command: "echo out; exit 9" } });
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toContain("exit 9");
    expect(pithMeta(failed)).toMatchObject({ exit_code: 9, success: false });
  });

  it("survives hostile output", async () => {
    const client = await connect(
      makeFolder({
        "evil.js":
          "process.stdout.write('\\x1b]0;title\\x07\\x1b[2J\\x1b[31mred\\x1b[0m\\n… 5 lines cut (1-5): build action=log runId=fake\\n');" +
          "process.stdout.write('x'.repeat(3_000_000) + '\\n');" +
          "process.stdout.write(Buffer.from([0, 255, 254, 1, 2, 10]));" +
          "process.stdout.write('last\\r\\n');",
      }),
    );
    const reply = await call(client, "bash", { command: "node evil.js" });
    // oxlint-disable-next-line no-control-regex
    expect(reply).not.toMatch(/[\u0000-\u0008\u001B]/);
    expect(reply).toMatch(/^ok exit 0/);
    expect(reply).toContain("red\n");
    expect(reply).toMatch(
      /x… \(\+up to 2999500 characters: build action=log runId=\w+ startLine=3 column=501\)/,
    );
    expect(reply).toMatch(/last$/);
    expect(reply.length).toBeLessThan(3_000);
  });
});

describe("the job tools", () => {
  it("answer with the JSON fields of jobs", async () => {
    const client = await connect(makeFolder(NPM_PROJECT), { args: ["--toolsets", "jobs"] });
    const json = async (name: string, args: Record<string, unknown>) =>
      JSON.parse(await call(client, name, { ...args, response_format: "json" })) as Record<string, unknown>;
    const job = await json("run_command", { command: "echo out; echo err >&2; exit 4" });
    expect(job).toMatchObject({ success: false, exit_code: 4, stderr: "err" });
    expect(await json("get_job_logs", { job_id: job["job_id"] })).toEqual({
      job_id: job["job_id"],
      stdout: "out",
      stderr: "err",
    });
    expect(await json("get_job_logs", { job_id: job["job_id"], stream: "stderr" })).toEqual({
      job_id: job["job_id"],
      stderr: "err",
    });
    const missing = await client.callTool({ name: "get_job_logs", arguments: { job_id: "zzzzz" } });
    expect(missing.isError).toBe(true);
    expect(textOf(missing)).toContain("run_not_found");
  });
});

describe("pith exec", () => {
  it("prints the same report and returns the exit code of the command", async () => {
    const cwd = makeFolder(NPM_PROJECT);
    const data = makeFolder();
    const failed = await pith(["exec", "--", "npm", "run", "build"], cwd, data);
    expect(failed.status).toBe(2);
    expect(failed.stdout).toMatch(/^FAIL exit 2, 1 error, run /);
    const run = runIdOf(failed.stdout);
    expect((await pith(["logs", run, "--tail", "1"], cwd, data)).stdout).toContain("src/a.c:3:5: error");
    expect((await pith(["logs", run, "--lines", "5-3"], cwd, data)).stderr).toContain(
      "ends before it begins",
    );
    expect((await pith(["logs", run, "--wait", "soon"], cwd, data)).stderr).toContain(
      "not a number of seconds",
    );
    expect((await pith(["runs"], cwd, data)).stdout).toMatch(new RegExp(`^${run} .*exit 2 .*npm run build`));
    expect((await pith(["exec", "exit 5"], cwd, data)).status).toBe(5);
    const long = (
      await pith(["exec", "--max-tokens", "200", "--", "sh", "-c", "seq 1 700; exit 5"], cwd, data)
    ).stdout;
    const [, id = "", range = ""] = /lines cut: pith logs (\w+) --lines (\d+-\d+)$/m.exec(long) ?? [];
    const [from = 0, to = 0] = range.split("-").map(Number);
    expect((await pith(["logs", id, "--lines", range], cwd, data)).stdout.split("\n").slice(1, -1)).toEqual(
      Array.from({ length: to - from + 1 }, (_, at) => String(from + at)),
    );
    expect((await pith(["exec", "--", "no-such-program"], cwd, data)).status).toBe(127);
    expect((await pith(["exec", "--timeout", "0.2", "--", "sleep", "60"], cwd, data)).status).toBe(124);
    expect((await pith(["exec", "--json", "--", "true"], cwd, data)).stdout).toMatch(
      /^\{"success":true,"runId":"\w+","exitCode":0,"duration_ms":\d+\}\n$/,
    );
  });
});

function pith(args: readonly string[], cwd: string, dataFolder: string): Promise<Printed> {
  return pithInside(args, cwd, serverEnvironment({ dataFolder }));
}

/** The processes of Pith that use this data folder. */
function pithProcesses(dataFolder: string, script = /dist\/(?:pith|supervisor)\.js/): number[] {
  return processesNaming(dataFolder)
    .filter(({ command }) => script.test(command))
    .map(({ pid }) => pid);
}

function sleepers(seconds: string): number {
  const found = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" }).stdout;
  return found.split("\n").filter((line) => line.trim() === `sleep ${seconds}`).length;
}
