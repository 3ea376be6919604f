import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { readProcStat } from "../../src/exec/proc-stat.ts";
import { canTag, withTag } from "../../src/exec/process-tag.ts";
import { findMarked, markerName, sweepMarked } from "../../src/exec/sweep.ts";
import { randomId } from "../../src/kernel/ids.ts";

const canSeeTags = process.platform === "linux" && (await canTag());

it.runIf(canSeeTags)(
  "a process that has exited is not left over, even if nobody has asked for its exit code",
  async () => {
    const marker = markerName(randomId(12));
    const tagged = (...argv: [string, ...string[]]): string =>
      withTag(argv, marker, { cwd: "/", env: { PATH: process.env["PATH"] ?? "" } }).join(" ");
    // The shell becomes a program that asks for no exit codes, and only then its child ends, with the end of the input.
    const script = `exec 3<&0; ${tagged("cat")} <&3 & echo $!; exec sleep 600 3<&-`;
    const parent = spawn("sh", ["-c", script], { stdio: "pipe" });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const pid = String((await once(parent.stdout, "data"))[0]).trim();
    while (readFileSync(`/proc/${parent.pid}/comm`, "utf8") !== "sleep\n") await delay(5);
    while (!(await findMarked(marker)).includes(Number(pid))) await delay(5);
    parent.stdin.end();
    while ((await readProcStat(pid))?.[0] !== "Z") await delay(5);
    expect(await findMarked(marker)).toEqual([]);
    expect(await sweepMarked(marker)).toBe(0);

    const left = spawn("sh", ["-c", `exec ${tagged("sleep", "600")}`]);
    while ((await findMarked(marker)).length === 0) await delay(5);
    const ended = once(left, "exit");
    expect(await sweepMarked(marker)).toBe(1);
    await ended;
  },
);

/** A shell that starts another one and exits, several times, before the last one becomes a program that stays. */
const CHAIN = `if [ "$1" -gt 0 ]; then sh -c "$CHAIN" chain $(($1 - 1)) & exit 0; fi; exec sleep 600`;
/** Often enough that a sweep of one pass over all processes misses some, as it does in every sixth round. */
const ROUNDS = 30;

it.runIf(process.platform === "linux")("a process is found whose parent exits while it is read", async () => {
  const left: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const marker = markerName(randomId(12));
    const env = { ...process.env, [marker]: "1", CHAIN };
    spawn("sh", ["-c", CHAIN, "chain", "3"], { env, stdio: "ignore", detached: true }).unref();
    await delay(round % 12);
    await sweepMarked(marker);
    await delay(20);
    for (const pid of await findMarked(marker)) {
      left.push(pid);
      process.kill(pid, "SIGKILL");
    }
  }
  expect(left).toEqual([]);
});
