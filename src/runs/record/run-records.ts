import { EMPTY_LOG } from "../../logs/log-source.ts";
import { isStoreUnavailable } from "../../kernel/errors.ts";
import { noSuchRunError } from "../reply/run-errors.ts";
import { recoverRun, recoverRuns } from "./recovery.ts";
import { isRemote, type RemoteRuns, type RunLogs } from "./remote.ts";
import type { Retention, RunEnding, RunStore, StoredRun } from "./store.ts";
import { UnsavedResults } from "./unsaved-results.ts";

/** The runs that a server may show and stop, because their ids alone do not prove that a caller may know them. */
export interface RunScope {
  /** The workspace of the server. */
  readonly home: string;
  /** Checks whether a folder is inside the folders that the server serves. */
  contains(workspace: string): Promise<boolean>;
}

interface RunRecordsDependencies {
  openStore(): Promise<RunStore>;
  openPool(): Promise<RemoteRuns | undefined>;
  readonly retention: Retention;
  readonly scope?: RunScope;
  /** Checks whether this process started the run and still follows it. */
  isActive(id: string): boolean;
}

/** Upper bound on the listed runs among which one is searched. */
const MAX_LISTED = 1_000;

/** Reads the records and logs of runs. A record whose run has ended unnoticed is updated first. */
export class RunRecords {
  readonly #deps: RunRecordsDependencies;
  #store: Promise<RunStore> | undefined;

  constructor(deps: RunRecordsDependencies) {
    this.#deps = deps;
  }

  /** Opens the store at the first call, and finishes the records of runs whose Pith process died. */
  open(): Promise<RunStore> {
    this.#store ??= this.#openAndRecover().catch((error: unknown) => {
      // A failed attempt is forgotten, so that the next call tries again; a full disk may have space by then.
      this.#store = undefined;
      throw error;
    });
    return this.#store;
  }

  async close(): Promise<void> {
    const store = this.#store;
    this.#store = undefined;
    // If the store could not be opened, the caller that needed it already got the error.
    await (await store?.catch(() => undefined))?.close();
  }

  /** The record of a run; an unknown id throws `run_not_found`. */
  async find(id: string): Promise<StoredRun> {
    const store = await this.open();
    const run = await store.get(id);
    const { count } = this.#deps.retention;
    if (run === undefined)
      throw noSuchRunError(id, { count, wasRemoved: await store.wasRemoved(id), setAside: store.setAside() });
    // A run of another workspace is answered like one that does not exist.
    if (!(await this.#isInScope(run, store)))
      throw noSuchRunError(id, { count, wasRemoved: false, setAside: store.setAside() });
    return this.#deps.isActive(id) ? run : this.#update(run, store);
  }

  /** A run is in scope if its workspace is, or if it is listed there, as runs of other clones are by a team's store. */
  async #isInScope(run: StoredRun, store: RunStore): Promise<boolean> {
    const { scope } = this.#deps;
    if (scope === undefined || this.#deps.isActive(run.id) || (await scope.contains(run.workspace)))
      return true;
    const listed = await store.list(scope.home, MAX_LISTED);
    return listed.some(({ id }) => id === run.id);
  }

  /** The workspace's runs, the newest first. */
  async list(workspace: string, limit: number): Promise<readonly StoredRun[]> {
    const store = await this.open();
    return Promise.all((await store.list(workspace, limit)).map((run) => this.#update(run, store)));
  }

  /** The workspaces of this machine that have runs and may be shown, the one with the newest run first. */
  async workspaces(): Promise<readonly string[]> {
    const { scope } = this.#deps;
    const all = await (await this.open()).workspaces();
    if (scope === undefined) return all;
    const inScope = await Promise.all(all.map((workspace) => scope.contains(workspace)));
    return all.filter((_workspace, place) => inScope[place]);
  }

  readonly logs: RunLogs = {
    open: async (run) => {
      if (isRemote(run)) return (await this.#deps.openPool())?.openLog(run);
      const log = await (await this.open()).openLog(run);
      // A run that has just started, or was stopped before it started, has no log files because nothing was written.
      const isEmpty = run.host === undefined && (run.end === undefined || run.log.bytes === 0);
      return log ?? (isEmpty ? EMPTY_LOG : undefined);
    },
  };

  /**
   * Updates the record of a run that is stored as running: if the run has ended meanwhile, its result is stored now.
   */
  async #update(run: StoredRun, store: RunStore): Promise<StoredRun> {
    if (run.end !== undefined) return run;
    if (!isRemote(run)) return recoverRun(run, store);
    const ending = await this.#remoteEnding(run);
    if (ending === undefined) return run;
    await store.finish(run.id, ending);
    return (await store.get(run.id)) ?? run;
  }

  /** The result of a run in the pool; undefined while the run goes on or the pool is unavailable. */
  async #remoteEnding(run: StoredRun): Promise<RunEnding | undefined> {
    try {
      return await (await this.#deps.openPool())?.ending(run);
    } catch (error) {
      if (isStoreUnavailable(error)) return undefined;
      throw error;
    }
  }

  async #openAndRecover(): Promise<RunStore> {
    const store = new UnsavedResults(await this.#deps.openStore());
    await recoverRuns(store);
    return store;
  }
}
