import { readdir } from "node:fs/promises";
import { readProcStat } from "./proc-stat.ts";

/** A process, by its id and the time at which it started, which no later process with the same id has. */
interface KnownProcess {
  readonly pid: number;
  readonly startedAt: string;
}

/** Positions of fields in /proc/PID/stat, counted from the state of the process. */
const PARENT = 1;
const START_TIME = 19;

/**
 * Returns the processes that a process has started, directly or through others. A process that has left its group,
 * session and environment (`env -i setsid`) is found by its parent alone. Only Linux shows parents in this way; on other
 * systems the list is empty.
 */
export async function findDescendants(root: number): Promise<readonly KnownProcess[]> {
  if (process.platform !== "linux") return [];
  const children = new Map<number, KnownProcess[]>();
  for (const name of await readdir("/proc")) {
    const fields = /^\d+$/.test(name) ? await readProcStat(name) : undefined;
    const parent = Number(fields?.[PARENT]);
    const startedAt = fields?.[START_TIME];
    if (startedAt === undefined) continue;
    const siblings = children.get(parent) ?? [];
    siblings.push({ pid: Number(name), startedAt });
    children.set(parent, siblings);
  }
  const found: KnownProcess[] = [];
  const pending = [root];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop())
    for (const child of children.get(pid) ?? []) {
      found.push(child);
      pending.push(child.pid);
    }
  return found;
}

/** Kills processes that are still the ones that were found, and those that they have started since. */
export async function killAll(processes: readonly KnownProcess[]): Promise<void> {
  for (const { pid, startedAt } of processes) {
    if ((await readProcStat(pid))?.[START_TIME] !== startedAt) continue;
    const later = await findDescendants(pid);
    for (const { pid: one } of [{ pid }, ...later]) kill(one);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // There is nothing to kill, because the process exited by itself before the signal.
  }
}
