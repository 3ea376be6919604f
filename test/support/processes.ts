import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface SeenProcess {
  readonly pid: number;
  /** The program and its arguments, separated by spaces. */
  readonly command: string;
}

/** Returns the other processes whose environment contains this text, from Linux's /proc. A process may end at any time. */
export function processesNaming(text: string): SeenProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => readOf(name, "environ").includes(text))
    .map((name) => ({
      pid: Number(name),
      command: readOf(name, "cmdline").split("\0").join(" ").trim(),
    }));
}

/** Returns once no such process is left; the test's timeout ends a wait that never succeeds. */
export async function untilNoneNames(text: string): Promise<void> {
  while (processesNaming(text).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

function readOf(pid: string, file: string): string {
  try {
    return readFileSync(join("/proc", pid, file), "latin1");
  } catch {
    // The process has ended, or belongs to another user.
    return "";
  }
}
