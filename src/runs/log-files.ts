import { rmSync } from "node:fs";
import { logPaths } from "../exec/log-format.ts";

/** Removes the files of a log. One that somebody still reads stays readable to them. */
export function removeLog(base: string): void {
  rmSync(reportPath(base), { force: true, recursive: true });
  for (const path of Object.values(logPaths(base))) rmSync(path, { force: true });
}

/** Where a tool writes its machine-readable report, while it runs. */
export function reportPath(base: string): string {
  return `${base}.report`;
}
