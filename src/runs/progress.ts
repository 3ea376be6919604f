import type { ActiveRun } from "./active-run.ts";
import type { RunLogs } from "./remote.ts";
import { shownLine } from "./shown-line.ts";

const PROGRESS_CHARACTERS = 80;

/** What runs, how far it is, and its last line: where a runner counts its tests, that is where it does. */
export async function progressOf(active: ActiveRun, logs: RunLogs): Promise<string> {
  const seconds = Math.round((Date.now() - active.run.startedAt) / 1000);
  const waiting = await active.waiting?.();
  if (waiting !== undefined)
    return `${active.run.command.slice(0, PROGRESS_CHARACTERS)}: ${waiting}, ${seconds} s`;
  const lines = await active.lines();
  const reader = await logs.open(active.run);
  const [last] =
    (await reader?.lines({ stream: "both", from: Math.max(1, lines), count: 1, maxLineBytes: 400 })) ?? [];
  await reader?.close();
  const text = last === undefined ? "" : shownLine(last).text.trim().slice(0, PROGRESS_CHARACTERS);
  const head = `${active.run.command.slice(0, PROGRESS_CHARACTERS)}: ${lines} lines, ${seconds} s`;
  return text === "" ? head : `${head}: ${text}`;
}
