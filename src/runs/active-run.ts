import { rm } from "node:fs/promises";
import type { Command, ExecuteOptions } from "../exec/execute.ts";
import { LogWriter } from "../exec/log-writer.ts";
import type { LogTotals, RunEnd } from "../model/run.ts";
import { FindingsReader } from "./findings.ts";
import { reportPath } from "./log-files.ts";
import type { CommandPlan } from "./plan.ts";
import type { RunEnding, RunStore, StoredRun } from "./store.ts";

/** Runs a command to its end wherever that is: on this machine, or in a pool. */
export type Executor = (command: Command, options: ExecuteOptions) => Promise<RunEnd>;

interface ActiveRunOptions {
  readonly store: RunStore;
  readonly execute: Executor;
  readonly plan: CommandPlan;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** Whether machine-readable reports may be added. */
  readonly reports: boolean;
}

/** A run in progress in this process. */
export interface ActiveRun {
  readonly run: StoredRun;
  /** Resolves when its ending is stored. */
  readonly done: Promise<StoredRun>;
  readonly log: LogTotals;
  stop(): void;
  /** Resolves when what was captured so far can be read from its log. */
  flushed(): Promise<void>;
}

/** Starts a run that is already in the store, and sees to it that its ending gets there too. */
export async function startRun(run: StoredRun, options: ActiveRunOptions): Promise<ActiveRun> {
  const { plan, store } = options;
  const base = store.logBase(run);
  const findings = new FindingsReader({ cwd: run.cwd, expected: plan.expected, testsExpected: plan.isTest });
  const log = await LogWriter.create(base, { onStored: (stream, bytes) => findings.write(stream, bytes) });
  const abort = new AbortController();
  const reportFile = reportPath(base);
  const report = options.reports ? plan.report?.(reportFile) : undefined;
  const [program = plan.argv[0], ...args] = report?.argv ?? plan.argv;
  const finish = async (): Promise<StoredRun> => {
    const end = await executed(
      options.execute(
        { argv: [program, ...args], cwd: run.cwd, env: { ...options.env, ...report?.env } },
        {
          id: run.id,
          timeoutMs: options.timeoutMs,
          maxOutputBytes: options.maxOutputBytes,
          onOutput: (stream, chunk) => log.write(stream, chunk),
          signal: abort.signal,
        },
      ),
    );
    const totals = await log.end();
    const found = await findings.end(report === undefined ? undefined : reportFile);
    if (report !== undefined) await rm(reportFile, { force: true, recursive: true });
    const ending: RunEnding = {
      endedAt: Date.now(),
      end: withLogFailure(end, log.failure),
      log: totals,
      findings: found,
    };
    await store.finish(run.id, ending);
    return { ...run, ...ending };
  };
  const done = finish();
  // Whoever waits for it hears of a fault; nobody may be waiting yet.
  done.catch(() => undefined);
  return {
    run,
    done,
    get log() {
      return log.totals;
    },
    stop: () => abort.abort(),
    flushed: () => log.flushed(),
  };
}

function withLogFailure(end: RunEnd, failure: Error | undefined): RunEnd {
  if (failure === undefined) return end;
  return {
    ...end,
    detail: [end.detail, `Its log is incomplete: ${failure.message}.`].filter(Boolean).join(" "),
  };
}

/** A folder that vanished between the check and the start, a pool that cannot be reached: an ending like others. */
async function executed(running: Promise<RunEnd>): Promise<RunEnd> {
  try {
    return await running;
  } catch (error) {
    return { cause: "spawn_failed", detail: error instanceof Error ? error.message : String(error) };
  }
}
