import { existsSync, rmSync } from "node:fs";
import { LogReader } from "../../logs/log-reader.ts";
import type { LogSource } from "../../logs/log-source.ts";
import { logPaths } from "../../logs/log-format.ts";

/** Opens a log; undefined if its files do not exist. */
export function openLogFiles(base: string): Promise<LogSource | undefined> {
  return LogReader.open(base);
}

/** Returns whether any file of a log exists. */
export function hasLogFiles(base: string): boolean {
  return Object.values(logPaths(base)).some((path) => existsSync(path));
}

/** Removes the files of a log. A reader that has them open can still read them. */
export function removeLog(base: string): void {
  rmSync(reportPath(base), { force: true, recursive: true });
  for (const path of Object.values(logPaths(base))) rmSync(path, { force: true });
}

/** The path to which a tool writes its machine-readable report during the run. */
export function reportPath(base: string): string {
  return `${base}.report`;
}
