import { readFile } from "node:fs/promises";
import { errnoOf } from "../kernel/errors.ts";

/** What Linux says of a process: its state, parent, group and so on, in its own order. Undefined where there is no such process. */
export async function readProcStat(pid: number | string): Promise<readonly string[] | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1");
    // The program's name stands in brackets and may hold anything: the fields behind it are counted.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ESRCH") return undefined;
    throw error;
  }
}
