import { readFileSync } from "node:fs";

/** Returns the peak memory of a process in bytes, or 0 if the system does not report it. */
export function peakMemoryOf(pid: number | null | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    // The process has ended, or the system is not Linux.
    return 0;
  }
}
