import { constants } from "node:os";
import type { EndCause, RunEnd } from "./run.ts";

/** The codes that shells and coreutils use where a command has no exit code of its own. */
const CAUSE_CODES: Readonly<Partial<Record<EndCause, number>>> = {
  timed_out: 124,
  not_executable: 126,
  not_found: 127,
  cancelled: 130,
};

/** The exit code with which a shell would report this end. Every run that has ended has one. */
export function exitCodeOf(end: RunEnd): number {
  if (end.exitCode !== undefined) return end.exitCode;
  const signals: Readonly<Record<string, number>> = constants.signals;
  const signal = end.cause === "signal" ? signals[end.signal ?? ""] : undefined;
  return signal === undefined ? (CAUSE_CODES[end.cause] ?? 1) : 128 + signal;
}

/** The exit code that the command line itself had in a shell, whatever its stages did. */
export function lineExitCodeOf(end: RunEnd): number {
  return end.lineExitCode ?? exitCodeOf(end);
}
