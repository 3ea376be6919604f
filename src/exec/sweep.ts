import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** Processes that fork while they are swept show up in the next pass; a tree that still grows after these is given up. */
const MAX_PASSES = 40;
/** How many /proc entries are read at once. */
const BATCH = 64;

/** The environment variable that marks every process of a run. The name holds the id, so that nested runs keep both. */
export function markerName(id: string): string {
  return `PITH_RUN_${id.toUpperCase()}`;
}

/**
 * Ends every process that carries the marker in its environment, wherever it moved: out of the group, into its own
 * session, away from its parents. Returns how many were ended. Only Linux shows environments; elsewhere it does nothing.
 */
export async function sweepMarked(marker: string): Promise<number> {
  const ended = new Set<number>();
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const found = await findMarked(marker);
    if (found.length === 0) break;
    for (const pid of found) if (endProcess(pid)) ended.add(pid);
    await delay(pass < 3 ? 2 : 20);
  }
  return ended.size;
}

/** The ids of the living processes that carry the marker. */
export async function findMarked(marker: string): Promise<number[]> {
  if (process.platform !== "linux") return [];
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found: number[] = [];
  for (let start = 0; start < names.length; start += BATCH) {
    const batch = names.slice(start, start + BATCH);
    const carries = await Promise.all(batch.map((name) => hasMarker(name, marker)));
    for (const [i, name] of batch.entries()) if (carries[i]) found.push(Number(name));
  }
  return found;
}

async function hasMarker(pid: string, marker: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => {
    // Gone meanwhile, or another user's: not one of ours.
    return "";
  });
  return `\0${environment}`.includes(`\0${marker}=`);
}

function endProcess(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself between the look and the signal.
    return false;
  }
}
