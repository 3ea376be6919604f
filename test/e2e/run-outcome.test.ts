import { describe, expect, it } from "vitest";
import { call, pithMeta, serverEnvironment, textOf } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect, pithInside } from "../support/inside.ts";

type Fields = Record<string, unknown>;

/** Commands by how they end, with the fields that a program may rely on. */
const ENDS: Readonly<Record<string, { readonly command: string; readonly expected: Fields }>> = {
  "an exit of its own": { command: "sh -c 'echo no; exit 3'", expected: { exit_code: 3 } },
  "success without a word": { command: "true", expected: { exit_code: 0, success: true } },
  "a signal": {
    command: "sh -c 'kill -9 $$'",
    expected: { exit_code: 137, signal: "SIGKILL", cause: "signal" },
  },
  "a timeout": {
    command: "sleep 30",
    expected: { exit_code: 124, timed_out: true, cause: "timed_out" },
  },
  "a program that does not exist": {
    command: "no-such-program-anywhere",
    expected: { exit_code: 127, cause: "not_found" },
  },
  "a file that cannot be executed": {
    command: "./plain.txt",
    expected: { exit_code: 126, cause: "not_executable" },
  },
};

function meta({ exit_code, timed_out }: Fields): Fields {
  return { exit_code, duration_ms: expect.any(Number), ...(timed_out === undefined ? {} : { timed_out }) };
}

const FILES = { "plain.txt": "no program\n" };

describe("the JSON fields on how a run ended", () => {
  it("are complete for every kind of end", async () => {
    const client = await connect(makeFolder(FILES), { args: ["--toolsets", "run,jobs"] });
    for (const [how, { command, expected }] of Object.entries(ENDS)) {
      const run = { command, timeout_secs: 1, response_format: "json" };
      const result = await client.callTool({ name: "run_command", arguments: run });
      const job = JSON.parse(textOf(result)) as Fields;
      expect(job, how).toMatchObject({ success: false, ...expected, duration_ms: expect.any(Number) });
      expect(pithMeta(result), how).toMatchObject(meta(expected));
      if (expected["timed_out"] === undefined) expect(job, how).not.toHaveProperty("timed_out");
      else expect(job["duration_ms"]).toBeGreaterThanOrEqual(1_000);

      const { exit_code: exitCode, ...rest } = expected;
      const built = { action: "exec", tool: command, timeout_ms: 1_000, response_format: "json" };
      const fields = { ...rest, exitCode, duration_ms: expect.any(Number) };
      expect(JSON.parse(await call(client, "build", built)), how).toMatchObject(fields);
    }
  });

  it("include the exit code in the smallest reply", async () => {
    const client = await connect(makeFolder());
    const tool = "sh -c 'seq 300 >&2'";
    const small = { action: "exec", tool, response_format: "json", max_tokens: 100 };
    expect(JSON.parse(await call(client, "build", small))).toMatchObject({ success: true, exitCode: 0 });
  });

  it("say that a job is still running in every tool", async () => {
    const client = await connect(makeFolder(), {
      args: ["--toolsets", "run,jobs"],
      env: { PITH_SERVER_ANSWER_TIMEOUT_MS: "1000" },
    });
    const json = async (name: string, args: Fields): Promise<Fields> =>
      JSON.parse(await call(client, name, { ...args, response_format: "json" })) as Fields;
    const started = await json("run_command", { command: "sh -c 'echo begun; sleep 300'" });
    expect(started).toMatchObject({ status: "running", duration_ms: expect.any(Number) });
    expect(started).not.toHaveProperty("exit_code");
    const job = { job_id: started["job_id"] };
    expect(await json("get_job_logs", job)).toMatchObject({ status: "running" });
    expect(await json("get_job_logs", { ...job, startLine: 1 })).toMatchObject({ status: "running" });
    const stopped = await json("build", { action: "stop", runId: started["job_id"] });
    expect(stopped).toMatchObject({ success: false, exitCode: 130, cause: "cancelled" });
    expect(await json("get_job_logs", job)).not.toHaveProperty("status");
  });

  it("list each failed test among the errors, with its place", async () => {
    const files = {
      "sum.test.mjs": [
        "import assert from 'node:assert'; import { test } from 'node:test';",
        "test('adds', () => assert.equal(1 + 1, 3));",
        "test('holds', () => {});",
      ].join("\n"),
      "broken.test.mjs": "import './nowhere.mjs';\n",
    };
    const client = await connect(makeFolder(files), { args: ["--toolsets", "run,jobs"] });
    const json = { response_format: "json" };
    for (const reply of [
      await call(client, "build", { action: "exec", tool: "node --test", ...json }),
      await call(client, "run_command", { command: "node --test", ...json }),
    ]) {
      const { errors, summary } = JSON.parse(reply) as { errors: Fields[]; summary: { failures: Fields[] } };
      expect(errors).toContainEqual(
        expect.objectContaining({
          file: "sum.test.mjs",
          line: 2,
          message: expect.stringMatching(/^adds: .*3/),
        }),
      );
      expect(errors.map((one) => one["message"])).toContainEqual(expect.stringContaining("broken.test.mjs"));
      expect(errors).toHaveLength(summary.failures.length);
    }
  });

  it("count the errors that do not fit, and name the call that shows them", async () => {
    const lines = Array.from({ length: 42 }, (_, i) => `src/f${i}.c:${i + 1}:5: error: reason number ${i}`);
    const client = await connect(makeFolder({ "log.txt": lines.join("\n") }));
    const args = { action: "exec", tool: "sh -c 'cat log.txt; exit 1'", response_format: "json" };
    for (const budget of [{}, { max_tokens: 300 }]) {
      const reply = JSON.parse(await call(client, "build", { ...args, ...budget })) as {
        errors?: Fields[];
        truncated?: { errors?: { shown: number; total: number } };
        hint?: string;
      };
      const shown = reply.errors?.length ?? 0;
      const { shown: said, total } = reply.truncated?.errors ?? { shown, total: shown };
      expect([said, total]).toEqual([shown, 42]);
    }
  });

  it("are printed by pith runs, too", async () => {
    const cwd = makeFolder();
    const env = serverEnvironment();
    const pith = (...args: string[]) => pithInside(args, cwd, env);
    expect((await pith("exec", "--timeout", "1", "--", "sleep", "30")).status).toBe(124);
    expect((await pith("runs")).stdout).toMatch(/timed out after \S+ s +[\d.]+ s {2}sleep 30/);
    expect(JSON.parse((await pith("runs", "--json")).stdout)).toMatchObject([
      { exitCode: 124, timed_out: true, duration_ms: expect.any(Number) },
    ]);
  });
});
