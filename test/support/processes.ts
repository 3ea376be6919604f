import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface SeenProcess {
  readonly pid: number;
  /** Program and arguments, separated by spaces. */
  readonly command: string;
}

/** The other processes whose environment holds this text, by Linux's /proc. One may end between two looks at it. */
export function processesNaming(text: string): SeenProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => readOf(name, "environ").includes(text))
    .map((name) => ({
      pid: Number(name),
      command: readOf(name, "cmdline").split("\0").join(" ").trim(),
    }));
}

/** Comes back once no such process is left; the test's own timeout ends a wait in vain. */
export async function untilNoneNames(text: string): Promise<void> {
  while (processesNaming(text).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

function readOf(pid: string, file: string): string {
  try {
    return readFileSync(join("/proc", pid, file), "latin1");
  } catch {
    // Ended in between, or not ours to look at.
    return "";
  }
}
