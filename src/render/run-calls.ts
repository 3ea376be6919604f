import type { StreamName } from "../model/run.ts";
import { endColumn, type PageLine } from "./line-page.ts";

/** Where a reply is read: by whoever calls tools, or in a shell, where one need not know them. */
export type Door = "tool" | "shell";

/** The calls that show more of a run. */
export interface RunCalls {
  readonly log: string;
  /** The lines of a range, counted in one stream or over both. */
  readonly lines: (from: number | "A", to: number | "B", stream?: StreamName) => string;
  /** What follows the text of a line that is shown in part. */
  readonly restOf: (line: PageLine, stream?: StreamName) => string;
  readonly follow: string;
  readonly stop: string;
}

/** The calls for a run as its reader makes them. */
export function callsOf(runId: string, door: Door = "tool"): RunCalls {
  if (door === "shell") {
    const log = `pith logs ${runId}`;
    return {
      log,
      lines: (from, to, stream) =>
        `${log} --lines ${from}-${to}${stream === undefined ? "" : ` --stream ${stream}`}`,
      restOf: (line, stream) =>
        `--lines ${line.number} --column ${endColumn(line)}${stream === undefined ? "" : ` --stream ${stream}`}`,
      follow: `${log} --wait 40`,
      stop: `pith runs --stop ${runId}`,
    };
  }
  const log = `build action=log runId=${runId}`;
  return {
    log,
    lines: (from, to, stream) =>
      `${log} startLine=${from} endLine=${to}${stream === undefined ? "" : ` stream=${stream}`}`,
    restOf: (line, stream) =>
      `log startLine=${line.number} column=${endColumn(line)}${stream === undefined ? "" : ` stream=${stream}`}`,
    follow: `${log} wait_ms=40000`,
    stop: `build action=stop runId=${runId}`,
  };
}
