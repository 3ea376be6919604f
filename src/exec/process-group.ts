import { spawn } from "node:child_process";
import { errnoOf } from "../kernel/errors.ts";

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

/** Windows has no signals: taskkill walks the tree by parent ids and ends it. */
export function endTreeOnWindows(pid: number): boolean {
  const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
  // Without taskkill the child at least ends when its pipes close.
  killer.on("error", () => killer.unref());
  return true;
}
