import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute, type ExecuteOptions } from "../../src/exec/execute.ts";
import { findMarked, markerName, sweepMarked } from "../../src/exec/sweep.ts";
import type { RunEnd } from "../../src/model/run.ts";

let folder = "";
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pith-execute-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Outcome {
  readonly end: RunEnd;
  readonly stdout: string;
  readonly stderr: string;
  readonly id: string;
}

async function run(argv: [string, ...string[]], options: Partial<ExecuteOptions> = {}): Promise<Outcome> {
  const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const id = `t${process.pid}x${++count}`;
  const end = await execute(
    { argv, cwd: folder, env: { PATH: process.env["PATH"] ?? "" } },
    {
      id,
      onOutput: (stream, chunk) => {
        output[stream].push(chunk);
        return undefined;
      },
      graceMs: 200,
      ...options,
    },
  );
  return { end, stdout: text(output.stdout), stderr: text(output.stderr), id };
}

describe("execute", () => {
  it("keeps stdout and stderr apart and reports the exit code", async () => {
    const { end, stdout, stderr } = await run(["sh", "-c", "echo out; echo err >&2; exit 7"]);
    expect({ end, stdout, stderr }).toEqual({
      end: { cause: "exit", exitCode: 7 },
      stdout: "out\n",
      stderr: "err\n",
    });
  });

  it.skipIf(process.platform === "win32")(
    "loses no output of a Node program that exits at once",
    async () => {
      const script = 'for (let i = 0; i < 1000; i++) console.log("row " + i); process.exit(3)';
      for (let round = 0; round < 5; round++) {
        const { stdout, end } = await run([process.execPath, "-e", script]);
        expect(end).toEqual({ cause: "exit", exitCode: 3 });
        expect(stdout.endsWith("row 999\n")).toBe(true);
      }
    },
  );

  it("closes stdin", async () => {
    expect((await run(["cat"])).end).toEqual({ cause: "exit", exitCode: 0 });
  });

  it("reports the signal that ended the command", async () => {
    expect((await run(["sh", "-c", "kill -9 $$"])).end).toEqual({ cause: "signal", signal: "SIGKILL" });
  });

  it("distinguishes a missing program from one that is not executable or cannot start", async () => {
    await writeFile(join(folder, "plain"), "#!/bin/sh\n");
    await chmod(join(folder, "plain"), 0o644);
    expect((await run(["no-such-program"])).end.cause).toBe("not_found");
    expect((await run([join(folder, "plain")])).end.cause).toBe("not_executable");
    expect((await run(["echo", "a\0b"])).end.cause).toBe("spawn_failed");
    expect((await run(["echo", "x".repeat(3_000_000)])).end.cause).toBe("spawn_failed");
  });

  it("names the missing interpreter of a script, and an argument list that is too long", async () => {
    const script = join(folder, "script");
    await writeFile(script, "#!/no/such/interpreter -x\necho\n", { mode: 0o755 });
    expect((await run([script])).end).toEqual({
      cause: "not_executable",
      detail: `${script} needs /no/such/interpreter, which is not there`,
    });
    const { detail } = (await run(["echo", "x".repeat(3_000_000)])).end;
    expect(detail).toBe("its arguments are longer than the system allows");
  });

  it("rejects a working directory that is not a folder", async () => {
    const missing = execute(
      { argv: ["true"], cwd: join(folder, "missing"), env: {} },
      { id: "x", onOutput: () => undefined },
    );
    await expect(missing).rejects.toMatchObject({ code: "invalid_cwd" });
  });

  it("ends on timeout, cancellation and output limit, and reports the first cause", async () => {
    expect((await run(["sleep", "60"], { timeoutMs: 50 })).end).toMatchObject({ cause: "timed_out" });
    // These have neither the group nor the session nor the environment of the run.
    const time = `61.${process.pid}`;
    // The last one's parents have exited long before, and it holds none of the run's files open.
    const daemon = `env -i setsid -f sh -c 'cd /; exec sleep ${time}' <&- >/dev/null 2>&1 8>&- 9>&-`;
    await run(["sh", "-c", `${daemon}; env -i setsid sleep ${time} & env -i setsid sleep ${time}`], {
      timeoutMs: 300,
    });
    const left = await findCommands(`sleep\0${time}\0`);
    expect(process.platform === "linux" ? left : []).toEqual([]);
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    expect((await run(["sleep", "60"], { signal: abort.signal, timeoutMs: 5_000 })).end).toMatchObject({
      cause: "cancelled",
    });
    expect((await run(["sleep", "60"], { signal: AbortSignal.abort() })).end).toEqual({ cause: "cancelled" });
    const flood = await run(["yes"], { maxOutputBytes: 10_000 });
    expect(flood.end).toMatchObject({ cause: "output_limit" });
    expect(flood.stdout.length).toBe(10_000);
  });

  it("ends a command that ignores SIGTERM, and keeps what it printed", async () => {
    const { end, stdout } = await run(["sh", "-c", "trap '' TERM; echo started; while :; do sleep 1; done"], {
      timeoutMs: 300,
    });
    expect(end).toEqual({ cause: "timed_out", signal: "SIGKILL" });
    expect(stdout).toBe("started\n");
  });

  it.runIf(process.platform === "linux")("leaves no process of the tree behind", async () => {
    const script = [
      "sleep 300 &",
      "(trap '' TERM; sleep 300) &",
      "setsid sleep 300 &",
      "setsid sh -c 'trap \"\" TERM; (sleep 300; true) & (setsid sleep 300; true) & wait' &",
      "nohup sleep 300 >/dev/null 2>&1 &",
      "echo ready; wait",
    ].join("\n");
    const abort = new AbortController();
    const onOutput = () => {
      abort.abort();
      return undefined;
    };
    const { end, id } = await run(["sh", "-c", script], { signal: abort.signal, onOutput });
    expect(end.cause).toBe("cancelled");
    expect(await findMarked(markerName(id))).toEqual([]);
  });

  it.runIf(process.platform === "linux")(
    "does not wait for dead processes that nobody collects",
    async () => {
      // The parent of the sleep has left the group and, unlike a shell, never reaps it.
      const keeper = join(folder, "keeper.cjs");
      await writeFile(keeper, 'console.log("ready"); setInterval(() => undefined, 1_000);');
      const script = `sh -c 'sleep 300 & exec setsid "$1" "$2"' sh "$1" "$2" & wait`;
      const abort = new AbortController();
      const { end, id } = await run(["sh", "-c", script, "sh", process.execPath, keeper], {
        signal: abort.signal,
        graceMs: 3_600_000,
        onOutput: () => {
          abort.abort();
          return undefined;
        },
      });
      expect(end.cause).toBe("cancelled");
      expect(await findMarked(markerName(id))).toEqual([]);
    },
  );

  it.runIf(process.platform === "linux")("ends a fork bomb (of bounded size)", async () => {
    // Each process starts two more outside its group, five generations deep.
    const bomb = join(folder, "bomb.sh");
    await writeFile(
      bomb,
      `#!/bin/sh\necho "$1"\nif [ "$1" -gt 0 ]; then for i in 1 2; do setsid sh ${bomb} $(($1 - 1)) & done; fi\ntrap '' TERM\nsleep 300\n`,
    );
    const abort = new AbortController();
    let lines = 0;
    const onOutput = (_stream: string, chunk: Buffer) => {
      lines += chunk.toString().split("\n").length - 1;
      if (lines >= 5) abort.abort();
      return undefined;
    };
    const { end, id } = await run(["sh", bomb, "5"], { signal: abort.signal, onOutput });
    expect(end.cause).toBe("cancelled");
    expect(await findMarked(markerName(id))).toEqual([]);
  });

  it("neither waits for background children nor ends them", async () => {
    const mark = join(folder, "late");
    const { end, stdout } = await run(["sh", "-c", `(sleep 1; echo late; echo done > ${mark}) & echo front`]);
    expect(end).toMatchObject({ cause: "exit", exitCode: 0, detail: expect.stringContaining("background") });
    expect(stdout).toBe("front\n");
    await expect.poll(() => readFile(mark, "utf8").catch(() => ""), { timeout: 10_000 }).toBe("done\n");
  });

  it("does not wait for a background child that never stops writing", async () => {
    const { end, id } = await run(["sh", "-c", "(while :; do echo more; sleep 0.01; done) & exit 0"]);
    expect(end).toMatchObject({ cause: "exit", exitCode: 0, detail: expect.stringContaining("background") });
    await sweepMarked(markerName(id));
  });

  it("pauses the command while its output is being stored", async () => {
    let open = 0;
    let most = 0;
    const { end } = await run(["sh", "-c", "head -c 3000000 /dev/zero"], {
      onOutput: async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 2));
        open--;
      },
    });
    expect(end).toEqual({ cause: "exit", exitCode: 0 });
    expect(most).toBeLessThanOrEqual(2);
  });
});

function text(chunks: Buffer[]): string {
  return Buffer.concat(chunks).toString();
}

/** The processes with this command line, whose words end with NUL. */
async function findCommands(line: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir("/proc").catch(() => []))
    if ((await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")) === line) found.push(pid);
  return found;
}
