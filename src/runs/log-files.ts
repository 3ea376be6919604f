import { rmSync } from "node:fs";
import { logPaths } from "../exec/log-format.ts";

/** Removes the files of a log. One that somebody still reads stays readable to them. */
export function removeLog(base: string): void {
  for (const path of Object.values(logPaths(base))) rmSync(path, { force: true });
}
