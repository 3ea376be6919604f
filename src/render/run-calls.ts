/** Where a reply is read: by whoever calls tools, or in a shell, where one need not know them. */
export type Door = "tool" | "shell";

/** The calls that show more of a run. */
export interface RunCalls {
  readonly log: string;
  /** From a line on. */
  from(line: number | "N"): string;
  readonly follow: string;
  readonly stop: string;
}

/** The calls for a run as its reader makes them. */
export function callsOf(runId: string, door: Door = "tool"): RunCalls {
  if (door === "shell") {
    const log = `pith logs ${runId}`;
    return {
      log,
      from: (line) => `${log} --lines ${line}-`,
      follow: `${log} --wait 40`,
      stop: `pith runs --stop ${runId}`,
    };
  }
  const log = `build action=log runId=${runId}`;
  return {
    log,
    from: (line) => `${log} startLine=${line}`,
    follow: `${log} wait_ms=40000`,
    stop: `build action=stop runId=${runId}`,
  };
}
