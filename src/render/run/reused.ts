import type { RunReport } from "../../model/run-report.ts";
import { EVERY_TOOL, type Reader, spellAgain } from "../reader/reader.ts";
import { timeText } from "../time-text.ts";

/** Says that the command was not run again, and how to run it. */
export function reusedLines({ reused, run }: RunReport, reader: Reader = EVERY_TOOL): string[] {
  if (reused === undefined) return [];
  const again = spellAgain(reader, { force: true });
  return [`same tree as run ${run.id} ${timeText(reused.ageMs)} ago: its answer; ${again} runs again`];
}

/** The same fact for programs. */
export function reusedFields({ reused, run }: RunReport): Readonly<Record<string, unknown>> {
  return reused === undefined
    ? {}
    : { reused: { run: run.id, seconds_ago: Math.round(reused.ageMs / 1000), again: "force" } };
}
