import { readFile } from "node:fs/promises";
import { errnoOf } from "../kernel/errors.ts";
import { readProcStat } from "./proc-stat.ts";
import { runProcess } from "./run-process.ts";

/**
 * Returns a text that identifies a process by its start time and the boot of the machine, so that a later process with
 * the same number is not mistaken for it. Undefined if there is no such process.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") return linuxIdentity(pid);
  if (!isRunning(pid)) return undefined;
  if (process.platform === "win32") return String(pid);
  const { stdout } = await runProcess(["ps", "-o", "lstart=", "-p", String(pid)]);
  return `${pid} ${stdout.toString("utf8").trim()}`;
}

async function linuxIdentity(pid: number): Promise<string | undefined> {
  const [stat, boot] = await Promise.all([
    readProcStat(pid),
    readFile("/proc/sys/kernel/random/boot_id", "utf8"),
  ]);
  // The fields come from /proc/PID/stat: field 0 is the state (Z for a zombie), field 19 the start time.
  return stat === undefined || stat[0] === "Z" ? undefined : `${pid} ${stat[19]} ${boot.trim()}`;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) === "EPERM";
  }
}
