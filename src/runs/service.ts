import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { maskText } from "../exec/redactor.ts";
import { markerName, sweepMarked } from "../exec/sweep.ts";
import { PithError } from "../kernel/errors.ts";
import { contentId } from "../kernel/ids.ts";
import type { RunReport, LogSlice, Verbosity } from "../model/run-report.ts";
import { createJail } from "../workspace/jail.ts";
import { type ActiveRun, type Executor, startRun } from "./active-run.ts";
import { commandEnvironment } from "./environment.ts";
import { type LogQuery, readLog, waitForLog } from "./log-query.ts";
import { checkPermission, type PermissionRules } from "./permissions.ts";
import type { CommandPlan } from "./plan.ts";
import { ownIdentity, recoverRun, recoverRuns } from "./recovery.ts";
import { reportRun } from "./report.ts";
import type { Retention, RunStore, StoredRun } from "./store.ts";

export interface RunSettings {
  /** A call that lasts longer is answered `running`. */
  readonly answerMs: number;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly reports: boolean;
  readonly retention: Retention;
  readonly permissions: PermissionRules;
  /** Folders a command may work in; empty for no limit beyond the caller's own. */
  readonly roots: readonly string[];
  /** Which environment variables pass. */
  readonly passEnvironment: readonly string[];
}

export interface RunDependencies {
  readonly settings: RunSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  openStore(): Promise<RunStore>;
  readonly execute: Executor;
}

export interface RunRequest {
  /** The root the run belongs to. */
  readonly workspace: string;
  readonly cwd: string;
  readonly plan: CommandPlan;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export interface ExecOptions {
  readonly verbosity: Verbosity;
  /** How long to wait for the end; left out, the configured answer time. */
  readonly answerMs?: number;
  readonly progress?: (message: string) => void;
  /** Ends the run, as long as the call waits for it. */
  readonly signal?: AbortSignal;
}

/** How often a waiting caller hears of progress; the sender decides what goes out. */
const PROGRESS_MS = 500;

/** Starts commands, keeps their records and logs, and answers for them. */
export class RunService {
  readonly #deps: RunDependencies;
  readonly #active = new Map<string, ActiveRun>();
  #store: Promise<RunStore> | undefined;

  constructor(deps: RunDependencies) {
    this.#deps = deps;
  }

  /** Runs a command and reports on it: when it has ended, or as running when the answer time is over. */
  async exec(request: RunRequest, options: ExecOptions): Promise<RunReport> {
    const active = await this.start(request);
    const answerMs = options.answerMs ?? this.#deps.settings.answerMs;
    await this.#waitFor(active, { ...options, answerMs });
    return this.report(active.run.id, options.verbosity);
  }

  /** Starts a command without waiting for it. */
  async start(request: RunRequest): Promise<ActiveRun> {
    const { settings, environment } = this.#deps;
    const { plan } = request;
    checkPermission(
      { ...(plan.tool === undefined ? {} : { tool: plan.tool }), commands: plan.commands },
      settings.permissions,
    );
    await this.#checkFolder(request.cwd);
    const store = await this.#open();
    const run = await store.add({
      workspace: request.workspace,
      command: maskText(plan.display),
      ...(plan.tool === undefined ? {} : { tool: plan.tool }),
      cwd: request.cwd,
      key: contentId([request.cwd, ...plan.argv].join("\0")),
      startedAt: Date.now(),
      owner: await ownIdentity(),
    });
    const env = commandEnvironment({
      base: environment,
      pass: settings.passEnvironment,
      cwd: request.cwd,
      root: request.workspace,
      ...(request.env === undefined ? {} : { extra: request.env }),
    });
    const timeoutMs = request.timeoutMs ?? settings.timeoutMs;
    const active = await startRun(run, {
      ...settings,
      store,
      execute: this.#deps.execute,
      plan,
      env,
      timeoutMs,
    });
    this.#active.set(run.id, active);
    void this.#retire(active, store);
    return active;
  }

  /** What there is to say of a run now. */
  async report(id: string, verbosity: Verbosity): Promise<RunReport> {
    const run = await this.#find(id);
    await this.#active.get(id)?.flushed();
    return reportRun(run, await this.#open(), verbosity);
  }

  /** Lines of a run's log; may wait for the run to end or for a line to come. */
  async log(query: LogQuery): Promise<LogSlice> {
    await this.#find(query.runId);
    const store = await this.#open();
    if (query.waitMs !== undefined) await waitForLog(query, () => this.#state(query.runId, store));
    return readLog(query, await this.#state(query.runId, store));
  }

  /** The workspace's runs, the newest first. */
  async list(workspace: string, limit: number): Promise<readonly StoredRun[]> {
    const store = await this.#open();
    return Promise.all((await store.list(workspace, limit)).map((run) => recoverRun(run, store)));
  }

  /** Ends a run and its whole tree, also one of another server. */
  async stop(id: string): Promise<RunReport> {
    const run = await this.#find(id);
    const active = this.#active.get(id);
    if (active !== undefined) {
      active.stop();
      await active.done;
    } else if (run.end === undefined) {
      await sweepMarked(markerName(id));
      await this.#untilEnded(id);
    }
    return this.report(id, "minimal");
  }

  /** Resolves when no run is in progress here: a server whose client is gone stays until then. */
  async drain(): Promise<void> {
    while (this.#active.size > 0) await Promise.allSettled([...this.#active.values()].map((one) => one.done));
  }

  /** Ends all runs of this process and closes the store. */
  async close(): Promise<void> {
    for (const active of this.#active.values()) active.stop();
    await this.drain();
    const store = this.#store;
    this.#store = undefined;
    // One that could not be opened was reported to who wanted it.
    (await store?.catch(() => undefined))?.close();
  }

  async #waitFor(active: ActiveRun, options: ExecOptions & { readonly answerMs: number }): Promise<void> {
    const { signal, progress } = options;
    const onAbort = (): void => active.stop();
    signal?.addEventListener("abort", onAbort, { once: true });
    const ticker = setInterval(() => progress?.(progressOf(active)), PROGRESS_MS);
    const timer = new AbortController();
    try {
      await Promise.race([active.done, delay(options.answerMs, undefined, { signal: timer.signal })]);
      if (signal?.aborted) await active.done;
    } finally {
      timer.abort();
      clearInterval(ticker);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async #retire(active: ActiveRun, store: RunStore): Promise<void> {
    await Promise.allSettled([active.done]);
    this.#active.delete(active.run.id);
    await store.retain(active.run.workspace, this.#deps.settings.retention);
  }

  /** Another server's run ends when that server has seen its processes end. */
  async #untilEnded(id: string): Promise<void> {
    const deadline = Date.now() + 5_000;
    while (Date.now() < deadline && (await this.#find(id)).end === undefined) await delay(50);
  }

  async #state(id: string, store: RunStore) {
    await this.#active.get(id)?.flushed();
    const run = await this.#find(id);
    return { run, base: store.logBase(run) };
  }

  async #find(id: string): Promise<StoredRun> {
    const store = await this.#open();
    const run = await store.get(id);
    if (run === undefined) throw await this.#missing(id, store);
    return run.end === undefined && !this.#active.has(id) ? recoverRun(run, store) : run;
  }

  async #missing(id: string, store: RunStore): Promise<PithError> {
    const { count } = this.#deps.settings.retention;
    const shown = JSON.stringify(id.slice(0, 40));
    return (await store.wasRemoved(id))
      ? new PithError(
          "run_not_found",
          `Run ${shown} is no longer kept: the last ${count} completed runs of a workspace are`,
        )
      : new PithError(
          "run_not_found",
          `No run ${shown}; the last ${count} completed runs of a workspace are kept`,
          {
            suggestion: "Check the id, or run the command again.",
          },
        );
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
    const store = await this.#deps.openStore();
    await recoverRuns(store);
    return store;
  }
}

function progressOf(active: ActiveRun): string {
  const seconds = Math.round((Date.now() - active.run.startedAt) / 1000);
  return `${active.run.command.slice(0, 80)}: ${active.log.lines} lines, ${seconds} s`;
}
