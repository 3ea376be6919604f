import type { CustomTool } from "../../model/custom-tool.ts";
import type { Waiting } from "../../model/waiting.ts";
import { rm } from "node:fs/promises";
import type { ExecuteOptions, ExecutionEnd } from "../../exec/execute.ts";
import { type Enclosure, enclosedBase } from "../../exec/isolation/enclosure.ts";
import type { Command } from "../../exec/spawn-command.ts";
import { withTimeout } from "../../kernel/with-timeout.ts";
import { LogWriter } from "../../logs/log-writer.ts";
import type { Masked } from "../../model/masked.ts";
import type { RunEnd, RunFindings, StreamName, TreeState } from "../../model/run.ts";
import { nearestText } from "../../workspace/files/folder-files.ts";
import type { FindingsReader } from "./findings.ts";
import { type RecordedCommand, recordCommand } from "../shell/recorded-command.ts";
import { judgeStages } from "../shell/stage-verdict.ts";
import type { PlannedCheck } from "../reuse/planned-check.ts";
import type { RunEnding, RunStore, StoredRun } from "./store.ts";
import { ViewKeeper } from "../shell/filtered-view.ts";

/** Executes a command until it ends, either on this machine or on a worker. */
export type Executor = (command: Command, options: ExecuteOptions) => Promise<ExecutionEnd>;

/** All that is needed to execute a stored run, as plain data that can be sent to another process. */
export interface RunOrder {
  readonly run: StoredRun;
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** The environment without what the caller has set, if the configured isolation needs to know it. */
  readonly ownEnv?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /**
   * The ids of the output parsers that are known to fit, because they belong to the build tool that the command runs.
   */
  readonly expected: readonly string[];
  /** The tools that configuration files describe. */
  readonly customTools?: readonly CustomTool[];
  readonly testsExpected: boolean;
  /** How long reading the state of the working tree may take; absent if it is not recorded, as for `ls` or `cat`. */
  readonly treeTimeoutMs?: number;
  /** Present if the command only checks, so that a later one may be answered from this run. */
  readonly check?: PlannedCheck;
  /** A note that is shown with the result of the run. */
  readonly note?: string;
  /** True if stderr is sent into stdout, so that the order of their lines is kept. */
  readonly isMerged?: boolean;
  /** The path to which the command writes a machine-readable report. */
  readonly reportFile?: string;
  /** What the command runs in, if it is isolated. */
  readonly enclosure?: Enclosure;
}

/** A run in progress. */
export interface ActiveRun {
  readonly run: StoredRun;
  /** True if the run continues when this process exits. */
  readonly detached: boolean;
  /** Settles when the run has ended and its result is stored. */
  readonly done: Promise<unknown>;
  stop(): void;
  /** The number of lines that can be read from the log so far. */
  lines(): Promise<number>;
  /** Says why the run has to wait before it can start; undefined once it runs. */
  waiting?(): Promise<Waiting | undefined>;
}

interface ActiveRunDependencies {
  readonly store: Pick<RunStore, "finish" | "logBase"> & Partial<Pick<RunStore, "stopAsked">>;
  readonly execute: Executor;
  /** Receives the bytes of the log as they are stored, in the same order and chunks. */
  readonly onStored?: (stream: StreamName, bytes: Buffer) => void;
  /** The folders that really hold the files, if they differ from those in the run's record (as on a worker). */
  readonly files?: Pick<StoredRun, "cwd" | "workspace">;
}

/** The interval at which the store is asked whether somebody has requested the end of the run. */
const STOP_MS = 250;

/** Executes a run in this process and stores its result. */
export async function startRun(
  order: RunOrder,
  dependencies: ActiveRunDependencies,
): Promise<ActiveRun & { readonly done: Promise<RunEnding> }> {
  const { store, execute } = dependencies;
  const { run } = order;
  const files = dependencies.files ?? run;
  // The module findings.ts imports all parsers, so it is loaded with the first run and not at server start.
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
  const recorded = recordOrder(order, store.logBase(run));
  const view = new ViewKeeper();
  const abort = new AbortController();
  const finish = async (): Promise<RunEnding> => {
    const command = createCommand(order, files.cwd, recorded);
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
    const end = await stopOnRequest({ run, store, abort }, () => execute(command, options));
    const [ended, seen] = await Promise.all([
      endingOf(end, { order, log, findings, recorded, view }),
      // A worker of a pool has the files in a checkout of its own, whose commits nobody else knows.
      dependencies.files === undefined ? filesAfter(end, order) : undefined,
    ]);
    const ending = seen === undefined ? ended : { ...ended, end: { ...ended.end, ...seen(ended) } };
    await store.finish(run.id, ending);
    return ending;
  };
  const done = finish();
  // A caller that awaits `done` gets the error; this handler only prevents an unhandled rejection until then.
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

/** Rewrites a command so that its stages are recorded, unless their streams do not reach it. */
function recordOrder({ argv, env, enclosure }: RunOrder, logBase: string): RecordedCommand | undefined {
  const files = enclosure === undefined ? logBase : enclosedBase(logBase);
  const recorded = recordCommand(argv, { path: env["PATH"] ?? "", files });
  const isLost = enclosure?.passesStreams === false && recorded !== undefined && "argv" in recorded;
  return isLost ? { unread: "a pipe inside [runs] isolation_command" } : recorded;
}

function createCommand(
  { argv, env, isMerged, enclosure }: RunOrder,
  cwd: string,
  recorded: RecordedCommand | undefined,
): Command {
  return {
    argv,
    cwd,
    env: enclosure?.env ?? env,
    ...(recorded !== undefined && "argv" in recorded ? { recorded: recorded.argv } : {}),
    ...(isMerged ? { isMerged } : {}),
    ...(enclosure === undefined ? {} : { wrapper: enclosure.wrapper }),
  };
}

/** Wraps an executor so that a callback also receives the output as it comes. */
export function withOutputCallback(
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

/**
 * Collects the result of a run. If parsing or writing the log fails here, the result still says how the command ended.
 */
async function endingOf(end: ExecutionEnd, ended: Ended): Promise<RunEnding> {
  const { order, log, findings, recorded } = ended;
  const totals = await log.end();
  const found = await findings.end(order.reportFile).catch(toError);
  const view = ended.view.end(log.secrets);
  const created = recorded !== undefined && "files" in recorded ? recorded.files : [];
  // A file that cannot be removed now is removed together with the log.
  for (const file of [...created, order.reportFile, order.enclosure?.folder].filter(
    (one) => one !== undefined,
  ))
    await rm(file, { force: true, recursive: true }).catch(() => undefined);
  const unread = found instanceof Error ? `Its output was not parsed: ${found.message}.` : undefined;
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

/** The state of the working tree after a command that ran; undefined outside of git, or if reading it takes too long. */
async function treeAfter(
  { cause }: ExecutionEnd,
  cwd: string,
  timeoutMs: number,
): Promise<TreeState | undefined> {
  if (cause !== "exit" && cause !== "signal" && cause !== "timed_out") return undefined;
  const { readTreeState } = await import("../../workspace/git/tree-state.ts");
  try {
    return await withTimeout(timeoutMs, (signal) => readTreeState(cwd, { signal }));
  } catch {
    // The result of the run is whole without it; a later reply only says less.
    return undefined;
  }
}

/**
 * Looks at the files after a command. What decided the answer of a check is kept only with a result that may be given
 * again, which is known when the result is.
 */
async function filesAfter(
  end: ExecutionEnd,
  { run, env, check, treeTimeoutMs }: RunOrder,
): Promise<(ending: RunEnding) => Pick<RunEnd, "tree" | "inputs">> {
  const { hasAnswer, inputsAfter } = await import("../reuse/check-ending.ts");
  const [tree, inputs] = await Promise.all([
    treeTimeoutMs === undefined ? undefined : treeAfter(end, run.cwd, treeTimeoutMs),
    check === undefined || end.cause !== "exit" ? undefined : inputsAfter(check, env),
  ]);
  return (ending) => ({
    ...(tree && { tree }),
    ...(inputs && check && hasAnswer(ending, check) && { inputs }),
  });
}

/** Adds the secrets masked in the log to those masked in the tool's machine-readable report. */
function withMasked(findings: RunFindings, inLog: Masked | undefined): RunFindings {
  const count = (findings.masked?.count ?? 0) + (inLog?.count ?? 0);
  return count === 0 ? findings : { ...findings, masked: { count, places: inLog?.places ?? [] } };
}

interface Watched {
  readonly run: StoredRun;
  readonly store: ActiveRunDependencies["store"];
  readonly abort: AbortController;
}

/**
 * Ends the command when another process has requested it. That is left to this process because it knows the command's
 * processes and stores the right cause of the end.
 */
async function stopOnRequest(
  { run, store, abort }: Watched,
  work: () => Promise<ExecutionEnd>,
): Promise<ExecutionEnd> {
  // If the store cannot be read now, it is asked again after the interval and once more after the end of the command.
  const asked = async (): Promise<boolean> => (await store.stopAsked?.(run.id).catch(() => false)) ?? false;
  const watch = setInterval(() => void asked().then((stop) => stop && abort.abort()), STOP_MS);
  watch.unref();
  const end = await toExecutionEnd(work());
  clearInterval(watch);
  return end.cause === "signal" && (await asked()) ? { ...end, cause: "cancelled" } : end;
}

/** The result of a run that could not be started. */
export function notStarted({ log }: Pick<StoredRun, "log">, error: unknown): RunEnding {
  return { endedAt: Date.now(), end: { cause: "spawn_failed", detail: toError(error).message }, log };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function withNotes(end: RunEnd, notes: readonly (string | undefined)[]): RunEnd {
  const detail = [end.detail, ...notes].filter(Boolean).join(" ");
  return detail === "" ? end : { ...end, detail };
}

/** Turns an error before the command started, such as a folder that has vanished, into the result of the run. */
async function toExecutionEnd(running: Promise<ExecutionEnd>): Promise<ExecutionEnd> {
  try {
    return await running;
  } catch (error) {
    return { cause: "spawn_failed", detail: toError(error).message };
  }
}
