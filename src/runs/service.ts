import { setMaxListeners } from "node:events";
import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { LogSource } from "../logs/log-source.ts";
import { maxOpenFiles } from "../kernel/files/max-open-files.ts";
import { createSemaphore } from "../kernel/semaphore.ts";
import { maskText } from "../security/secrets/mask.ts";
import { killDetached } from "../exec/detached-process.ts";
import { markerName, sweepMarked } from "../exec/sweep.ts";
import { isStoreUnavailable, PithError } from "../kernel/errors.ts";
import type { RunHistory } from "../model/run-history.ts";
import type { LogSlice, RunDelta, RunPlace, RunReport, Verbosity } from "../model/run-report.ts";
import type { Waiting } from "../model/waiting.ts";
import { createJail } from "../workspace/jail.ts";
import {
  type ActiveRun,
  type Executor,
  notStarted,
  type RunOrder,
  startRun,
  withOutputCallback,
} from "./record/active-run.ts";
import { type LogQuery, missingLogError, readLog, waitForLog } from "./reply/log-query.ts";
import { checkPermission } from "../security/permissions.ts";
import { type LogMatches, type LogSearch, searchLog } from "./reply/log-search.ts";
import { compareWith } from "./reply/run-delta.ts";
import { runHistory } from "./reply/run-history.ts";
import { unsavedNotices, runsElsewhereError, setAsideNotice } from "./reply/run-errors.ts";
import { poolUnavailable, type Prepared, prepareRemote } from "./record/remote-dispatch.ts";
import { isRemote, type PreparedRun, REMOTE_OWNER, type RemoteRuns } from "./record/remote.ts";
import { ownIdentity } from "./record/recovery.ts";
import { type ObservedOutput, observedOrder, replayOf } from "./record/observed-run.ts";
import { RunQueue } from "./record/run-queue.ts";
import { RunRecords, type RunScope } from "./record/run-records.ts";
import { reportRun, UNAVAILABLE_POOL } from "./reply/report.ts";
import { enclose } from "../exec/isolation/enclosure.ts";
import type { ExecOptions, RunRequest, RunSettings } from "./plan/request.ts";
import { createRunOrder, environmentOf } from "./plan/run-order.ts";
import { placeOf } from "./plan/permission-place.ts";
import { keyOf, LastAnswers } from "./reuse/last-answer.ts";
import type { PlannedCheck } from "./reuse/planned-check.ts";
import type { NewRun, RunStore, StoredRun } from "./record/store.ts";
import { startSplitRun } from "./record/split-run.ts";
import type { CommandPlan } from "./plan/plan.ts";
import type { TestSplit } from "./plan/split-tests.ts";
import type { FolderFacts } from "../diagnostics/tool.ts";
import { Supervisors, type Supervision } from "./record/supervised-run.ts";
import { viewLog } from "./shell/filtered-view.ts";
import { failedTestFiles } from "./reply/failed-files.ts";
import { waitForRun } from "./reply/wait-for-run.ts";

export interface RunDependencies {
  readonly settings: RunSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  openStore(): Promise<RunStore>;
  readonly execute: Executor;
  /** Starts supervisor processes, with which runs continue when this process exits; absent if that is not possible. */
  readonly supervision?: Supervision;
  /** Which runs this service may show and stop; absent for all. */
  readonly scope?: RunScope;
  /** Opens the pool (worker machines that run commands), if one is configured; every call returns the same object. */
  openRemote?(): Promise<RemoteRuns>;
}

/** The most runs that get a supervisor process of their own; further runs are executed in this process. */
const MAX_SUPERVISED = 4;
/**
 * How long another process gets to end its run on request: it polls four times a second, and the command has two
 * seconds to exit.
 */
const STOP_GRACE_MS = 5_000;
/**
 * The longest wait for the end of a run that another process executes, including the time to kill its command from
 * here.
 */
const STOP_TIMEOUT_MS = 15_000;
/** Reports that are made at the same time, because each opens log files; fewer if this process may open only few. */
const FILES_PER_REPORT = 32;
const MIN_REPORTS = 4;
/** When a supervisor that has not ended its run although its command is gone is killed; it is stuck then. */
const KILL_SUPERVISOR_MS = 8_000;
/** Starts commands, stores their records and logs, and reports on them. */
export class RunService {
  readonly #deps: RunDependencies;
  readonly #supervisors: Supervisors | undefined;
  readonly #active = new Map<string, ActiveRun>();
  readonly #records: RunRecords;
  readonly #answers: LastAnswers;
  readonly #queue = new RunQueue();
  readonly #reports = createSemaphore(Math.max(MIN_REPORTS, Math.floor(maxOpenFiles() / FILES_PER_REPORT)));
  readonly #toRetain = new Set<string>();
  #working = 0;
  #supervised = 0;
  readonly #callerGone = new AbortController();
  #closed = false;

  constructor(deps: RunDependencies) {
    this.#deps = deps;
    // Every call that waits for a run listens to this signal, and there may be many.
    setMaxListeners(0, this.#callerGone.signal);
    this.#answers = new LastAnswers(deps);
    this.#supervisors = deps.supervision && new Supervisors(deps.supervision);
    this.#records = new RunRecords({
      openStore: deps.openStore.bind(deps),
      openPool: () => this.#pool(),
      retention: deps.settings.retention,
      isActive: (id) => this.#active.has(id),
      ...(deps.scope && { scope: deps.scope }),
    });
  }

  /**
   * Runs a command and returns a report when it has ended. If it takes longer than the answer time, the report says
   * that it is running.
   */
  async exec(request: RunRequest, options: ExecOptions): Promise<RunReport> {
    await this.#authorize(request);
    const check = await this.#answers.prepare(request, () => this.#records.open());
    const isOpen = check !== undefined && request.isForced !== true;
    const same = isOpen ? await this.#answers.find(check, await this.#records.open()) : undefined;
    if (same !== undefined) return this.#reportOn(same.run, options.verbosity, same);
    const answerMs = options.answerMs ?? this.#deps.settings.answerMs;
    const gone = this.#callerGone.signal;
    return this.#beforeRetention(async () => {
      const active = await this.#start(request, options.signal, check?.planned);
      await waitForRun(active, {
        ...options,
        answerMs,
        isTest: request.plan.isTest,
        logs: this.#records.logs,
        gone,
      });
      return this.report(active.run.id, options.verbosity);
    });
  }

  /**
   * Does work on runs that retention must not remove meanwhile: with many calls at once, a run could be removed after
   * its end and before its report.
   */
  async #beforeRetention<T>(work: () => Promise<T>): Promise<T> {
    this.#working++;
    try {
      return await work();
    } finally {
      if (--this.#working === 0) await this.#retain();
    }
  }

  /** Removes old runs of the workspaces in which runs have ended. */
  async #retain(): Promise<void> {
    const workspaces = [...this.#toRetain];
    this.#toRetain.clear();
    for (const workspace of this.#closed ? [] : workspaces) {
      const store = await this.#records.open();
      // If old runs cannot be removed now, they are removed at the end of the next run.
      await store.retain(workspace, this.#deps.settings.retention).catch(() => undefined);
    }
  }

  /** Starts a command without waiting for it. */
  async start(request: RunRequest, signal?: AbortSignal): Promise<ActiveRun> {
    await this.#authorize(request);
    return this.#start(request, signal);
  }

  /**
   * Stores the output of a command that succeeded outside of Pith as a run of its own, and reports on it. Nothing is
   * executed.
   */
  async observe(request: RunRequest, output: ObservedOutput, verbosity: Verbosity): Promise<RunReport> {
    const store = await this.#records.open();
    const run = await store.add(newRun(request, await ownIdentity(), this.#deps.settings));
    const order = createRunOrder(run, request, { ...this.#deps, logBase: store.logBase(run) });
    const { done } = await startRun(observedOrder(order), { store, execute: replayOf(output) });
    this.#toRetain.add(run.workspace);
    return this.#beforeRetention(async () => {
      await done;
      return this.report(run.id, verbosity);
    });
  }

  async #authorize(request: RunRequest): Promise<void> {
    const { plan, env, cwd } = request;
    const { permissions, ownFolders } = this.#deps.settings;
    checkPermission(
      {
        ...(plan.tool === undefined ? {} : { tool: plan.tool }),
        argv: plan.argv,
        ...(env === undefined ? {} : { env }),
        place: () => placeOf(request, environmentOf(request, this.#deps), ownFolders),
      },
      permissions,
    );
    await this.#checkFolder(cwd);
  }

  async #start(request: RunRequest, signal?: AbortSignal, check?: PlannedCheck): Promise<ActiveRun> {
    const { settings } = this.#deps;
    const prepared = await prepareRemote(request, () => this.#pool(), { settings, signal });
    const store = await this.#records.open();
    if (request.parts !== undefined && prepared.remote !== undefined)
      return this.#startParts(request, prepared.remote, { store, plans: request.parts });
    const owner = prepared?.remote === undefined ? await ownIdentity() : REMOTE_OWNER;
    const run = await store.add(newRun(request, owner, settings));
    const active = await this.#execute({ run, request, store, check }, prepared).catch(
      async (error: unknown) => {
        await store.finish(run.id, notStarted(run, error));
        throw error;
      },
    );
    this.#active.set(run.id, active);
    void this.#onEnded(active);
    return active;
  }

  /** Starts a command in parts that run at the same time in the pool; the run of the whole belongs to this process. */
  async #startParts(
    request: RunRequest,
    remote: PreparedRun,
    { store, plans }: { readonly store: RunStore; readonly plans: readonly CommandPlan[] },
  ): Promise<ActiveRun> {
    const { settings } = this.#deps;
    const follow = (active: ActiveRun): ActiveRun => {
      this.#active.set(active.run.id, active);
      void this.#onEnded(active);
      return active;
    };
    const run = await store.add(newRun(request, await ownIdentity(), settings));
    const logBase = store.logBase(run);
    // The parts have reports of their own.
    const { reportFile: _, ...order } = createRunOrder(run, request, { ...this.#deps, logBase });
    return follow(
      await startSplitRun({
        order,
        plans,
        store,
        addPart: (plan) => store.add(newRun({ ...request, plan }, REMOTE_OWNER, settings)),
        submitPart: async (part, plan) => follow(await remote.submit(part, store, plan)),
        find: (id) => this.#records.find(id),
        openLog: (id) => this.openLog(id),
      }),
    );
  }

  /** Splits the tests of a folder by what earlier runs took, into as many parts as the workers can run at once. */
  async planParts(
    request: Pick<RunRequest, "plan" | "cwd" | "workspace">,
    folder: FolderFacts,
    wanted: number,
  ): Promise<TestSplit> {
    const pool = wanted < 2 ? undefined : await this.#pool().catch(() => undefined);
    const slots = (await pool?.slots().catch(() => 0)) ?? 0;
    // Without a pool or a worker the run itself says why it is not there.
    if (slots === 0) return {};
    const { notSplit, planByHistory } = await import("./plan/split-tests.ts");
    const count = Math.min(wanted, slots);
    if (count < 2) return notSplit("the workers run only one job at a time");
    const most = this.#deps.settings.retention.count;
    return planByHistory(
      { ...request, folder, count, key: keyOf(request) },
      await this.#records.open(),
      most,
    );
  }

  /** Reports the current state of a run. */
  async report(id: string, verbosity: Verbosity): Promise<RunReport> {
    const run = await this.#records.find(id);
    try {
      return await this.#reportOn(run, verbosity);
    } catch (error) {
      if (run.end !== undefined || !isRemote(run) || !isStoreUnavailable(error)) throw error;
      // The worker continues such a run and keeps its output until the database is available again.
      return {
        ...(await reportRun(run, UNAVAILABLE_POOL, verbosity)),
        waiting: { kind: "pool_unavailable", reason: error.message },
      };
    }
  }

  #reportOn(run: StoredRun, verbosity: Verbosity, reused?: RunReport["reused"]): Promise<RunReport> {
    return this.#reports.run(() => this.#makeReport(run, verbosity, reused));
  }

  async #makeReport(run: StoredRun, verbosity: Verbosity, reused?: RunReport["reused"]): Promise<RunReport> {
    await this.#active.get(run.id)?.lines();
    const waiting = run.end === undefined ? await this.#waiting(run) : undefined;
    const place = isRemote(run) ? await this.#placeOf(run) : undefined;
    const store = await this.#records.open();
    const { treeTimeoutMs } = this.#deps.settings;
    const dependencies = {
      store,
      logs: this.#records.logs,
      ...(treeTimeoutMs === undefined ? {} : { treeTimeoutMs }),
    };
    const report = await reportRun(run, dependencies, verbosity, reused);
    const notices = [...unsavedNotices(run), ...(await this.takeNotices())];
    return {
      ...report,
      ...(waiting === undefined ? {} : { waiting }),
      ...(place === undefined ? {} : { place }),
      ...(notices.length === 0 ? {} : { notices }),
    };
  }

  /** Why a run has not started yet: it is queued here or in the pool. */
  async #waiting(run: StoredRun): Promise<Waiting | undefined> {
    return isRemote(run) ? (await this.#pool())?.waiting(run) : this.#active.get(run.id)?.waiting?.();
  }

  /**
   * The worker that executes a run; undefined if the pool is unavailable, so that the rest of the report is still
   * shown.
   */
  async #placeOf(run: StoredRun): Promise<RunPlace | undefined> {
    try {
      return await (await this.#pool())?.place(run);
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      return undefined;
    }
  }

  /** Reads lines of a run's log; may wait until the run ends or a line matches. */
  async log(query: LogQuery): Promise<LogSlice> {
    await this.#records.find(query.runId);
    if (query.waitMs !== undefined) await waitForLog(query, () => this.#state(query.runId));
    const state = await this.#state(query.runId);
    const view = query.stream === "view" ? state.run.findings?.view : undefined;
    return readLog(
      query,
      view === undefined ? state : { ...state, open: () => Promise.resolve(viewLog(view)) },
    );
  }

  /** Opens the whole log of a run; the caller must close it. */
  async openLog(id: string): Promise<LogSource> {
    const { run, open } = await this.#state(id);
    return (await open()) ?? Promise.reject(missingLogError(run));
  }

  /** The workspace's runs, the newest first. */
  list(workspace: string, limit: number): Promise<readonly StoredRun[]> {
    return this.#records.list(workspace, limit);
  }

  /** The workspaces of this machine that have runs and may be shown, the one with the newest run first. */
  workspaces(): Promise<readonly string[]> {
    return this.#records.workspaces();
  }

  /** Finds the lines of a run's log that match a regular expression, without reading their text. */
  async search({ id, ...search }: LogSearch & { readonly id: string }): Promise<LogMatches> {
    const log = await this.openLog(id);
    try {
      return await searchLog(log, search);
    } finally {
      await log.close();
    }
  }

  /** Compares a run with any other one, which counts as the earlier of the two. */
  async compare(id: string, earlierId: string): Promise<RunDelta | undefined> {
    const [run, earlier] = [await this.#records.find(id), await this.#records.find(earlierId)];
    return (await compareWith(run, earlier))?.delta;
  }

  /** How the tests of a workspace fared in its latest runs. */
  async history(workspace: string, limit: number): Promise<RunHistory> {
    const store = await this.#records.open();
    return runHistory(await this.#records.list(workspace, limit), store);
  }

  /** The test files that failed when their command last ran, each with the run. */
  async failedTestFiles(workspace: string): Promise<ReadonlyMap<string, string>> {
    return failedTestFiles(workspace, await this.#records.open());
  }

  /** Ends a run and all processes of its command, even if another Pith server started it. */
  async stop(id: string): Promise<RunReport> {
    const run = await this.#records.find(id);
    const active = this.#active.get(id);
    if (run.end === undefined) await (await this.#records.open()).askToStop(id);
    if (active !== undefined) {
      active.stop();
      await active.done;
    } else if (run.end === undefined) {
      if (run.host !== undefined && !isRemote(run)) throw runsElsewhereError(run, run.host);
      if (isRemote(run)) await (await this.#pool())?.stop(run);
      else await this.#endForeignRun(run);
    }
    return this.report(id, "minimal");
  }

  /** Returns notices about damage to the stored records of runs, each only once. */
  async takeNotices(): Promise<readonly string[]> {
    return (await this.#records.open()).takeSetAside().map(setAsideNotice);
  }

  /** Notes that the caller has disconnected. Its runs go on. */
  detach(): void {
    this.#callerGone.abort();
  }

  /** Ends the runs of this process, except for detached ones, and closes the store. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#supervisors?.close();
    const own = [...this.#active.values()].filter((active) => !active.detached);
    for (const active of own) active.stop();
    await Promise.allSettled(own.map((active) => active.done));
    await this.#records.close();
  }

  /**
   * Executes a run in a supervisor process if the request asks for a detached run and few runs are active, otherwise in
   * this process.
   */
  async #launch(planned: RunOrder, request: RunRequest, store: RunStore): Promise<ActiveRun> {
    const { isolation } = this.#deps.settings;
    const { env, ownEnv, run } = planned;
    const place = { ...request, env, ownEnv, logBase: store.logBase(run) };
    const order =
      isolation === undefined ? planned : { ...planned, enclosure: await enclose(isolation, place) };
    if (request.detached === true && this.#supervisors !== undefined && this.#supervised < MAX_SUPERVISED) {
      const active = this.#supervisors.start(order, store);
      this.#supervised++;
      void Promise.allSettled([active.done]).then(() => this.#supervised--);
      return active;
    }
    const begin = (): Promise<ActiveRun> =>
      startRun(order, { store, execute: withOutputCallback(this.#deps.execute, request.onOutput) });
    return this.#queue.start({ run: order.run, store, begin });
  }

  async #onEnded(active: ActiveRun): Promise<void> {
    await Promise.allSettled([active.done]);
    this.#active.delete(active.run.id);
    if (active.detached && !this.#closed) this.#supervisors?.prepare();
    this.#toRetain.add(active.run.workspace);
    if (this.#working === 0) await this.#retain();
  }

  /**
   * Waits until the process that executes the run has ended it on request, and kills the command if that takes too
   * long.
   */
  async #endForeignRun({ id, owner }: StoredRun): Promise<void> {
    const start = Date.now();
    const script = this.#deps.supervision?.script;
    while (Date.now() < start + STOP_TIMEOUT_MS && (await this.#records.find(id)).end === undefined) {
      if (Date.now() > start + STOP_GRACE_MS) await sweepMarked(markerName(id));
      if (Date.now() > start + KILL_SUPERVISOR_MS && script !== undefined) await killDetached(owner, script);
      await delay(50);
    }
  }

  async #state(id: string) {
    await this.#active.get(id)?.lines();
    const run = await this.#records.find(id);
    return { run, open: () => this.#records.logs.open(run) };
  }

  async #execute(work: Work, { remote, note }: Prepared): Promise<ActiveRun> {
    const { run, request, store, check } = work;
    const order = createRunOrder(run, request, { ...this.#deps, logBase: store.logBase(run), check });
    if (remote === undefined) return this.#launch({ ...order, ...(note && { note }) }, request, store);
    try {
      return await remote.submit(run, store);
    } catch (error) {
      const away = poolUnavailable(error);
      const owner = await ownIdentity();
      await store.adopt(run, owner);
      return this.#launch({ ...order, run: { ...run, owner }, note: away }, request, store);
    }
  }

  async #pool(): Promise<RemoteRuns | undefined> {
    return this.#deps.openRemote?.();
  }

  async #checkFolder(cwd: string): Promise<void> {
    const { roots } = this.#deps.settings;
    if (roots.length > 0) await createJail(roots).resolve(cwd, cwd);
    const found = await stat(cwd).catch(() => undefined);
    if (found?.isDirectory() !== true) throw new PithError("invalid_cwd", `Not a folder: ${cwd}`, { cwd });
  }
}

/** The record of a run that has just been requested. */
function newRun(request: RunRequest, owner: NewRun["owner"], { longIds }: RunSettings): NewRun {
  const { plan, workspace, cwd } = request;
  return {
    workspace,
    command: maskText(plan.display),
    ...(plan.tool === undefined ? {} : { tool: plan.tool }),
    cwd,
    key: keyOf(request),
    startedAt: Date.now(),
    ...(longIds === true && { hasLongId: true }),
    owner,
  };
}

interface Work {
  readonly run: StoredRun;
  readonly request: RunRequest;
  readonly store: RunStore;
  readonly check: PlannedCheck | undefined;
}
