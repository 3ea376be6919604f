import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { hasTag } from "./process-tag.ts";

/**
 * Upper bound on the passes over all processes. A process that is forked during a pass is found in the next one; a tree
 * that still grows after the last pass is left alone.
 */
const MAX_PASSES = 40;
/**
 * Number of passes in a row that must find nothing. A process that starts another one and exits while it is read is not
 * seen, and the other one is not on the list of this pass.
 */
const EMPTY_PASSES = 2;
/** Number of /proc entries that are read at once. */
const READS_PER_BATCH = 64;

/**
 * Returns the name of the environment variable that marks every process of a run. It contains the run's id, so a
 * process of a run inside another run has both marks.
 */
export function markerName(id: string): string {
  return `PITH_RUN_${id.toUpperCase()}`;
}

/**
 * Kills every process that has the marker in its environment, or its tag, even one that left its group, session or
 * parents. Returns how many were killed. Only Linux shows these of a process; on other systems nothing is done.
 */
export async function sweepMarked(marker: string): Promise<number> {
  const ended = new Set<number>();
  let empty = 0;
  for (let pass = 0; pass < MAX_PASSES && empty < EMPTY_PASSES; pass++) {
    const found = await findMarked(marker);
    empty = found.length === 0 ? empty + 1 : 0;
    for (const pid of found) if (endProcess(pid)) ended.add(pid);
    await delay(pass < 3 ? 2 : 20);
  }
  return ended.size;
}

/** Returns the numbers of the running processes that have the marker in their environment, or its tag. */
export async function findMarked(marker: string): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found: number[] = [];
  for (let start = 0; start < names.length; start += READS_PER_BATCH) {
    const batch = names.slice(start, start + READS_PER_BATCH);
    const carries = await Promise.all(batch.map((name) => hasMarker(name, marker)));
    for (const [i, name] of batch.entries()) if (carries[i]) found.push(Number(name));
  }
  return found;
}

/** A process that has dropped the environment of its run still has the tag. */
async function hasMarker(pid: string, marker: string): Promise<boolean> {
  return (await hasMarkerVariable(pid, marker)) || hasTag(pid, marker);
}

async function hasMarkerVariable(pid: string, marker: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => {
    // The environment cannot be read: the process has exited, or belongs to another user and thus not to a run.
    return "";
  });
  return `\0${environment}`.includes(`\0${marker}=`);
}

function endProcess(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    // There is nothing to kill, because the process exited by itself before the signal.
    return false;
  }
}
