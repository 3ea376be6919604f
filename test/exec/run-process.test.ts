import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProcess } from "../../src/exec/run-process.ts";

const node = (script: string, ...rest: string[]): [string, ...string[]] => [
  process.execPath,
  "-e",
  script,
  ...rest,
];

describe("runProcess", () => {
  it("collects stdout, stderr and the exit code", async () => {
    const result = await runProcess(node("console.log('out'); console.error('err'); process.exitCode = 3"));
    expect(result).toMatchObject({ exitCode: 3, ending: "exit", stderr: "err\n" });
    expect(result.stdout.toString()).toBe("out\n");
  });

  it("passes arguments unchanged", async () => {
    const hostile = ["; rm -rf x", "$(id)", "a\nb", "--", "'\"`"];
    const result = await runProcess(
      node("console.log(JSON.stringify(process.argv.slice(1)))", "--", ...hostile),
    );
    expect(JSON.parse(result.stdout.toString())).toEqual(hostile);
  });

  it("feeds input and survives a child that does not read it", async () => {
    const echo = await runProcess(["cat"], { input: "hello" });
    expect(echo.stdout.toString()).toBe("hello");
    async function* pieces() {
      for (let i = 0; i < 3; i++) yield Buffer.from(`${i}\n`);
    }
    expect((await runProcess(["cat"], { input: pieces() })).stdout.toString()).toBe("0\n1\n2\n");
    const early = await runProcess(["head", "-1"], { input: pieces() });
    expect(early.stdout.toString()).toBe("0\n");
    const deaf = await runProcess(["true"], { input: "x".repeat(1_000_000) });
    expect(deaf.exitCode).toBe(0);
  });

  it("stops at the output limit", async () => {
    const result = await runProcess(["yes"], { maxBytes: 1_000 });
    expect(result.ending).toBe("output_limit");
    expect(result.stdout.length).toBe(1_000);
  });

  it("passes lines on and stops when the callback returns false", async () => {
    const lines: string[] = [];
    const result = await runProcess(["yes", "line"], {
      onLine: (line) => {
        lines.push(line);
        return lines.length < 5;
      },
    });
    expect(result.ending).toBe("stopped");
    expect(lines).toEqual(Array.from({ length: 5 }, () => "line"));
  });

  it("splits lines across chunks and keeps a last line without a line end", async () => {
    const lines: string[] = [];
    await runProcess(
      node("process.stdout.write('a\\r\\n\\u00e9'); setTimeout(() => process.stdout.write('b\\nlast'), 20)"),
      { onLine: (line) => void lines.push(line) },
    );
    expect(lines).toEqual(["a", "éb", "last"]);
  });

  it("rejects with the error that a callback throws", async () => {
    const fault = new Error("cannot read this");
    const onLine = () => {
      throw fault;
    };
    await expect(runProcess(["yes"], { onLine })).rejects.toBe(fault);
    await expect(runProcess(["printf", "no end"], { onLine })).rejects.toBe(fault);
  });

  it("rejects on timeout and on cancellation, and ends the tree", async () => {
    await expect(runProcess(["sh", "-c", "sleep 30 & sleep 30"], { timeoutMs: 100 })).rejects.toMatchObject({
      code: "timed_out",
    });
    const abort = new AbortController();
    const running = runProcess(["sleep", "30"], { signal: abort.signal });
    abort.abort();
    await expect(running).rejects.toMatchObject({ code: "cancelled" });
    await expect(runProcess(["sleep", "30"], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "cancelled",
    });
  });

  it("distinguishes a missing program, a file that is no program and a missing folder", async () => {
    await expect(runProcess(["no-such-program-here"])).rejects.toMatchObject({ code: "spawn_failed" });
    await expect(runProcess(["true"], { cwd: "/no/such/folder" })).rejects.toMatchObject({
      code: "invalid_cwd",
    });
    const folder = await mkdtemp(join(tmpdir(), "pith-exec-"));
    try {
      await writeFile(join(folder, "plain"), "text");
      await expect(runProcess([join(folder, "plain")])).rejects.toMatchObject({
        code: "spawn_failed",
        message: expect.stringContaining("not executable"),
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
