import { join } from "node:path";
import { execute } from "../exec/execute.ts";
import { markerName, sweepMarked } from "../exec/sweep.ts";
import { toPithError } from "../kernel/errors.ts";
import type { RunEnd } from "../model/run.ts";
import { type Executor, type RunOrder, startRun } from "../runs/record/active-run.ts";
import { commandEnvironment } from "../runs/plan/environment.ts";
import { removeLog, reportPath } from "../runs/record/log-files.ts";
import { checkPermission, type PermissionRules } from "../security/permissions.ts";
import { REMOTE_OWNER } from "../runs/record/remote.ts";
import type { RunEnding } from "../runs/record/store.ts";
import type { SnapshotFetcher } from "./fetch-snapshot.ts";
import { placeOrder } from "./job-spec.ts";
import { OutputSender } from "./output-sender.ts";
import { StreamTranslator } from "./paths.ts";
import { retryUntilAvailable } from "./retry-until-available.ts";
import type { Claim, JobQueue, JobResult } from "./queue.ts";
import { translateReport } from "./report-paths.ts";

export interface WorkDependencies {
  readonly queue: Pick<JobQueue, "append" | "finish" | "release">;
  readonly files: SnapshotFetcher;
  /** The worker's own folder: one folder in it for each job. */
  readonly home: string;
  /** Marks every process of this worker in its environment. */
  readonly marker: string;
  readonly permissions: PermissionRules;
  readonly passEnvironment: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Why an attempt stopped before it had a result. */
type EarlyOutcome = "lost" | "released";

/** A job that this worker holds, from its files to its result. */
export class LeasedJob {
  readonly claim: Claim;
  /** Resolves when nothing of it is left on this machine; with its result, where it has one that counts. */
  readonly done: Promise<JobResult | undefined>;
  readonly #deps: WorkDependencies;
  /** Ends the command. */
  readonly #stop = new AbortController();
  /** Ends also what is done for its result. */
  readonly #abort = new AbortController();
  #outcome: EarlyOutcome | undefined;

  constructor(claim: Claim, deps: WorkDependencies) {
    this.claim = claim;
    this.#deps = deps;
    this.done = this.#run();
  }

  /** The submitter no longer wants it: it ends with a result that says so. */
  cancel(): void {
    this.#stop.abort();
  }

  /** Another attempt counts now: nothing of this one may be written any more. */
  abandon(): void {
    this.#leave("lost");
  }

  /** It goes back into the queue. */
  release(): void {
    this.#leave("released");
  }

  #leave(outcome: EarlyOutcome): void {
    this.#outcome ??= outcome;
    this.#stop.abort();
    this.#abort.abort();
  }

  async #run(): Promise<JobResult | undefined> {
    const place = this.#place();
    const sender = new OutputSender(this.#deps.queue, this.claim, {
      onLost: () => this.abandon(),
      signal: this.#abort.signal,
    });
    try {
      const ending = await this.#attempt(place, sender);
      const result = await this.#settle(ending, sender);
      if (this.#outcome === "released")
        await this.#deps.queue.release(this.claim, "the worker was told to stop").catch(() => undefined);
      return result;
    } finally {
      await this.#cleanUp(place);
    }
  }

  #place(): Place {
    const { id, token, order } = this.claim;
    const name = `${id}-${token}`;
    const root = join(this.#deps.home, "trees", name);
    const log = join(this.#deps.home, "logs", name);
    return { root, cwd: join(root, order.cwd), log, marker: `${id}_${token}` };
  }

  /** Runs the command as a local run would be, but for the place of its files. */
  async #attempt(place: Place, sender: OutputSender): Promise<RunEnding> {
    const { order } = this.claim;
    const { files, permissions } = this.#deps;
    const startedAt = Date.now();
    try {
      checkPermission(
        { ...(order.tool === undefined ? {} : { tool: order.tool }), commands: order.commands },
        permissions,
      );
      const { signal } = this.#stop;
      await retryUntilAvailable(() => files.checkout(order.snapshot, place.root, signal), { signal });
      return await this.#execute(place, sender);
    } catch (error) {
      const end = this.#stop.signal.aborted ? CANCELLED : notStarted(error);
      return { endedAt: Math.max(startedAt, Date.now()), end, log: NO_LOG };
    }
  }

  async #execute(place: Place, sender: OutputSender): Promise<RunEnding> {
    const { order } = this.claim;
    let ending: RunEnding | undefined;
    const active = await startRun(this.#runOrder(place), {
      store: {
        logBase: () => place.log,
        finish: (_id, ended) => {
          ending = ended;
          return Promise.resolve();
        },
      },
      execute: this.#executor(place, sender),
      onStored: (stream, bytes) => sender.write(stream, bytes),
      files: { cwd: place.cwd, workspace: place.root },
    });
    const stop = (): void => active.stop();
    this.#stop.signal.addEventListener("abort", stop, { once: true });
    if (this.#stop.signal.aborted) stop();
    await active.done;
    this.#stop.signal.removeEventListener("abort", stop);
    if (ending === undefined) throw new Error(`The run of ${order.command} did not end`);
    return ending;
  }

  #runOrder(place: Place): RunOrder {
    const { id, order } = this.claim;
    const { variables, passEnvironment, marker } = this.#deps;
    const reportFile = reportPath(place.log);
    const placed = placeOrder(order, { root: place.root, reportFile });
    const env = commandEnvironment({
      base: withoutOwn(variables),
      pass: passEnvironment,
      cwd: place.cwd,
      root: place.root,
      extra: { ...placed.env, [marker]: "1" },
    });
    return {
      run: {
        id,
        workspace: order.root,
        command: order.command,
        cwd: join(order.root, order.cwd),
        key: "",
        owner: REMOTE_OWNER,
        startedAt: Date.now(),
        log: NO_LOG,
      },
      argv: placed.argv,
      env,
      timeoutMs: order.timeoutMs,
      maxOutputBytes: order.maxOutputBytes,
      expected: order.expected,
      testsExpected: order.testsExpected,
      ...(order.hasReport ? { reportFile } : {}),
      ...(order.note === undefined ? {} : { note: order.note }),
    };
  }

  /** Output names the submitter's folder in place of the worker's, so that its paths mean something to who reads it. */
  #executor(place: Place, sender: OutputSender): Executor {
    const { order } = this.claim;
    return async (command, options) => {
      const translator = (): StreamTranslator => new StreamTranslator(place.root, order.root);
      const translators = { stdout: translator(), stderr: translator() };
      // What only the record or only the view gets comes between the pieces of the others.
      const parts = { record: translator(), view: translator() };
      const end = await execute(command, {
        ...options,
        id: place.marker,
        onOutput(stream, chunk, part = "both") {
          const translator = part === "both" ? translators[stream] : parts[part];
          const written = options.onOutput(stream, translator.push(chunk), part);
          const pressure = sender.pressure();
          return pressure === undefined ? written : Promise.all([written, pressure]).then(() => undefined);
        },
      });
      for (const stream of ["stdout", "stderr"] as const)
        await options.onOutput(stream, translators[stream].end());
      for (const part of ["record", "view"] as const)
        await options.onOutput("stdout", parts[part].end(), part);
      const left = await sweepMarked(markerName(place.marker));
      await translateReport(reportPath(place.log), { from: place.root, to: order.root });
      return left === 0 ? end : withoutLeftovers(end);
    };
  }

  /** Puts the result into the pool, unless the job is no longer ours. */
  async #settle(ending: RunEnding, sender: OutputSender): Promise<JobResult | undefined> {
    const { id, token } = this.claim;
    const { chunks, totals } = await sender.end();
    const note = token > 1 ? `This was attempt ${token}; pith jobs show ${id} tells of the others.` : "";
    const detail = [ending.end.detail, note].filter(Boolean).join(" ");
    const result: JobResult = {
      end: { ...ending.end, ...(detail === "" ? {} : { detail }) },
      log: totals,
      ...(ending.findings === undefined ? {} : { findings: ending.findings }),
    };
    if (this.#outcome !== undefined) return undefined;
    try {
      const { signal } = this.#abort;
      const kept = await retryUntilAvailable(() => this.#deps.queue.finish(this.claim, result, chunks), {
        signal,
      });
      return kept ? result : undefined;
    } catch (error) {
      if (this.#abort.signal.aborted) return undefined;
      throw error;
    }
  }

  async #cleanUp(place: Place): Promise<void> {
    await sweepMarked(markerName(place.marker));
    await this.#deps.files.release(this.claim.order.snapshot, place.root);
    removeLog(place.log);
  }
}

interface Place {
  readonly root: string;
  readonly cwd: string;
  readonly log: string;
  /** Names the processes of this attempt: another attempt of the job may run on the same machine. */
  readonly marker: string;
}

const NO_LOG = { lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 };
const CANCELLED: RunEnd = { cause: "cancelled" };

function notStarted(error: unknown): RunEnd {
  const { message, suggestion } = toPithError(error);
  return { cause: "spawn_failed", detail: `${message}. ${suggestion}` };
}

/** What was left running was ended with the job: on a worker nobody else would. */
function withoutLeftovers(end: RunEnd): RunEnd {
  return end.cause === "exit" ? { ...end, detail: "Processes it left in the background were ended." } : end;
}

/** The worker's own settings, the database's password among them, are none of the command's business. */
function withoutOwn(variables: WorkDependencies["variables"]): WorkDependencies["variables"] {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith("PITH_")));
}
