import { readFile } from "node:fs/promises";

/**
 * Returns the memory of a process in kilobytes; what it shares with others is divided between them. Only Linux tells it;
 * elsewhere, and for a process that has ended, it is 0.
 */
export async function processMemoryKb(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "latin1").catch(() => "");
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0);
}
