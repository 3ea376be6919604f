import { setMaxListeners } from "node:events";
import type { FolderFacts } from "../diagnostics/tool.ts";
import type { LogSource } from "../logs/log-source.ts";
import type { RunHistory } from "../model/run-history.ts";
import type { LogSlice, RunDelta, RunReport, Verbosity } from "../model/run-report.ts";
import type { Waiting } from "../model/waiting.ts";
import type { RunDependencies } from "./dependencies.ts";
import { authorize } from "./plan/authorize.ts";
import type { ExecOptions, RunRequest } from "./plan/request.ts";
import { createRunOrder } from "./plan/run-order.ts";
import type { TestSplit } from "./plan/split-tests.ts";
import { type ActiveRun, startRun } from "./record/active-run.ts";
import { DeferredRetention } from "./record/deferred-retention.ts";
import { endForeignRun } from "./record/end-foreign-run.ts";
import { newRun } from "./record/new-run.ts";
import { type ObservedOutput, observedOrder, replayOf } from "./record/observed-run.ts";
import { ownIdentity } from "./record/recovery.ts";
import { isRemote } from "./record/remote.ts";
import { RunRecords } from "./record/run-records.ts";
import { RunStarter } from "./record/run-starter.ts";
import type { StoredRun } from "./record/store.ts";
import { failedTestFiles } from "./reply/failed-files.ts";
import type { LogQuery } from "./reply/log-query.ts";
import type { LogMatches, LogSearch } from "./reply/log-search.ts";
import { compareWith } from "./reply/run-delta.ts";
import { runsElsewhereError } from "./reply/run-errors.ts";
import { runHistory } from "./reply/run-history.ts";
import { RunReader } from "./reply/run-reader.ts";
import { waitForRun } from "./reply/wait-for-run.ts";
import { keyOf, LastAnswers } from "./reuse/last-answer.ts";

/** Starts commands, stores their records and logs, and reports on them. */
export class RunService {
  readonly #deps: RunDependencies;
  /** The runs of this process that have not ended, by id. */
  readonly #active = new Map<string, ActiveRun>();
  readonly #records: RunRecords;
  readonly #answers: LastAnswers;
  readonly #retention: DeferredRetention;
  readonly #reader: RunReader;
  readonly #starter: RunStarter;
  readonly #callerGone = new AbortController();

  constructor(deps: RunDependencies) {
    this.#deps = deps;
    // Every call that waits for a run listens to this signal, and there may be many.
    setMaxListeners(0, this.#callerGone.signal);
    const openPool = async () => deps.openRemote?.();
    this.#answers = new LastAnswers(deps);
    const records = new RunRecords({
      openStore: deps.openStore.bind(deps),
      openPool,
      retention: deps.settings.retention,
      isActive: (id) => this.#active.has(id),
      ...(deps.scope && { scope: deps.scope }),
    });
    this.#records = records;
    this.#retention = new DeferredRetention(records, deps.settings.retention);
    const { treeTimeoutMs } = deps.settings;
    this.#reader = new RunReader({ records, active: this.#active, openPool, treeTimeoutMs });
    this.#starter = new RunStarter({
      runs: deps,
      records,
      active: this.#active,
      openLog: (id) => this.openLog(id),
      onEnded: (workspace) => this.#retention.ended(workspace),
    });
  }

  /**
   * Runs a command and returns a report when it has ended. If it takes longer than the answer time, the report says
   * that it is running.
   */
  async exec(request: RunRequest, options: ExecOptions): Promise<RunReport> {
    await authorize(request, this.#deps);
    const check = await this.#answers.prepare(request, () => this.#records.open());
    const isOpen = check !== undefined && request.isForced !== true;
    const same = isOpen ? await this.#answers.find(check, await this.#records.open()) : undefined;
    if (same !== undefined) return this.#reader.reportOn(same.run, options.verbosity, same);
    const answerMs = options.answerMs ?? this.#deps.settings.answerMs;
    const gone = this.#callerGone.signal;
    return this.#retention.during(async () => {
      const active = await this.#starter.start(request, options.signal, check?.planned);
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

  /** Starts a command without waiting for it. */
  async start(request: RunRequest, signal?: AbortSignal): Promise<ActiveRun> {
    await authorize(request, this.#deps);
    return this.#starter.start(request, signal);
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
    return this.#retention.during(async () => {
      await this.#retention.ended(run.workspace);
      await done;
      return this.report(run.id, verbosity);
    });
  }

  /** Splits the tests of a folder by what earlier runs took, into as many parts as the workers can run at once. */
  async planParts(
    request: Pick<RunRequest, "plan" | "cwd" | "workspace">,
    folder: FolderFacts,
    wanted: number,
  ): Promise<TestSplit> {
    const pool = wanted < 2 ? undefined : await this.#deps.openRemote?.().catch(() => undefined);
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
  report(id: string, verbosity: Verbosity): Promise<RunReport> {
    return this.#reader.report(id, verbosity);
  }

  /** Reads lines of a run's log; may wait until the run ends or a line matches. */
  log(query: LogQuery): Promise<LogSlice> {
    return this.#reader.log(query);
  }

  /** Opens the whole log of a run; the caller must close it. */
  openLog(id: string): Promise<LogSource> {
    return this.#reader.openLog(id);
  }

  /** Finds the lines of a run's log that match a regular expression, without reading their text. */
  search(search: LogSearch & { readonly id: string }): Promise<LogMatches> {
    return this.#reader.search(search);
  }

  /** Returns notices about damage to the stored records of runs, each only once. */
  takeNotices(): Promise<readonly string[]> {
    return this.#reader.takeNotices();
  }

  /** The workspace's runs, the newest first. */
  list(workspace: string, limit: number): Promise<readonly StoredRun[]> {
    return this.#records.list(workspace, limit);
  }

  /** Why runs of a list have not started, by id; those that have started or ended are absent. */
  async waiting(listed: readonly StoredRun[]): Promise<ReadonlyMap<string, Waiting>> {
    const open = listed.filter(({ end }) => end === undefined);
    const found = await Promise.all(
      open.map(async (run) => [run.id, await this.#reader.waiting(run)] as const),
    );
    return new Map(found.flatMap(([id, waiting]) => (waiting === undefined ? [] : [[id, waiting]])));
  }

  /** The workspaces of this machine that have runs and may be shown, the one with the newest run first. */
  workspaces(): Promise<readonly string[]> {
    return this.#records.workspaces();
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
      if (isRemote(run)) await (await this.#deps.openRemote?.())?.stop(run);
      else await endForeignRun(run, this.#records, this.#deps.supervision?.script);
    }
    return this.report(id, "minimal");
  }

  /** Notes that the caller has disconnected. Its runs go on. */
  detach(): void {
    this.#callerGone.abort();
  }

  /** Ends the runs of this process, except for detached ones, and closes the store. */
  async close(): Promise<void> {
    this.#retention.close();
    await this.#starter.close();
    await this.#records.close();
  }
}
