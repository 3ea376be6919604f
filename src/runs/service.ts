import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { EMPTY_LOG, type LogSource } from "../logs/log-source.ts";
import { maskText } from "../security/secrets/mask.ts";
import { markerName, sweepMarked } from "../exec/sweep.ts";
import { isStoreUnavailable, PithError } from "../kernel/errors.ts";
import { contentId } from "../kernel/ids.ts";
import type { LogSlice, RunPlace, RunReport, Verbosity } from "../model/run-report.ts";
import { createJail } from "../workspace/jail.ts";
import {
  type ActiveRun,
  type Executor,
  notStarted,
  type RunOrder,
  startRun,
  watched,
} from "./record/active-run.ts";
import { type LogQuery, notHere, readLog, waitForLog } from "./reply/log-query.ts";
import { EndingKeeper } from "./record/unsaved-results.ts";
import { checkPermission } from "../security/permissions.ts";
import { noSuchRun, noticesOf, runsElsewhere, setAsideNotice } from "./reply/run-errors.ts";
import { poolUnavailable, type Prepared, prepareRemote } from "./record/remote-dispatch.ts";
import { isRemote, REMOTE_OWNER, type RemoteRuns, type RunLogs } from "./record/remote.ts";
import { ownIdentity, recoverRun, recoverRuns } from "./record/recovery.ts";
import { reportRun, UNSEEN } from "./reply/report.ts";
import type { ExecOptions, RunRequest, RunSettings } from "./plan/request.ts";
import { orderOf } from "./plan/run-order.ts";
import type { RunEnding, RunStore, StoredRun } from "./record/store.ts";
import { Supervisors, type Supervision } from "./record/supervised-run.ts";
import { viewLog } from "./shell/view-log.ts";
import { waitForRun } from "./reply/wait-for-run.ts";

export interface RunDependencies {
  readonly settings: RunSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  openStore(): Promise<RunStore>;
  readonly execute: Executor;
  /** How runs outlive this process; absent where they cannot. */
  readonly supervision?: Supervision;
  /** The pool, where there is one; the same at each call. */
  openRemote?(): Promise<RemoteRuns>;
}

const MAX_SUPERVISED = 4;
/** How long another process has to end its run: it looks four times a second, and a tree has two seconds to end by itself... */
const STOP_POLITE_MS = 5_000;
/** ...and how long a run is waited for whose processes were killed from here. */
const STOP_PATIENCE_MS = 15_000;
/** Starts commands, keeps their records and logs, and answers for them. */
export class RunService {
  readonly #deps: RunDependencies;
  readonly #supervisors: Supervisors | undefined;
  readonly #active = new Map<string, ActiveRun>();
  #store: Promise<RunStore> | undefined;
  readonly #callerGone = new AbortController();
  #closed = false;

  constructor(deps: RunDependencies) {
    this.#deps = deps;
    this.#supervisors = deps.supervision && new Supervisors(deps.supervision);
  }

  /** Runs a command and reports on it: when it has ended, or as running when the answer time is over. */
  async exec(request: RunRequest, options: ExecOptions): Promise<RunReport> {
    const active = await this.start(request, options.signal);
    const answerMs = options.answerMs ?? this.#deps.settings.answerMs;
    const gone = this.#callerGone.signal;
    await waitForRun(active, { ...options, answerMs, isTest: request.plan.isTest, logs: this.#logs, gone });
    return this.report(active.run.id, options.verbosity);
  }

  /** Starts a command without waiting for it. */
  async start(request: RunRequest, signal?: AbortSignal): Promise<ActiveRun> {
    const { settings } = this.#deps;
    const { plan } = request;
    checkPermission(
      {
        ...(plan.tool === undefined ? {} : { tool: plan.tool }),
        commands: plan.commands,
        ...(request.env === undefined ? {} : { env: request.env }),
      },
      settings.permissions,
    );
    await this.#checkFolder(request.cwd);
    const prepared = await prepareRemote(request, () => this.#pool(), { settings, signal });
    const store = await this.#open();
    const run = await store.add({
      workspace: request.workspace,
      command: maskText(plan.display),
      ...(plan.tool === undefined ? {} : { tool: plan.tool }),
      cwd: request.cwd,
      key: contentId([request.cwd, ...(plan.key === undefined ? plan.argv : [plan.key])].join("\0")),
      startedAt: Date.now(),
      owner: prepared?.remote === undefined ? await ownIdentity() : REMOTE_OWNER,
    });
    const active = await this.#begin({ run, request, store }, prepared).catch(async (error: unknown) => {
      await store.finish(run.id, notStarted(run, error));
      throw error;
    });
    this.#active.set(run.id, active);
    void this.#retire(active, store);
    return active;
  }

  /** What there is to say of a run now. */
  async report(id: string, verbosity: Verbosity): Promise<RunReport> {
    const run = await this.#find(id);
    try {
      return await this.#reportOn(run, verbosity);
    } catch (error) {
      if (run.end !== undefined || !isRemote(run) || !isStoreUnavailable(error)) throw error;
      // Its worker goes on with it, and keeps what it prints until the database is back.
      return {
        ...(await reportRun(run, UNSEEN, verbosity)),
        waiting: `in the pool, which is away (${error.message})`,
      };
    }
  }

  async #reportOn(run: StoredRun, verbosity: Verbosity): Promise<RunReport> {
    await this.#active.get(run.id)?.lines();
    const waiting =
      run.end === undefined && isRemote(run) ? await (await this.#pool())?.waiting(run) : undefined;
    const place = isRemote(run) ? await this.#placeOf(run) : undefined;
    const store = await this.#open();
    const report = await reportRun(run, { store, logs: this.#logs }, verbosity);
    const notices = [...noticesOf(run), ...(await this.takeNotices())];
    return {
      ...report,
      ...(waiting === undefined ? {} : { waiting }),
      ...(place === undefined ? {} : { place }),
      ...(notices.length === 0 ? {} : { notices }),
    };
  }

  /** A pool that is away keeps nobody from the rest of the report. */
  async #placeOf(run: StoredRun): Promise<RunPlace | undefined> {
    try {
      return await (await this.#pool())?.place(run);
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      return undefined;
    }
  }

  /** Lines of a run's log; may wait for the run to end or for a line to come. */
  async log(query: LogQuery): Promise<LogSlice> {
    await this.#find(query.runId);
    if (query.waitMs !== undefined) await waitForLog(query, () => this.#state(query.runId));
    const state = await this.#state(query.runId);
    const view = query.stream === "view" ? state.run.findings?.view : undefined;
    return readLog(
      query,
      view === undefined ? state : { ...state, open: () => Promise.resolve(viewLog(view)) },
    );
  }

  /** The whole log of a run, to be closed by who reads it. */
  async openLog(id: string): Promise<LogSource> {
    const { run, open } = await this.#state(id);
    return (await open()) ?? Promise.reject(notHere(run));
  }

  /** The workspace's runs, the newest first. */
  async list(workspace: string, limit: number): Promise<readonly StoredRun[]> {
    const store = await this.#open();
    return Promise.all((await store.list(workspace, limit)).map((run) => this.#asItIs(run, store)));
  }

  /** Ends a run and its whole tree, also one of another server. */
  async stop(id: string): Promise<RunReport> {
    const run = await this.#find(id);
    const active = this.#active.get(id);
    if (run.end === undefined) await (await this.#open()).askToStop(id);
    if (active !== undefined) {
      active.stop();
      await active.done;
    } else if (run.end === undefined) {
      if (run.host !== undefined && !isRemote(run)) throw runsElsewhere(run, run.host);
      if (isRemote(run)) await (await this.#pool())?.stop(run);
      else await this.#endElsewhere(id);
    }
    return this.report(id, "minimal");
  }

  /** What befell the store of runs, each once. */
  async takeNotices(): Promise<readonly string[]> {
    return (await this.#open()).takeSetAside().map(setAsideNotice);
  }

  /** The caller is gone: what it would cancel by that goes on. */
  detach(): void {
    this.#callerGone.abort();
  }

  /** Ends the runs of this process, but for those that outlive it, and closes the store. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#supervisors?.close();
    const own = [...this.#active.values()].filter((active) => !active.detached);
    for (const active of own) active.stop();
    await Promise.allSettled(own.map((active) => active.done));
    const store = this.#store;
    this.#store = undefined;
    // One that could not be opened was reported to who wanted it.
    await (await store?.catch(() => undefined))?.close();
  }

  /** A process for each run is too much where many run at once: those beyond a few stay in this one. */
  async #launch(order: RunOrder, request: RunRequest, store: RunStore): Promise<ActiveRun> {
    const supervise = request.detached === true && this.#active.size < MAX_SUPERVISED;
    const supervised = supervise ? this.#supervisors?.start(order, store) : undefined;
    return supervised ?? startRun(order, { store, execute: watched(this.#deps.execute, request.onOutput) });
  }

  async #retire(active: ActiveRun, store: RunStore): Promise<void> {
    await Promise.allSettled([active.done]);
    this.#active.delete(active.run.id);
    if (active.detached && !this.#closed) this.#supervisors?.prepare();
    // A store that refuses, or is closed meanwhile, keeps more than it should: the end of the next run tries again.
    if (!this.#closed)
      await store.retain(active.run.workspace, this.#deps.settings.retention).catch(() => undefined);
  }

  /** Whoever runs it has been asked, and ends it as its own. What does not end by that is ended from here. */
  async #endElsewhere(id: string): Promise<void> {
    const start = Date.now();
    while (Date.now() < start + STOP_PATIENCE_MS && (await this.#find(id)).end === undefined) {
      if (Date.now() > start + STOP_POLITE_MS) await sweepMarked(markerName(id));
      await delay(50);
    }
  }

  async #state(id: string) {
    await this.#active.get(id)?.lines();
    const run = await this.#find(id);
    return { run, open: () => this.#logs.open(run) };
  }

  async #find(id: string): Promise<StoredRun> {
    const store = await this.#open();
    const run = await store.get(id);
    if (run === undefined) {
      const { count } = this.#deps.settings.retention;
      throw noSuchRun(id, {
        count,
        wasRemoved: await store.wasRemoved(id),
        setAside: store.setAside(),
      });
    }
    return this.#active.has(id) ? run : this.#asItIs(run, store);
  }

  /** A run whose record says that it goes on may have ended while nobody looked. */
  async #asItIs(run: StoredRun, store: RunStore): Promise<StoredRun> {
    if (run.end !== undefined) return run;
    if (!isRemote(run)) return recoverRun(run, store);
    const ending = await this.#endingOf(run);
    if (ending === undefined) return run;
    await store.finish(run.id, ending);
    return (await store.get(run.id)) ?? run;
  }

  /** Undefined while nobody can tell. */
  async #endingOf(run: StoredRun): Promise<RunEnding | undefined> {
    try {
      return await (await this.#pool())?.ending(run);
    } catch (error) {
      if (isStoreUnavailable(error)) return undefined;
      throw error;
    }
  }

  readonly #logs: RunLogs = {
    open: async (run) => {
      if (isRemote(run)) return (await this.#pool())?.openLog(run);
      const log = await (await this.#open()).openLog(run);
      // A process that was just started has no files yet: nothing was removed.
      return log ?? (run.end === undefined && run.host === undefined ? EMPTY_LOG : undefined);
    },
  };

  async #begin(work: Work, { remote, note }: Prepared): Promise<ActiveRun> {
    const { run, request, store } = work;
    const order = orderOf(run, request, { ...this.#deps, logBase: store.logBase(run) });
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

  #open(): Promise<RunStore> {
    this.#store ??= this.#openAndRecover().catch((error: unknown) => {
      // The next call tries again: a full disk may be free by then.
      this.#store = undefined;
      throw error;
    });
    return this.#store;
  }

  async #openAndRecover(): Promise<RunStore> {
    const store = new EndingKeeper(await this.#deps.openStore());
    await recoverRuns(store);
    return store;
  }
}

interface Work {
  readonly run: StoredRun;
  readonly request: RunRequest;
  readonly store: RunStore;
}
