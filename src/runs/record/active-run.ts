import { rm } from "node:fs/promises";
import type { ExecuteOptions, ExecutionEnd } from "../../exec/execute.ts";
import type { Command } from "../../exec/spawn-command.ts";
import { LogWriter } from "../../logs/log-writer.ts";
import type { Masked } from "../../model/masked.ts";
import type { RunEnd, RunFindings, StreamName } from "../../model/run.ts";
import { nearestText } from "../../workspace/files/folder-files.ts";
import type { FindingsReader } from "./findings.ts";
import { type RecordedCommand, recordCommand } from "../shell/recorded-command.ts";
import { judgeStages } from "../shell/stage-verdict.ts";
import type { RunEnding, RunStore, StoredRun } from "./store.ts";
import { ViewKeeper } from "../shell/view-keeper.ts";

/** Runs a command to its end wherever that is: on this machine, or in a pool. */
export type Executor = (command: Command, options: ExecuteOptions) => Promise<ExecutionEnd>;

/** All that is needed to carry out a run that is in the store, as plain data. */
export interface RunOrder {
  readonly run: StoredRun;
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** Ids of the parsers that surely fit. */
  readonly expected: readonly string[];
  readonly testsExpected: boolean;
  /** Said beside its result. */
  readonly note?: string;
  /** Both streams into one, so that the order between them is kept. */
  readonly isMerged?: boolean;
  /** Where the command writes a machine-readable report. */
  readonly reportFile?: string;
}

/** A run in progress. */
export interface ActiveRun {
  readonly run: StoredRun;
  /** Whether it goes on when this process ends. */
  readonly detached: boolean;
  /** Resolves when its ending is stored. */
  readonly done: Promise<unknown>;
  stop(): void;
  /** How many lines it has written; these can be read from its log. */
  lines(): Promise<number>;
  /** Why it does not run yet, where it has to wait. */
  waiting?(): Promise<string | undefined>;
}

interface ActiveRunDependencies {
  readonly store: Pick<RunStore, "finish" | "logBase"> & Partial<Pick<RunStore, "stopAsked">>;
  readonly execute: Executor;
  /** Sees what is stored, in the same order and pieces. */
  readonly onStored?: (stream: StreamName, bytes: Buffer) => void;
  /** Where the workspace's files are, when it is not where the run says. */
  readonly files?: Pick<StoredRun, "cwd" | "workspace">;
}

/** How often the store is asked whether somebody wants the run to end. */
const STOP_MS = 250;

/** Carries out a run in this process, and sees to it that its ending gets into the store. */
export async function startRun(
  order: RunOrder,
  dependencies: ActiveRunDependencies,
): Promise<ActiveRun & { readonly done: Promise<RunEnding> }> {
  const { store, execute } = dependencies;
  const { run } = order;
  const files = dependencies.files ?? run;
  // With all parsers behind it: loaded with the first run, not with the server.
  const { FindingsReader: Reader } = await import("./findings.ts");
  const tasksJson = nearestText(files.cwd, files.workspace, ".vscode/tasks.json");
  const findings = new Reader({
    ...order,
    cwd: run.cwd,
    filesAt: files.cwd,
    ...(tasksJson === undefined ? {} : { tasksJson }),
  });
  const log = await LogWriter.create(store.logBase(run), {
    onStored(stream, bytes) {
      findings.write(stream, bytes);
      dependencies.onStored?.(stream, bytes);
    },
  });
  const recorded = recordCommand(order.argv, { path: order.env["PATH"] ?? "", files: store.logBase(run) });
  const view = new ViewKeeper();
  const abort = new AbortController();
  const finish = async (): Promise<RunEnding> => {
    const command = commandOf(order, files.cwd, recorded);
    const options: ExecuteOptions = {
      id: run.id,
      timeoutMs: order.timeoutMs,
      maxOutputBytes: order.maxOutputBytes,
      onOutput(stream, chunk, part = "both") {
        view.write(stream, chunk, part);
        return part === "view" ? undefined : log.write(stream, chunk);
      },
      signal: abort.signal,
    };
    const end = await untilStopped({ run, store, abort }, () => execute(command, options));
    const ending = await endingOf(end, { order, log, findings, recorded, view });
    await store.finish(run.id, ending);
    return ending;
  };
  const done = finish();
  // Whoever waits for it hears of a fault; nobody may be waiting yet.
  done.catch(() => undefined);
  return {
    run,
    detached: false,
    done,
    stop: () => abort.abort(),
    async lines() {
      await log.flushed();
      return log.totals.lines;
    },
  };
}

function commandOf(
  { argv, env, isMerged }: RunOrder,
  cwd: string,
  recorded: RecordedCommand | undefined,
): Command {
  return {
    argv,
    cwd,
    env,
    ...(recorded !== undefined && "argv" in recorded ? { recorded: recorded.argv } : {}),
    ...(isMerged ? { isMerged } : {}),
  };
}

/** The same, and whoever wants to sees the output as it comes. */
export function watched(
  execute: Executor,
  onOutput: ((stream: StreamName, chunk: Buffer) => void) | undefined,
): Executor {
  if (onOutput === undefined) return execute;
  return (command, options) =>
    execute(command, {
      ...options,
      onOutput(stream, chunk, part) {
        if (part !== "record") onOutput(stream, chunk);
        return options.onOutput(stream, chunk, part);
      },
    });
}

interface Ended {
  readonly order: RunOrder;
  readonly log: LogWriter;
  readonly findings: FindingsReader;
  readonly recorded: RecordedCommand | undefined;
  readonly view: ViewKeeper;
}

/** Whatever else fails now: how the command ended is not lost by it. */
async function endingOf(end: ExecutionEnd, ended: Ended): Promise<RunEnding> {
  const { order, log, findings, recorded } = ended;
  const totals = await log.end();
  const found = await findings.end(order.reportFile).catch(faultOf);
  const view = ended.view.end(log.secrets);
  const created = recorded !== undefined && "files" in recorded ? recorded.files : [];
  // One that cannot be removed now goes with the log.
  for (const file of [...created, ...(order.reportFile === undefined ? [] : [order.reportFile])])
    await rm(file, { force: true, recursive: true }).catch(() => undefined);
  const unread = found instanceof Error ? `Its output was not read for errors: ${found.message}.` : undefined;
  const unwritten = log.failure && `Its log is incomplete: ${log.failure.message}.`;
  return {
    endedAt: Date.now(),
    end: withNotes(judgeStages(end, recorded), [order.note, unwritten, unread]),
    log: totals,
    ...(!(found instanceof Error) && {
      findings: { ...withMasked(found, log.masked), ...(view !== undefined && { view }) },
    }),
  };
}

/** Secrets of the log, and of a report that was read beside it. */
function withMasked(findings: RunFindings, inLog: Masked | undefined): RunFindings {
  const count = (findings.masked?.count ?? 0) + (inLog?.count ?? 0);
  return count === 0 ? findings : { ...findings, masked: { count, places: inLog?.places ?? [] } };
}

interface Watched {
  readonly run: StoredRun;
  readonly store: ActiveRunDependencies["store"];
  readonly abort: AbortController;
}

/** Ends the command when another process asked for it: it knows the tree best, and only so the cause is told as it was. */
async function untilStopped(
  { run, store, abort }: Watched,
  work: () => Promise<ExecutionEnd>,
): Promise<ExecutionEnd> {
  // A store that cannot be read now is asked again; at the end it says whether it was heard in time.
  const asked = async (): Promise<boolean> => (await store.stopAsked?.(run.id).catch(() => false)) ?? false;
  const watch = setInterval(() => void asked().then((stop) => stop && abort.abort()), STOP_MS);
  watch.unref();
  const end = await executed(work());
  clearInterval(watch);
  return end.cause === "signal" && (await asked()) ? { ...end, cause: "cancelled" } : end;
}

/** The end of a run that could not even be begun. */
export function notStarted({ log }: Pick<StoredRun, "log">, error: unknown): RunEnding {
  return { endedAt: Date.now(), end: { cause: "spawn_failed", detail: faultOf(error).message }, log };
}

function faultOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function withNotes(end: RunEnd, notes: readonly (string | undefined)[]): RunEnd {
  const detail = [end.detail, ...notes].filter(Boolean).join(" ");
  return detail === "" ? end : { ...end, detail };
}

/** A folder that vanished between the check and the start, a pool that cannot be reached: an ending like others. */
async function executed(running: Promise<ExecutionEnd>): Promise<ExecutionEnd> {
  try {
    return await running;
  } catch (error) {
    return { cause: "spawn_failed", detail: faultOf(error).message };
  }
}
