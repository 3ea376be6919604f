import type { Run } from "../../model/run.ts";
import type { RunReport } from "../../model/run-report.ts";
import { EVERY_TOOL, type Reader, spellAgain } from "../reader/reader.ts";
import { timeText } from "../time-text.ts";

/** Says that the command was not run again, and how to run it. */
export function reusedLines({ reused, run }: RunReport, reader: Reader = EVERY_TOOL): string[] {
  const again = spellAgain(reader, { force: true });
  const shared = sharedAnswer(run);
  if (shared !== undefined)
    return [
      `same tree as run ${shared.run} of ${shared.by} ${timeText(shared.ageMs)} before: its answer; ${again} runs again`,
    ];
  if (reused === undefined) return [];
  return [`same tree as run ${run.id} ${timeText(reused.ageMs)} ago: its answer; ${again} runs again`];
}

/** The same fact for programs. */
export function reusedFields({ reused, run }: RunReport): Readonly<Record<string, unknown>> {
  const shared = sharedAnswer(run);
  if (shared !== undefined)
    return {
      reused: {
        run: shared.run,
        by: shared.by,
        seconds_ago: Math.round(shared.ageMs / 1000),
        again: "force",
      },
    };
  return reused === undefined
    ? {}
    : { reused: { run: run.id, seconds_ago: Math.round(reused.ageMs / 1000), again: "force" } };
}

/** The run of somebody else in the pool whose answer a run has. */
function sharedAnswer({ end, endedAt }: Run) {
  const shared = end?.reused;
  return shared && { ...shared, ageMs: Math.max(0, (endedAt ?? shared.endedAt) - shared.endedAt) };
}
