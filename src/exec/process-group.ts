import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { errnoOf } from "../kernel/errors.ts";
import { readProcStat } from "./proc-stat.ts";

/** True if a child can lead its own process group, so that one signal reaches all processes that it started. */
export const HAS_GROUPS = process.platform !== "win32";

/** Sends a signal to a child's process group; false if no process of the group is left. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  if (!HAS_GROUPS) return endTreeOnWindows(pid);
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // EPERM means that a process is left but may not be signalled, such as a set-user-id child.
    return errnoOf(error) === "EPERM";
  }
}

/** Returns whether a group has a process that is not a zombie. In a container without an init, zombies are never reaped. */
export async function isGroupAlive(pid: number): Promise<boolean> {
  try {
    process.kill(HAS_GROUPS ? -pid : pid, 0);
  } catch (error) {
    return errnoOf(error) === "EPERM";
  }
  // If /proc cannot be read, zombies cannot be told from living processes, so the group counts as alive.
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

/** Kills a process tree on Windows, which has no signals: taskkill follows the parent ids. */
export function endTreeOnWindows(pid: number): boolean {
  const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
  // If taskkill is missing, nothing is done: the child usually exits when its pipes close.
  killer.on("error", () => killer.unref());
  return true;
}
