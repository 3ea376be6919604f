import { exitCodeOf } from "../../model/exit-code.ts";
import type { Run } from "../../model/run.ts";

/**
 * The JSON fields that say how a run ended. An ended run always has an exit code and a duration, a running one only a
 * duration.
 */
export function outcomeFields(
  run: Pick<Run, "end" | "startedAt" | "endedAt">,
  exitCodeName: "exitCode" | "exit_code" = "exit_code",
): Readonly<Record<string, unknown>> {
  const { end } = run;
  if (end === undefined) return { duration_ms: durationOf(run) };
  return {
    [exitCodeName]: exitCodeOf(end),
    ...(end.lineExitCode === undefined
      ? {}
      : { [exitCodeName === "exitCode" ? "lineExitCode" : "line_exit_code"]: end.lineExitCode }),
    ...(end.cause === "exit" ? {} : { cause: end.cause }),
    ...(end.signal === undefined ? {} : { signal: end.signal }),
    ...(end.cause === "timed_out" ? { timed_out: true } : {}),
    duration_ms: durationOf(run),
  };
}

/**
 * Milliseconds from the start of a run to its end, or until now if it is running. They are not negative even if the
 * clock was set back.
 */
export function durationOf({ startedAt, endedAt }: Pick<Run, "startedAt" | "endedAt">): number {
  return Math.max(0, Math.round((endedAt ?? Date.now()) - startedAt));
}
