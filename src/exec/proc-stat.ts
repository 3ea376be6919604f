import { readFile } from "node:fs/promises";
import { errnoOf } from "../kernel/errors.ts";

/** The fields of /proc/PID/stat on Linux from the state on; undefined if there is no such process. */
export async function readProcStat(pid: number | string): Promise<readonly string[] | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1");
    // The program's name is in parentheses and may contain anything, so the fields are counted from the last
    // parenthesis.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ESRCH") return undefined;
    throw error;
  }
}
