import { constants } from "node:os";
import type { EndCause, RunEnd } from "./run.ts";

/**
 * The exit codes by which shells and coreutils report that a command has no exit code of its own, for example after a
 * timeout.
 */
const CAUSE_CODES: Readonly<Partial<Record<EndCause, number>>> = {
  timed_out: 124,
  not_executable: 126,
  not_found: 127,
  cancelled: 130,
};

/** Returns the exit code that a shell would report for a run; every run that has ended has one. */
export function exitCodeOf(end: RunEnd): number {
  if (end.exitCode !== undefined) return end.exitCode;
  const signals: Readonly<Record<string, number>> = constants.signals;
  const signal = end.cause === "signal" ? signals[end.signal ?? ""] : undefined;
  return signal === undefined ? (CAUSE_CODES[end.cause] ?? 1) : 128 + signal;
}

/** Returns the exit code of the whole command line in a shell, whatever its individual stages returned. */
export function lineExitCodeOf(end: RunEnd): number {
  return end.lineExitCode ?? exitCodeOf(end);
}
