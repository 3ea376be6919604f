import type { RawLine } from "../../logs/log-source.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { ActiveRun } from "../record/active-run.ts";
import type { RunLogs } from "../record/remote.ts";
import { describeWaiting } from "../../model/waiting.ts";
import { formatLine } from "./shown-line.ts";
import type { StoredRun } from "../record/store.ts";
import type { TestProgress } from "./test-progress.ts";

const PROGRESS_CHARACTERS = 80;
/** The most lines that are read per progress message. If a run writes faster, the count of its tests lags behind. */
const LINES_AT_ONCE = 4_000;

/** Describes a running command in one line: its lines of output so far, its tests and its duration. */
export function runProgress(
  { command, startedAt }: Pick<StoredRun, "command" | "startedAt">,
  { lines, tests = "" }: { readonly lines: number; readonly tests?: string },
): string {
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const facts = [pluralize(lines, "line"), tests, `${seconds} s`].filter(Boolean).join(", ");
  return `${command.slice(0, PROGRESS_CHARACTERS)}: ${facts}`;
}

export interface RunProgress {
  readonly message: string;
  /** True if no connected worker of the pool is able to execute the run. */
  readonly lacksWorker: boolean;
}

/**
 * Describes a running command: its progress, the tests done so far if the test runner prints them, and its last line.
 */
export async function progressOf(
  active: ActiveRun,
  logs: RunLogs,
  tests: TestProgress,
): Promise<RunProgress> {
  const waiting = await active.waiting?.();
  if (waiting !== undefined) {
    const seconds = Math.round((Date.now() - active.run.startedAt) / 1000);
    const message = `${active.run.command.slice(0, PROGRESS_CHARACTERS)}: ${describeWaiting(waiting)}, ${seconds} s`;
    return { message, lacksWorker: waiting.kind === "no_worker" };
  }
  const lines = await active.lines();
  const count = Math.min(LINES_AT_ONCE, lines - tests.lines);
  const fresh = count <= 0 ? [] : await linesOf(active, logs, { from: tests.lines + 1, count });
  const shown = fresh.map((line) => formatLine(line).text);
  for (const text of shown) tests.read(text);
  tests.lines += fresh.length;
  const last = tests.lastLine.trim().slice(0, PROGRESS_CHARACTERS);
  const progress = runProgress(active.run, { lines, tests: tests.text() });
  return { message: last === "" ? progress : `${progress}: ${last}`, lacksWorker: false };
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
