import { constants } from "node:os";
import type { EndCause, RunEnd } from "../model/run.ts";

/** What shells use where a command has no exit code of its own. */
const CAUSE_CODES: Readonly<Partial<Record<EndCause, number>>> = {
  timed_out: 124,
  not_executable: 126,
  not_found: 127,
  cancelled: 130,
};

/** The exit code with which a shell would tell of this end. */
export function exitCodeOfEnd(end: RunEnd | undefined): number {
  if (end?.exitCode !== undefined) return end.exitCode;
  const signals: Readonly<Record<string, number>> = constants.signals;
  const signal = end?.cause === "signal" ? signals[end.signal ?? ""] : undefined;
  return signal === undefined ? (CAUSE_CODES[end?.cause ?? "exit"] ?? 1) : 128 + signal;
}
