import { describeWaiting, type Waiting } from "../../model/waiting.ts";
import { setTimeout as delay } from "node:timers/promises";
import { MAX_TIMER_MS } from "../../kernel/with-timeout.ts";
import type { Job } from "../../model/job.ts";
import type { RunPlace } from "../../model/run-report.ts";
import type { RunEnd, TreeState } from "../../model/run.ts";
import type { ActiveRun } from "../../runs/record/active-run.ts";
import type { PreparedRun, RemoteRequest, RemoteRuns } from "../../runs/record/remote.ts";
import type { RunEnding, RunStore, StoredRun } from "../../runs/record/store.ts";
import type { Omission } from "../../workspace/snapshot/collect-files.ts";
import { openChunkLog } from "../chunk-log.ts";
import { filesNotSent } from "./files-not-sent.ts";
import { createJobSpec, type PrepareSettings } from "../job-spec.ts";
import type { PackStore } from "../packs.ts";
import { JobWatch } from "./job-watch.ts";
import { retryUntilAvailable } from "../../runs/record/retry-until-available.ts";
import { canRun, chooseWorkers, type Machine } from "../choice/choose-workers.ts";
import type { JobPriority, JobQueue, NewJob } from "../queue.ts";
import { PRIORITIES } from "../priorities.ts";
import { shipSnapshot } from "./ship-snapshot.ts";
import { snapshotTreeState } from "./snapshot-tree-state.ts";

export interface RemoteOptions {
  readonly queue: JobQueue;
  readonly packs: PackStore;
  readonly submitter: string;
  /** The folder for Pith's private git repositories and for packs (bundles of files) in transfer. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly maxAttempts: number;
  /** The labels that a worker must have to take any job of this server. */
  readonly labels: readonly string[];
  /** True if the versions that a project names decide about the worker. */
  readonly inferNeeds: boolean;
  /** The priority of jobs whose request names none. */
  readonly priority: JobPriority;
  /** True if checks may be answered from the store. */
  readonly reuse: boolean;
  /** What this server's machine has; absent if it runs no jobs of its own. */
  readonly ownMachine?: () => Promise<Machine>;
  readonly prepare: PrepareSettings;
  /** Called when a job of this machine is queued, so that this process can run it if no worker can take it. */
  readonly onWaiting: (id: string) => void;
  readonly onEnded: (id: string) => void;
  /** Called after a job of this server ran, with whether this server ran it itself. */
  readonly onRan: (id: string, job: Job & { readonly worker: string }, isLocalFallback: boolean) => void;
  /** Returns whether a worker is this server itself, which runs its own jobs while no other worker can. */
  readonly isOwn: (worker: string) => boolean;
  readonly onClose: () => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
}

/** Progress is reported twice a second, but read from the database only at this interval. */
const PROGRESS_MS = 1_500;
/** A run that is still not in the pool this long after its start was never submitted. */
const SUBMIT_MS = 60_000;
const REAP_MS = 1_000;
const STOP_MS = 10_000;

/** Runs commands on the workers of the pool, and reports on these runs. */
export class PoolRuns implements RemoteRuns {
  readonly #options: RemoteOptions;
  readonly #closed = new AbortController();
  readonly #watch: JobWatch;
  /** How the jobs ended that this process gave up, by id. */
  readonly #givenUp = new Map<string, RunEnd>();
  #reapedAt = 0;

  constructor(options: RemoteOptions) {
    this.#options = options;
    this.#watch = new JobWatch(options.queue, options);
  }

  async prepare(request: RemoteRequest): Promise<PreparedRun> {
    const { packs, folder, variables } = this.#options;
    let reading: Promise<TreeState | undefined> | undefined;
    const shipped = await shipSnapshot(request.workspace, packs, {
      folder,
      variables,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
      onTaken(snapshot) {
        reading = snapshotTreeState(snapshot, request, { variables });
      },
    });
    const root = snapshotRoot(request.workspace, shipped.prefix);
    const { commit, format, omitted } = shipped;
    const tree = await reading;
    const files = { commit, format, note: describeOmissions(omitted), ...(tree && { tree }) };
    const job = await this.#createJob(request, root, files);
    return {
      submit: async (run, store, plan) =>
        this.#submit(
          run,
          store,
          plan === undefined ? job : await this.#createJob({ ...request, plan }, root, files),
          request.maxWaitMs,
        ),
    };
  }

  async #createJob(
    request: RemoteRequest,
    root: string,
    files: Parameters<typeof createJobSpec>[2],
  ): Promise<Omit<NewJob, "id" | "workspace" | "submitter">> {
    const { labels, prepare, priority, reuse } = this.#options;
    const planned = createJobSpec(request, root, { ...files, prepare, reuse });
    const choice = await chooseWorkers(planned, [...labels, ...request.labels], this.#options);
    const note = [request.note, planned.note, choice.note].filter(Boolean).join(" ");
    return {
      spec: { ...planned, ...(note === "" ? {} : { note }) },
      labels: choice.labels,
      needs: choice.needs,
      caches: choice.caches,
      priority: request.priority === undefined ? priority : PRIORITIES[request.priority],
    };
  }

  async slots(): Promise<number> {
    const { workers } = await this.#options.queue.status();
    return workers.reduce((sum, { slots, draining }) => sum + (draining ? 0 : slots), 0);
  }

  async openLog({ id }: StoredRun) {
    return openChunkLog(this.#options.queue, id);
  }

  async ending(run: StoredRun): Promise<RunEnding | undefined> {
    const job = await this.#options.queue.get(run.id);
    if (job === undefined)
      return Date.now() - run.startedAt < SUBMIT_MS ? undefined : neverSubmittedEnding(run);
    if (job.result === undefined) return this.#ensureProgress(run, job);
    // A worker may have taken the job in the last moment; then its result counts.
    const end = (job.worker === undefined && this.#givenUp.get(run.id)) || job.result.end;
    return { endedAt: job.endedAt ?? Date.now(), ...job.result, end: { ...end, ...timesOf(job) } };
  }

  async waiting({ id }: StoredRun): Promise<Waiting | undefined> {
    const position = await this.#options.queue.position(id);
    if (position === undefined) return undefined;
    if (position.fitting > 0) return { kind: "queued", ahead: position.ahead };
    return { kind: "no_worker", labels: position.lacking };
  }

  async place(run: StoredRun): Promise<RunPlace | undefined> {
    const job = await this.#options.queue.get(run.id);
    const times = job && timesOf(job);
    if (job === undefined || times === undefined) return undefined;
    // The files of a run of another machine are not here.
    const canLook = run.end !== undefined && run.end.exitCode !== 0 && run.host === undefined;
    return {
      ...times,
      isLocalFallback: this.#options.isOwn(times.worker),
      needs: [...job.labels, ...job.needs],
      isWarm: job.warm > 0,
      notSent: canLook ? await filesNotSent(run) : [],
    };
  }

  async stop(run: StoredRun): Promise<void> {
    const { queue } = this.#options;
    await queue.cancel(run.id);
    const deadline = Date.now() + STOP_MS;
    while (Date.now() < deadline && (await this.ending(run)) === undefined) await delay(50);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#watch.close();
    await this.#options.onClose();
    await this.#options.queue.close();
  }

  /**
   * Ensures that an unfinished job makes progress, even if the server that submitted it is gone: offers it to this
   * process and detects expired leases.
   */
  async #ensureProgress({ id, host }: StoredRun, { state }: Job): Promise<undefined> {
    if (state === "queued" && host === undefined) this.#options.onWaiting(id);
    if (state !== "running" || Date.now() - this.#reapedAt < REAP_MS) return;
    this.#reapedAt = Date.now();
    await this.#options.queue.reap(this.#options.maxAttempts);
  }

  async #submit(
    run: StoredRun,
    store: RunStore,
    job: Omit<NewJob, "id" | "workspace" | "submitter">,
    maxWaitMs: number | undefined,
  ): Promise<ActiveRun> {
    const { queue, submitter, onWaiting } = this.#options;
    await this.#watch.open();
    await queue.submit({ id: run.id, workspace: run.workspace, submitter, ...job });
    onWaiting(run.id);
    const done = this.#awaitEnd(run, store);
    const timer = maxWaitMs === undefined ? undefined : this.#giveUpAfter(maxWaitMs, run, job);
    done.catch(() => undefined).finally(() => clearTimeout(timer));
    return {
      run,
      detached: true,
      done,
      stop: () => void queue.cancel(run.id).catch(() => undefined),
      lines: memoizeBriefly(async () => (await queue.totals(run.id))?.lines ?? 0),
      waiting: memoizeBriefly(() => this.waiting(run)),
    };
  }

  /** Ends a job that nobody can take when it has waited for as long as its caller allows. */
  #giveUpAfter(ms: number, run: StoredRun, job: Pick<NewJob, "labels" | "needs">): NodeJS.Timeout {
    const giveUp = async (): Promise<void> => {
      const machine = await this.#options.ownMachine?.();
      // This process is about to run the job itself.
      if (machine !== undefined && canRun(machine, job)) return;
      const waiting = await this.waiting(run);
      if (waiting?.kind !== "no_worker") return;
      this.#givenUp.set(run.id, { cause: "timed_out", detail: `It was ${describeWaiting(waiting)}.` });
      await this.#options.queue.cancel(run.id);
    };
    // While the database is unavailable the job cannot be taken back, so the caller waits as for any job.
    return setTimeout(() => void giveUp().catch(() => undefined), Math.min(ms, MAX_TIMER_MS)).unref();
  }

  /** Waits for the end of a job, even while the database is unavailable, and writes the end into the run's record. */
  async #awaitEnd(run: StoredRun, store: RunStore): Promise<void> {
    await this.#watch.ended(run.id);
    this.#options.onEnded(run.id);
    const { signal } = this.#closed;
    const ended = async () => {
      const ending = await this.ending(run);
      const job = await this.#options.queue.get(run.id);
      if (job?.worker !== undefined)
        this.#options.onRan(run.id, { ...job, worker: job.worker }, this.#options.isOwn(job.worker));
      return ending;
    };
    const ending = await retryUntilAvailable(ended, { signal }).catch((error: unknown) => {
      // If this process is closing, the next process that reads the run writes its result.
      if (signal.aborted) return undefined;
      throw error;
    });
    if (ending !== undefined) await store.finish(run.id, ending);
  }
}

/**
 * The worker of a job, how long the job waited for its first one, how long the one that ended it had it, and how long
 * earlier ones had it, which lost it; undefined if none has taken it.
 */
function timesOf({ worker, submittedAt, startedAt = submittedAt, endedAt = Date.now(), end, token }: Job) {
  if (worker === undefined) return undefined;
  const heldMs = Math.max(0, endedAt - startedAt);
  const workedMs = end?.workedMs ?? heldMs;
  return {
    worker,
    queuedMs: Math.max(0, startedAt - submittedAt),
    workedMs,
    ...(token > 1 &&
      end?.workedMs !== undefined && { earlier: { attempt: token, ms: Math.max(0, heldMs - workedMs) } }),
  };
}

function memoizeBriefly<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (last === undefined || Date.now() - last.at > PROGRESS_MS) last = { at: Date.now(), value: ask() };
    return last.value;
  };
}

function snapshotRoot(workspace: string, prefix: string): string {
  return prefix === "" ? workspace : workspace.slice(0, -(prefix.length + 1));
}

function neverSubmittedEnding(run: StoredRun): RunEnding {
  const detail = "It never reached the pool: the server that was to submit it was killed.";
  return { endedAt: run.startedAt, end: { cause: "interrupted", detail }, log: run.log };
}

const REASONS: Readonly<Record<Omission["reason"], string>> = {
  too_large: "untracked and too large",
  unreadable: "not readable",
  special: "no regular file",
  repository: "a repository of its own",
  submodule: "a submodule, as its commit alone",
  lfs: "in Git LFS, as its pointer",
};
const MAX_NAMED = 3;

/** Describes the files of the working tree that are not sent to the worker; undefined if all are sent. */
export function describeOmissions(omitted: readonly Omission[]): string | undefined {
  if (omitted.length === 0) return undefined;
  const named = omitted.slice(0, MAX_NAMED).map(({ path, reason }) => `${path} (${REASONS[reason]})`);
  const more = omitted.length - named.length;
  return `The worker lacked files: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
