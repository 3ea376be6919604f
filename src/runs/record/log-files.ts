import { existsSync, rmSync } from "node:fs";
import { LogReader } from "../../logs/log-reader.ts";
import type { LogSource } from "../../logs/log-source.ts";
import { logPaths } from "../../logs/log-format.ts";

/** Undefined where there are no such files. */
export function openLogFiles(base: string): Promise<LogSource | undefined> {
  return LogReader.open(base);
}

/** Whether there is anything of a log. */
export function hasLogFiles(base: string): boolean {
  return Object.values(logPaths(base)).some((path) => existsSync(path));
}

/** Removes the files of a log. One that somebody still reads stays readable to them. */
export function removeLog(base: string): void {
  rmSync(reportPath(base), { force: true, recursive: true });
  for (const path of Object.values(logPaths(base))) rmSync(path, { force: true });
}

/** Where a tool writes its machine-readable report, while it runs. */
export function reportPath(base: string): string {
  return `${base}.report`;
}
