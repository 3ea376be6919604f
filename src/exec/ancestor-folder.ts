import { readlink } from "node:fs/promises";
import { errnoOf } from "../kernel/errors.ts";
import { readProcStat } from "./proc-stat.ts";

/** Position of the parent's process id among the fields of `readProcStat`. */
const PARENT = 1;

/**
 * Returns the working folder of the nearest ancestor process that works outside the given folder; undefined where the
 * platform does not tell.
 */
export async function ancestorFolderOutside(folder: string): Promise<string | undefined> {
  for (let pid = process.ppid; pid > 1; pid = Number((await readProcStat(pid))?.[PARENT] ?? 0)) {
    const found = await workingFolder(pid);
    if (found === undefined) return undefined;
    if (found !== folder && !found.startsWith(`${folder}/`)) return found;
  }
  return undefined;
}

async function workingFolder(pid: number): Promise<string | undefined> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch (error) {
    // There is no /proc here, the process has ended, or it belongs to another user.
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}
