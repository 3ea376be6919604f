import { processMemoryKb } from "../exec/process-memory.ts";
import { runProcess } from "../exec/run-process.ts";
import { findMarked, markerName } from "../exec/sweep.ts";

/** What the processes of a job may use together on this machine; 0 for no limit. */
export interface JobLimits {
  readonly timeMs: number;
  readonly memoryMb: number;
  readonly processes: number;
  /** The size of the job's folder, with what was installed in it. */
  readonly diskMb: number;
}

/** How often the processes of a job are looked at. */
const LOOK_MS = 500;
/** Counting the files of a folder takes longer, so it is done less often. */
const LOOKS_PER_DISK_LOOK = 6;
const DISK_TIMEOUT_MS = 30_000;
const KB_PER_MB = 1024;

/**
 * Watches the processes and files of a job and reports the first limit that they exceed. Only Linux shows which
 * processes belong to a job; elsewhere only the folder is watched. The returned function ends the watch.
 */
export function watchLimits(
  limits: JobLimits,
  { root, marker }: { readonly root: string; readonly marker: string },
  onExceeded: (detail: string) => void,
): () => void {
  if (limits.memoryMb + limits.processes + limits.diskMb === 0) return () => undefined;
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const look = async (): Promise<void> => {
    // What cannot be measured now, because a process has just ended, is measured the next time.
    const exceeded =
      (await exceededByProcesses(limits, marker).catch(() => undefined)) ??
      (looks++ % LOOKS_PER_DISK_LOOK === 0
        ? await exceededByFiles(limits, root).catch(() => undefined)
        : undefined);
    if (hasEnded) return;
    if (exceeded === undefined) again();
    else onExceeded(exceeded);
  };
  const again = (): void => {
    timer = setTimeout(() => void look(), LOOK_MS);
    timer.unref();
  };
  again();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
}

async function exceededByProcesses(
  { memoryMb, processes }: JobLimits,
  marker: string,
): Promise<string | undefined> {
  if (memoryMb + processes === 0) return undefined;
  const pids = await findMarked(markerName(marker));
  if (processes > 0 && pids.length > processes)
    return `it had ${pids.length} processes at once, and this worker allows ${processes}`;
  if (memoryMb === 0) return undefined;
  const kilobytes = await Promise.all(pids.map(processMemoryKb));
  const used = Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / KB_PER_MB);
  return used > memoryMb ? `it used ${used} MB of memory, and this worker allows ${memoryMb}` : undefined;
}

async function exceededByFiles({ diskMb }: JobLimits, root: string): Promise<string | undefined> {
  if (diskMb === 0) return undefined;
  const { stdout } = await runProcess(["du", "-skx", root], { timeoutMs: DISK_TIMEOUT_MS });
  const used = Math.round(Number(/^\d+/.exec(stdout.toString("utf8"))?.[0] ?? 0) / KB_PER_MB);
  return used > diskMb ? `its folder grew to ${used} MB, and this worker allows ${diskMb}` : undefined;
}
