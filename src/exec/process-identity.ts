import { readFile } from "node:fs/promises";
import { errnoOf } from "../kernel/errors.ts";
import { runProcess } from "./run-process.ts";

/**
 * What tells a process from a later one with the same id: when it started, and in which boot. Undefined when there is
 * no such process now.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") return linuxIdentity(pid);
  if (!isRunning(pid)) return undefined;
  if (process.platform === "win32") return String(pid);
  const { stdout } = await runProcess(["ps", "-o", "lstart=", "-p", String(pid)]);
  return `${pid} ${stdout.toString("utf8").trim()}`;
}

async function linuxIdentity(pid: number): Promise<string | undefined> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "utf8"),
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
    ]);
    // The program's name stands in brackets and may hold anything: count the fields behind it. State, then the start.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : `${pid} ${fields[19]} ${boot.trim()}`;
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ESRCH") return undefined;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) === "EPERM";
  }
}
