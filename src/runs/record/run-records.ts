import { EMPTY_LOG } from "../../logs/log-source.ts";
import { isStoreUnavailable } from "../../kernel/errors.ts";
import { noSuchRunError } from "../reply/run-errors.ts";
import { recoverRun, recoverRuns } from "./recovery.ts";
import { isRemote, type RemoteRuns, type RunLogs } from "./remote.ts";
import type { Retention, RunEnding, RunStore, StoredRun } from "./store.ts";
import { UnsavedResults } from "./unsaved-results.ts";

interface RunRecordsDependencies {
  openStore(): Promise<RunStore>;
  openPool(): Promise<RemoteRuns | undefined>;
  readonly retention: Retention;
  /** Checks whether this process started the run and still follows it. */
  isActive(id: string): boolean;
}

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
    if (run === undefined) {
      const { count } = this.#deps.retention;
      throw noSuchRunError(id, { count, wasRemoved: await store.wasRemoved(id), setAside: store.setAside() });
    }
    return this.#deps.isActive(id) ? run : this.#update(run, store);
  }

  /** The workspace's runs, the newest first. */
  async list(workspace: string, limit: number): Promise<readonly StoredRun[]> {
    const store = await this.open();
    return Promise.all((await store.list(workspace, limit)).map((run) => this.#update(run, store)));
  }

  readonly logs: RunLogs = {
    open: async (run) => {
      if (isRemote(run)) return (await this.#deps.openPool())?.openLog(run);
      const log = await (await this.open()).openLog(run);
      // If a run has just started, its log files are not missing but do not exist yet, so its log counts as empty.
      return log ?? (run.end === undefined && run.host === undefined ? EMPTY_LOG : undefined);
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
