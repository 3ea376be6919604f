import { setTimeout as delay } from "node:timers/promises";
import { execute } from "../exec/execute.ts";
import { enclose, type Isolation } from "../exec/isolation/enclosure.ts";
import { findMarked, markerName, sweepMarked } from "../exec/sweep.ts";
import type { RunEnd, StreamName } from "../model/run.ts";
import { type Executor, type RunOrder, startRun } from "../runs/record/active-run.ts";
import type { RunEnding } from "../runs/record/store.ts";
import { type JobLimits, watchLimits } from "./job-limits.ts";
import { StreamTranslator, translateReport } from "./path-translation.ts";

/** Where a command runs on a worker's machine. */
export interface Place {
  readonly root: string;
  readonly cwd: string;
  /** The path of the log files without a suffix. */
  readonly log: string;
  readonly reportFile: string;
  /**
   * An id that marks the processes of this attempt, since another attempt at the same job may run on the same machine.
   */
  readonly marker: string;
}

/** A command with the place in which it runs on a worker's machine. */
interface PlacedRun {
  readonly order: RunOrder;
  readonly place: Place;
  /** The submitter's folder, which replaces the worker's in the output. */
  readonly shownRoot: string;
  readonly isolation: Isolation | undefined;
  readonly limits?: JobLimits | undefined;
  /** Stops the command. */
  readonly signal: AbortSignal;
  readonly onStored: (stream: StreamName, bytes: Buffer) => void;
  /** Returns a promise to wait for if the output comes faster than it can be sent. */
  readonly pressure: () => Promise<void> | undefined;
}

const MAX_LEFTOVER_WAIT_MS = 40;

/** Runs a command on a worker like a local run, isolated if this machine's settings say so. */
export async function runInPlace(run: PlacedRun): Promise<RunEnding> {
  const { place, signal, limits } = run;
  const order = await isolate(run);
  let ending: RunEnding | undefined;
  const active = await startRun(order, {
    store: {
      logBase: () => place.log,
      finish: (_id, ended) => {
        ending = ended;
        return Promise.resolve();
      },
    },
    execute: executor(run),
    onStored: run.onStored,
    files: { cwd: place.cwd, workspace: place.root },
  });
  const stop = (): void => active.stop();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  let exceeded: string | undefined;
  const endWatch =
    limits &&
    watchLimits(limits, place, (detail) => {
      exceeded = detail;
      stop();
    });
  await active.done;
  endWatch?.();
  signal.removeEventListener("abort", stop);
  if (ending === undefined) throw new Error(`The run of ${order.run.command} did not end`);
  if (exceeded !== undefined && ending.end.cause === "cancelled")
    return { ...ending, end: { cause: "resource_limit", detail: exceeded } };
  return { ...ending, end: withTimeLimit(ending.end, order, limits) };
}

/** Says that a command ran out of the worker's time, which may be less than its submitter wanted. */
function withTimeLimit(
  end: RunEnd,
  { timeoutMs }: RunOrder,
  { timeMs = 0 }: Partial<JobLimits> = {},
): RunEnd {
  if (end.cause !== "timed_out" || timeMs === 0 || timeoutMs !== timeMs) return end;
  return {
    ...end,
    detail: [`This worker allows ${timeMs / 1_000} s.`, end.detail].filter(Boolean).join(" "),
  };
}

async function isolate({ order, place, isolation }: PlacedRun): Promise<RunOrder> {
  if (isolation === undefined) return order;
  const { root, cwd, log } = place;
  const enclosed = {
    workspace: root,
    cwd,
    logBase: log,
    env: order.env,
    ownEnv: order.ownEnv,
    isTemporary: true,
  };
  return { ...order, enclosure: await enclose(isolation, enclosed) };
}

/**
 * Returns a function that executes commands and replaces the worker's folder by the submitter's in their output, so
 * that the paths in it are valid for the submitter.
 */
function executor({ place, shownRoot, pressure }: PlacedRun): Executor {
  return async (command, options) => {
    const translator = (): StreamTranslator => new StreamTranslator(place.root, shownRoot);
    const translators = { stdout: translator(), stderr: translator() };
    // Output that is only recorded, or only shown, comes between the rest of a stream, so each kind has its own path
    // translator.
    const parts = { record: translator(), view: translator() };
    const end = await execute(command, {
      ...options,
      id: place.marker,
      onOutput(stream, chunk, part = "both") {
        const translator = part === "both" ? translators[stream] : parts[part];
        const written = options.onOutput(stream, translator.push(chunk), part);
        const pressed = pressure();
        return pressed === undefined ? written : Promise.all([written, pressed]).then(() => undefined);
      },
    });
    for (const stream of ["stdout", "stderr"] as const)
      await options.onOutput(stream, translators[stream].end());
    for (const part of ["record", "view"] as const) await options.onOutput("stdout", parts[part].end(), part);
    const left = await endLeftovers(markerName(place.marker));
    await translateReport(place.reportFile, { from: place.root, to: shownRoot });
    return left === 0 ? end : withoutLeftovers(end);
  };
}

/**
 * Ends what a command left in the background and returns how many processes that were. Those that hold a sandbox or a
 * pipeline together end a moment after the command, so they get that moment.
 */
async function endLeftovers(marker: string): Promise<number> {
  for (let wait = 5; (await findMarked(marker)).length > 0; wait *= 2) {
    if (wait > MAX_LEFTOVER_WAIT_MS) return sweepMarked(marker);
    await delay(wait);
  }
  return 0;
}

/** Adds to the result that background processes were ended with the job: on a worker nobody else would end them. */
function withoutLeftovers(end: RunEnd): RunEnd {
  return end.cause === "exit" ? { ...end, detail: "Processes it left in the background were ended." } : end;
}
