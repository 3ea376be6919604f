import type { Services } from "../app/services.ts";
import { PithError } from "../kernel/errors.ts";
import { createSemaphore } from "../kernel/semaphore.ts";
import type { DeltaPart, RunDelta, RunReport } from "../model/run-report.ts";
import type { Run } from "../model/run.ts";
import { endOf, headLine, stateOf } from "../render/run/run-head.ts";
import type { DeltaCounts, RunRow, RunState, RunSummary } from "./wire.ts";

/** Upper bound on the runs per workspace that are listed. */
const MAX_LISTED = 200;
/** Upper bound on remembered summaries. A run that has ended does not change, so that its summary stays valid. */
const MAX_SUMMARIES = 2_000;
/** Reports that are made at the same time for the list. */
const CONCURRENT_REPORTS = 2;

/** The rows of the list of runs. What a row says about findings is computed once, after the row is first shown. */
export interface RunRows {
  list(): Promise<readonly RunRow[]>;
  row(run: Run): RunRow;
  /** Computes the summaries of these rows that are not known yet, and calls back for each. */
  summarize(rows: readonly RunRow[], onRow: (row: RunRow) => void): Promise<void>;
  /** Remembers the summary of a report that was made for another purpose. */
  note(report: RunReport): void;
}

interface Summarized {
  readonly state: RunState;
  readonly summary: RunSummary;
}

export function createRunRows(services: Services, workspaces: () => Promise<readonly string[]>): RunRows {
  const known = new Map<string, Summarized>();
  const permits = createSemaphore(CONCURRENT_REPORTS);
  const note = (report: RunReport): void => {
    if (report.run.end === undefined) return;
    const [oldest] = known.keys();
    if (known.size >= MAX_SUMMARIES && oldest !== undefined) known.delete(oldest);
    known.set(report.run.id, { state: wordOf(report), summary: summaryOf(report) });
  };
  const row = (run: Run): RunRow => {
    const { id, workspace, command, tool, host, startedAt, endedAt, log } = run;
    const found = known.get(id);
    return {
      id,
      workspace,
      command,
      ...(tool === undefined ? {} : { tool }),
      ...(host === undefined ? {} : { host }),
      startedAt,
      ...(endedAt === undefined ? {} : { endedAt }),
      state: found?.state ?? plainState(run),
      end: endOf(run),
      log,
      ...(found === undefined ? {} : { summary: found.summary }),
    };
  };
  return {
    note,
    row,
    async list() {
      const runs = await services.runs();
      const lists = await Promise.all((await workspaces()).map((one) => runs.list(one, MAX_LISTED)));
      const byId = new Map(lists.flat().map((run) => [run.id, run]));
      return [...byId.values()].sort((a, b) => b.startedAt - a.startedAt).map(row);
    },
    async summarize(rows, onRow) {
      const missing = rows.filter(({ id, endedAt }) => endedAt !== undefined && !known.has(id));
      const runs = await services.runs();
      await Promise.all(
        missing.map(({ id }) =>
          permits.run(async () => {
            const report = await reportIfThere(() => runs.report(id, "minimal"));
            if (report === undefined) return;
            note(report);
            onRow(row(report.run));
          }),
        ),
      );
    },
  };
}

/** Makes a report; undefined if the run or its log has been removed meanwhile, or cannot be read now. */
async function reportIfThere(report: () => Promise<RunReport>): Promise<RunReport | undefined> {
  try {
    return await report();
  } catch (error) {
    if (error instanceof PithError) return undefined;
    throw error;
  }
}

/** What the exit code alone says, until the findings have been read. */
function plainState({ end }: Run): RunState {
  if (end === undefined) return "running";
  if (end.cause === "cancelled") return "stopped";
  return end.cause === "exit" && end.exitCode === 0 ? "ended" : "failed";
}

const WORDS = { ok: "ok", UNCLEAR: "unclear", FAIL: "failed", "": "ended" } as const;

function wordOf(report: RunReport): RunState {
  return report.run.end?.cause === "cancelled" ? "stopped" : WORDS[stateOf(report)];
}

function summaryOf(report: RunReport): RunSummary {
  const { findings } = report.run;
  const tests = findings?.tests ?? [];
  const sum = (field: "passed" | "failed" | "skipped" | "total"): number =>
    tests.reduce((total, one) => total + one[field], 0);
  return {
    verdict: headLine(report),
    errors: findings?.counts.error ?? 0,
    warnings: findings?.counts.warning ?? 0,
    ...(tests.length === 0
      ? {}
      : {
          tests: {
            passed: sum("passed"),
            failed: sum("failed"),
            skipped: sum("skipped"),
            total: sum("total"),
          },
        }),
    ...(report.delta === undefined ? {} : { delta: countDelta(report.delta) }),
  };
}

export function countDelta({ fixed, gone, notRun, fresh, unchanged }: RunDelta): DeltaCounts {
  const size = ({ diagnostics, failures }: DeltaPart): number => diagnostics.length + failures.length;
  return {
    fixed: size(fixed),
    gone: size(gone),
    notRun: size(notRun),
    fresh: size(fresh),
    unchanged: size(unchanged),
  };
}
