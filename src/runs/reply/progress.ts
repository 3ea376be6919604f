import type { RawLine } from "../../logs/log-source.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { ActiveRun } from "../record/active-run.ts";
import type { RunLogs } from "../record/remote.ts";
import { shownLine } from "./shown-line.ts";
import type { StoredRun } from "../record/store.ts";
import type { TestProgress } from "./test-progress.ts";

const PROGRESS_CHARACTERS = 80;
/** Between two words of progress no more is read; a run that writes faster is followed at this pace. */
const LINES_AT_ONCE = 4_000;

/** What runs and how far it is. */
export function runProgress(
  { command, startedAt }: Pick<StoredRun, "command" | "startedAt">,
  { lines, tests = "" }: { readonly lines: number; readonly tests?: string },
): string {
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const facts = [pluralize(lines, "line"), tests, `${seconds} s`].filter(Boolean).join(", ");
  return `${command.slice(0, PROGRESS_CHARACTERS)}: ${facts}`;
}

/** What runs, how far it is, how many tests it has done where its runner tells, and its last line. */
export async function progressOf(active: ActiveRun, logs: RunLogs, tests: TestProgress): Promise<string> {
  const waiting = await active.waiting?.();
  if (waiting !== undefined) {
    const seconds = Math.round((Date.now() - active.run.startedAt) / 1000);
    return `${active.run.command.slice(0, PROGRESS_CHARACTERS)}: ${waiting}, ${seconds} s`;
  }
  const lines = await active.lines();
  const count = Math.min(LINES_AT_ONCE, lines - tests.lines);
  const fresh = count <= 0 ? [] : await linesOf(active, logs, { from: tests.lines + 1, count });
  const shown = fresh.map((line) => shownLine(line).text);
  for (const text of shown) tests.read(text);
  tests.lines += fresh.length;
  const last = tests.lastLine.trim().slice(0, PROGRESS_CHARACTERS);
  const progress = runProgress(active.run, { lines, tests: tests.text() });
  return last === "" ? progress : `${progress}: ${last}`;
}

async function linesOf(
  active: ActiveRun,
  logs: RunLogs,
  range: { readonly from: number; readonly count: number },
): Promise<readonly RawLine[]> {
  const reader = await logs.open(active.run);
  try {
    return (await reader?.lines({ ...range, stream: "both", maxLineBytes: 400 })) ?? [];
  } finally {
    await reader?.close();
  }
}
