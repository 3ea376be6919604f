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
  /** Returns whether this process started the run and still follows it. */
  isActive(id: string): boolean;
}

/** Reads the records and logs of runs, and first updates a record whose run has ended unnoticed. */
export class RunRecords {
  readonly #deps: RunRecordsDependencies;
  #store: Promise<RunStore> | undefined;

  constructor(deps: RunRecordsDependencies) {
    this.#deps = deps;
  }

  /** Opens the store at the first call, and closes the runs whose server died. */
  open(): Promise<RunStore> {
    this.#store ??= this.#openAndRecover().catch((error: unknown) => {
      // The next call tries again, since a full disk may have space by then.
      this.#store = undefined;
      throw error;
    });
    return this.#store;
  }

  async close(): Promise<void> {
    const store = this.#store;
    this.#store = undefined;
    // An error of opening was already reported to the caller that needed the store.
    await (await store?.catch(() => undefined))?.close();
  }

  /** The record of a run; throws run_not_found if there is none. */
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
      // A run that has just started has no log files yet; they were not removed.
      return log ?? (run.end === undefined && run.host === undefined ? EMPTY_LOG : undefined);
    },
  };

  /** A run that its record shows as running may have ended meanwhile; then its result is stored now. */
  async #update(run: StoredRun, store: RunStore): Promise<StoredRun> {
    if (run.end !== undefined) return run;
    if (!isRemote(run)) return recoverRun(run, store);
    const ending = await this.#remoteEnding(run);
    if (ending === undefined) return run;
    await store.finish(run.id, ending);
    return (await store.get(run.id)) ?? run;
  }

  /** Undefined while the run goes on, or while the pool cannot be asked. */
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
