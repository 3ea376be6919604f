import { isStoreUnavailable } from "../../kernel/errors.ts";
import { maxOpenFiles } from "../../kernel/files/max-open-files.ts";
import { createSemaphore } from "../../kernel/semaphore.ts";
import type { LogSource } from "../../logs/log-source.ts";
import type { LogSlice, RunPlace, RunReport, Verbosity } from "../../model/run-report.ts";
import type { Waiting } from "../../model/waiting.ts";
import type { ActiveRun } from "../record/active-run.ts";
import { isRemote, type RemoteRuns } from "../record/remote.ts";
import type { RunRecords } from "../record/run-records.ts";
import type { StoredRun } from "../record/store.ts";
import { viewLog } from "../shell/filtered-view.ts";
import { type LogQuery, missingLogError, readLog, waitForLog } from "./log-query.ts";
import { type LogMatches, type LogSearch, searchLog } from "./log-search.ts";
import { reportRun, UNAVAILABLE_POOL } from "./report.ts";
import { setAsideNotice, unsavedNotices } from "./run-errors.ts";

/** Reports that are made at the same time, because each opens log files; fewer if this process may open only few. */
const FILES_PER_REPORT = 32;
const MIN_REPORTS = 4;

interface ReaderDependencies {
  readonly records: RunRecords;
  /** The runs of this process that have not ended, by id. */
  readonly active: ReadonlyMap<string, ActiveRun>;
  openPool(): Promise<RemoteRuns | undefined>;
  /** See RunSettings. */
  readonly treeTimeoutMs: number | undefined;
}

/** Reports on runs, whoever executes them, and reads their logs. */
export class RunReader {
  readonly #deps: ReaderDependencies;
  readonly #reports = createSemaphore(Math.max(MIN_REPORTS, Math.floor(maxOpenFiles() / FILES_PER_REPORT)));

  constructor(deps: ReaderDependencies) {
    this.#deps = deps;
  }

  /** Reports the current state of a run. */
  async report(id: string, verbosity: Verbosity): Promise<RunReport> {
    const run = await this.#deps.records.find(id);
    try {
      return await this.reportOn(run, verbosity);
    } catch (error) {
      if (run.end !== undefined || !isRemote(run) || !isStoreUnavailable(error)) throw error;
      // The worker continues such a run and keeps its output until the database is available again.
      return {
        ...(await reportRun(run, UNAVAILABLE_POOL, verbosity)),
        waiting: { kind: "pool_unavailable", reason: error.message },
      };
    }
  }

  /** Reports on a record that was just read; `reused` says that it answers a later command. */
  reportOn(run: StoredRun, verbosity: Verbosity, reused?: RunReport["reused"]): Promise<RunReport> {
    return this.#reports.run(() => this.#makeReport(run, verbosity, reused));
  }

  /** Returns notices about damage to the stored records of runs, each only once. */
  async takeNotices(): Promise<readonly string[]> {
    return (await this.#deps.records.open()).takeSetAside().map(setAsideNotice);
  }

  /** Reads lines of a run's log; may wait until the run ends or a line matches. */
  async log(query: LogQuery): Promise<LogSlice> {
    await this.#deps.records.find(query.runId);
    if (query.waitMs !== undefined) await waitForLog(query, () => this.#state(query.runId));
    const state = await this.#state(query.runId);
    const view = query.stream === "view" ? state.run.findings?.view : undefined;
    const slice = await readLog(
      query,
      view === undefined ? state : { ...state, open: () => Promise.resolve(viewLog(view)) },
    );
    const waiting = slice.totalLines > 0 ? undefined : await this.waiting(state.run);
    return waiting === undefined ? slice : { ...slice, waiting };
  }

  /** Why a run has not started, if it has not. A pool that cannot be asked keeps neither its log back nor a list of runs. */
  async waiting(run: StoredRun): Promise<Waiting | undefined> {
    if (run.end !== undefined) return undefined;
    return this.#waiting(run).catch((error: unknown) => {
      if (!isStoreUnavailable(error)) throw error;
      return { kind: "pool_unavailable", reason: error.message };
    });
  }

  /** Opens the whole log of a run; the caller must close it. */
  async openLog(id: string): Promise<LogSource> {
    const { run, open } = await this.#state(id);
    return (await open()) ?? Promise.reject(missingLogError(run));
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

  async #makeReport(run: StoredRun, verbosity: Verbosity, reused?: RunReport["reused"]): Promise<RunReport> {
    const { records, active, treeTimeoutMs } = this.#deps;
    await active.get(run.id)?.lines();
    const waiting = run.end === undefined ? await this.#waiting(run) : undefined;
    const place = isRemote(run) ? await this.#placeOf(run) : undefined;
    const dependencies = {
      store: await records.open(),
      logs: records.logs,
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
    if (isRemote(run)) return (await this.#deps.openPool())?.waiting(run);
    return this.#deps.active.get(run.id)?.waiting?.();
  }

  /**
   * The worker that executes a run; undefined if the pool is unavailable, so that the rest of the report is still
   * shown.
   */
  async #placeOf(run: StoredRun): Promise<RunPlace | undefined> {
    try {
      return await (await this.#deps.openPool())?.place(run);
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      return undefined;
    }
  }

  async #state(id: string) {
    await this.#deps.active.get(id)?.lines();
    const run = await this.#deps.records.find(id);
    return { run, open: () => this.#deps.records.logs.open(run) };
  }
}
