import type { RunRecords } from "./run-records.ts";
import type { Retention } from "./store.ts";

/**
 * Removes old runs of the workspaces in which runs have ended, but not while somebody still works on them: with many
 * calls at once, a run could be removed after its end and before its report.
 */
export class DeferredRetention {
  readonly #records: Pick<RunRecords, "open">;
  readonly #retention: Retention;
  readonly #workspaces = new Set<string>();
  #working = 0;
  #closed = false;

  constructor(records: Pick<RunRecords, "open">, retention: Retention) {
    this.#records = records;
    this.#retention = retention;
  }

  /** Does work on runs that must not be removed meanwhile. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#working++;
    try {
      return await work();
    } finally {
      if (--this.#working === 0) await this.#retain();
    }
  }

  /** Notes that a run has ended; old runs of its workspace are removed when nobody works any more. */
  async ended(workspace: string): Promise<void> {
    this.#workspaces.add(workspace);
    if (this.#working === 0) await this.#retain();
  }

  close(): void {
    this.#closed = true;
  }

  async #retain(): Promise<void> {
    const workspaces = [...this.#workspaces];
    this.#workspaces.clear();
    for (const workspace of this.#closed ? [] : workspaces) {
      const store = await this.#records.open();
      // If old runs cannot be removed now, they are removed at the end of the next run.
      await store.retain(workspace, this.#retention).catch(() => undefined);
    }
  }
}
