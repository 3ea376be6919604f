import { readFileSync } from "node:fs";

/** The most memory that a process ever held, in bytes; 0 where the system does not tell. */
export function peakMemoryOf(pid: number | null | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    // Gone, or no Linux.
    return 0;
  }
}
