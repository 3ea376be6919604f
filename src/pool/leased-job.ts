import { join } from "node:path";
import { enclosedBase } from "../exec/isolation/enclosure.ts";
import { markerName, sweepMarked } from "../exec/sweep.ts";
import { toPithError } from "../kernel/errors.ts";
import type { RunEnd } from "../model/run.ts";
import { removeLog, reportPath } from "../runs/record/log-files.ts";
import type { RunEnding } from "../runs/record/store.ts";
import type { LayerCopies, LayerCopy } from "./environments/layer-copies.ts";
import type { Layers } from "./environments/layers.ts";
import type { Preparation } from "./environments/prepare.ts";
import type { StepFailure } from "./environments/step.ts";
import type { SnapshotFetcher } from "./fetch-snapshot.ts";
import { resolveForWorker } from "./job-spec.ts";
import { OutputSender } from "./output-sender.ts";
import { retryUntilAvailable } from "../runs/record/retry-until-available.ts";
import { type Place, runInPlace } from "./run-in-place.ts";
import { prepareJob } from "./environments/prepare-job.ts";
import type { JobFolders } from "./worker-home.ts";
import { type MachineSettings, NO_LOG, orderFor } from "./worker-command.ts";
import type { Claim, JobQueue, JobResult, NewAnswer } from "./queue.ts";
import { CollectedOutput } from "./reuse/kept-answer.ts";
import { answerOf, findAnswer, reusableCheck } from "./reuse/reusable-check.ts";

export interface WorkDependencies extends MachineSettings {
  readonly queue: Pick<JobQueue, "append" | "answer" | "finish" | "release">;
  readonly files: SnapshotFetcher;
  /** The name of the worker in the pool. */
  readonly worker: string;
  /** The labels of the worker. */
  readonly labels: readonly string[];
  /** The worker's own folder. */
  readonly home: string;
  /** What package managers have installed on this machine. */
  readonly layers: Layers;
  readonly copies: LayerCopies;
  readonly folders: JobFolders;
}

/** Why an attempt at the job ended without a result: its lease was lost, or the worker gave the job back. */
type EarlyOutcome = "lost" | "released";

/** A job that this worker has leased, from fetching its files to storing its result. */
export class LeasedJob {
  readonly claim: Claim;
  /** Resolves when the job is cleaned up on this machine, with its result if the database accepted it. */
  readonly done: Promise<JobResult | undefined>;
  readonly #deps: WorkDependencies;
  readonly #startedAt = Date.now();
  /** Stops the command only. */
  readonly #stop = new AbortController();
  /** Stops the command's attempt completely, including the delivery of its output and result. */
  readonly #abort = new AbortController();
  #outcome: EarlyOutcome | undefined;
  /** What was installed in the job's folder. */
  #copies: readonly LayerCopy[] = [];
  /** The answer of a check, to be kept for others. */
  #answer: NewAnswer | undefined;

  constructor(claim: Claim, deps: WorkDependencies) {
    this.claim = claim;
    this.#deps = deps;
    this.done = this.#run();
  }

  /** Stops the command at the submitter's request; the job ends with the result `cancelled`. */
  cancel(): void {
    this.#stop.abort();
  }

  /** Stops an attempt whose lease is lost; from then on, it may not write anything to the database. */
  abandon(): void {
    this.#end("lost");
  }

  /** Stops the attempt and returns the job to the queue. */
  release(): void {
    this.#end("released");
  }

  #end(outcome: EarlyOutcome): void {
    this.#outcome ??= outcome;
    this.#stop.abort();
    this.#abort.abort();
  }

  async #run(): Promise<JobResult | undefined> {
    const place = this.#createPlace();
    const sender = new OutputSender(this.#deps.queue, this.claim, {
      onLost: () => this.abandon(),
      signal: this.#abort.signal,
    });
    try {
      const ending = await this.#attempt(place, sender);
      const result = await this.#storeResult(ending, sender);
      if (this.#outcome === "released")
        await this.#deps.queue.release(this.claim, "the worker was told to stop").catch(() => undefined);
      return result;
    } finally {
      await this.#cleanUp(place);
    }
  }

  #createPlace(): Place {
    const { id, token, spec } = this.claim;
    const name = `${id}-${token}`;
    const root = this.#deps.folders.take();
    const log = join(this.#deps.home, "logs", name);
    const reportFile = reportPath(this.#deps.isolation === undefined ? log : enclosedBase(log));
    return { root, cwd: join(root, spec.cwd), log, reportFile, marker: `${id}_${token}` };
  }

  /** Runs the command like a local run, but in the fetched copy of the submitter's files. */
  async #attempt(place: Place, sender: OutputSender): Promise<RunEnding> {
    const { spec } = this.claim;
    const { files } = this.#deps;
    const startedAt = Date.now();
    try {
      const { signal } = this.#stop;
      await retryUntilAvailable(() => files.checkout(spec.snapshot, place.root, signal), { signal });
      const prepared = await prepareJob(this.claim, place, this.#deps, signal);
      this.#copies = prepared.copies;
      signal.throwIfAborted();
      const { failure, reports } = prepared;
      const ending =
        failure === undefined
          ? await this.#runCommand(place, sender, prepared)
          : failedPreparation(failure, sender);
      return reports.length === 0 ? ending : { ...ending, end: { ...ending.end, prepared: reports } };
    } catch (error) {
      const end = this.#stop.signal.aborted ? CANCELLED : notStarted(error);
      return { endedAt: Math.max(startedAt, Date.now()), end, log: NO_LOG };
    }
  }

  async #runCommand(place: Place, sender: OutputSender, prepared: Preparation): Promise<RunEnding> {
    const { variables, programFolders } = prepared;
    const { id, spec } = this.claim;
    const { reportFile } = place;
    const placed = resolveForWorker(spec, { root: place.root, reportFile });
    const order = orderFor(
      {
        id,
        shown: { command: spec.command, workspace: spec.root, cwd: join(spec.root, spec.cwd) },
        tool: spec.tool,
        argv: placed.argv,
        env: placed.env,
        variables,
        programFolders,
        timeoutMs: spec.timeoutMs,
        maxOutputBytes: spec.maxOutputBytes,
        expected: spec.expected,
        testsExpected: spec.testsExpected,
        ...(spec.hasReport ? { reportFile } : {}),
        ...(spec.note === undefined ? {} : { note: spec.note }),
      },
      place,
      this.#deps,
    );
    const { signal } = this.#stop;
    const job = { claim: this.claim, place, order, prepared, machine: this.#deps };
    const check = await reusableCheck(job, signal);
    const found = check && (await findAnswer(this.claim, check, this.#deps.queue));
    if (found !== undefined) {
      for (const { stream, bytes } of found.output) sender.write(stream, bytes);
      return found.ending;
    }
    const output = new CollectedOutput();
    const ending = await runInPlace({
      order,
      place,
      shownRoot: spec.root,
      isolation: this.#deps.isolation,
      limits: this.#deps.limits,
      signal,
      onStored(stream, bytes) {
        if (check !== undefined) output.add(stream, bytes);
        sender.write(stream, bytes);
      },
      pressure: () => sender.pressure(),
    });
    this.#answer = answerOf(this.claim, check, ending, output);
    return ending;
  }

  /** Stores the result in the pool, unless this worker no longer holds the job. */
  async #storeResult(ending: RunEnding, sender: OutputSender): Promise<JobResult | undefined> {
    const { id, token, spec } = this.claim;
    const { chunks, totals } = await sender.end();
    const note = token > 1 ? `This was attempt ${token}; pith jobs show ${id} shows the others.` : "";
    const detail = [ending.end.detail, note].filter(Boolean).join(" ");
    const result: JobResult = {
      end: {
        ...ending.end,
        ...(detail === "" ? {} : { detail }),
        worker: this.#deps.worker,
        workedMs: Date.now() - this.#startedAt,
        workerLabels: this.#deps.labels,
        ...(spec.tree && { tree: spec.tree }),
      },
      log: totals,
      ...(ending.findings === undefined ? {} : { findings: ending.findings }),
    };
    if (this.#outcome !== undefined) return undefined;
    try {
      const { signal } = this.#abort;
      const kept = await retryUntilAvailable(
        () => this.#deps.queue.finish(this.claim, result, chunks, this.#answer),
        {
          signal,
        },
      );
      return kept ? result : undefined;
    } catch (error) {
      if (this.#abort.signal.aborted) return undefined;
      throw error;
    }
  }

  async #cleanUp(place: Place): Promise<void> {
    await sweepMarked(markerName(place.marker));
    for (const copy of this.#copies) await this.#deps.copies.takeBack(copy);
    await this.#deps.files.release(this.claim.spec.snapshot, place.root);
    this.#deps.folders.giveBack(place.root);
    removeLog(place.log);
  }
}

const CANCELLED: RunEnd = { cause: "cancelled" };

/** Says that the advice is for the worker, because it is read on another machine. */
function notStarted(error: unknown): RunEnd {
  const { message, suggestion } = toPithError(error);
  return { cause: "spawn_failed", detail: `on the worker: ${message}. ${suggestion}`.replace(/\.$/, "") };
}

/** The result of a job whose package manager failed: its output and what was parsed from it stand for the job's own. */
function failedPreparation({ ending, output, message }: StepFailure, sender: OutputSender): RunEnding {
  for (const { stream, bytes } of output) sender.write(stream, bytes);
  return { ...ending, end: { cause: "spawn_failed", detail: `prepare failed: ${message}` } };
}
