import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { errnoOf } from "../kernel/errors.ts";
import { readProcStat } from "./proc-stat.ts";

/** Whether a child can be made the leader of its own group, so that one signal reaches all it started. */
export const HAS_GROUPS = process.platform !== "win32";

/** Sends a signal to a detached child and all that stayed in its group; false when none of them is left. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  if (!HAS_GROUPS) return endTreeOnWindows(pid);
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // EPERM: something is left, but it is no longer ours to signal (a set-user-id child).
    return errnoOf(error) === "EPERM";
  }
}

/** Whether anything of a group still works. Dead ones that nobody collects, as in a container without an init, do not. */
export async function isGroupAlive(pid: number): Promise<boolean> {
  try {
    process.kill(HAS_GROUPS ? -pid : pid, 0);
  } catch (error) {
    return errnoOf(error) === "EPERM";
  }
  // Where /proc cannot be read, all that is known is that the group is there.
  return process.platform !== "linux" || hasLivingMember(pid).catch(() => true);
}

async function hasLivingMember(group: number): Promise<boolean> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  for (const name of names) if (await isLivingMember(name, group)) return true;
  return false;
}

async function isLivingMember(pid: string, group: number): Promise<boolean> {
  const [state, , itsGroup] = (await readProcStat(pid)) ?? [];
  return itsGroup === String(group) && state !== "Z" && state !== "X";
}

/** Windows has no signals: taskkill walks the tree by parent ids and ends it. */
export function endTreeOnWindows(pid: number): boolean {
  const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
  // Without taskkill the child at least ends when its pipes close.
  killer.on("error", () => killer.unref());
  return true;
}
