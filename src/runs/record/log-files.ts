import { existsSync, rmSync } from "node:fs";
import { enclosedFolder } from "../../exec/isolation/enclosure.ts";
import { LogReader } from "../../logs/log-reader.ts";
import type { LogSource } from "../../logs/log-source.ts";
import { logPaths } from "../../logs/log-format.ts";
import { endingPath } from "./ending-file.ts";

/** Opens the log of a run; undefined if its files do not exist. */
export function openLogFiles(base: string): Promise<LogSource | undefined> {
  return LogReader.open(base);
}

/** Checks whether any file of a run's log or its result exists. */
export function hasLogFiles(base: string): boolean {
  return [...Object.values(logPaths(base)), endingPath(base)].some((path) => existsSync(path));
}

/** Removes the files of a run's log. A reader that has them open can still read them. */
export function removeLog(base: string): void {
  rmSync(reportPath(base), { force: true, recursive: true });
  rmSync(enclosedFolder(base), { force: true, recursive: true });
  for (const path of [...Object.values(logPaths(base)), endingPath(base)]) rmSync(path, { force: true });
}

/** The path to which a build tool writes its machine-readable report during the run. */
export function reportPath(base: string): string {
  return `${base}.report`;
}
