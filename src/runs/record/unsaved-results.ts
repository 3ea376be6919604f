import { waitAtMost } from "../../kernel/with-timeout.ts";
import type { LogSource } from "../../logs/log-source.ts";
import type { NewRun, Retention, RunEnding, RunOwner, RunStore, StoredRun } from "./store.ts";

/** The end of a run that is not in the store, and why. */
export interface UnstoredEnding {
  readonly ending: RunEnding;
  readonly why: string;
}

/** How long whoever waits for a run also waits for a store that is busy; the end is known all the same. */
const STORE_MS = 3_000;
/** How long a reader waits for the next attempt to store what is left. */
const RETRY_MS = 300;

/**
 * A run store that loses no ending. One that the store does not take (a full disk, a lock that is never given back) is
 * kept in memory, shown as if it were stored, and offered again at each access and before the store is closed.
 */
export class EndingKeeper implements RunStore {
  readonly #store: RunStore;
  readonly #unstored = new Map<string, UnstoredEnding>();
  /** Runs that this process knows from their start: of these it can speak while the store cannot. */
  readonly #known = new Map<string, StoredRun>();
  readonly #attempts = new Map<string, Promise<void>>();

  constructor(store: RunStore) {
    this.#store = store;
  }

  /** The end of a run, as long as the store has not taken it. */
  unstored(id: string): UnstoredEnding | undefined {
    return this.#unstored.get(id);
  }

  /** Offers the store once more what it has not taken; does not wait long for it. */
  async retry(patienceMs = RETRY_MS): Promise<void> {
    if (this.#unstored.size === 0) return;
    const stored = Promise.all([...this.#unstored.keys()].map((id) => this.#offer(id)));
    await waitAtMost(patienceMs, stored, { unref: true });
  }

  /** Never fails: see unstored. */
  async finish(id: string, ending: RunEnding): Promise<void> {
    if (!this.#unstored.has(id)) this.#unstored.set(id, { ending, why: "the store is busy" });
    await waitAtMost(STORE_MS, this.#offer(id), { unref: true });
  }

  async get(id: string): Promise<StoredRun | undefined> {
    await this.retry();
    try {
      const run = await this.#store.get(id);
      if (run?.end !== undefined) this.#known.delete(id);
      return run === undefined ? run : this.#asItIs(run);
    } catch (error) {
      const run = this.#known.get(id);
      if (run === undefined || !this.#unstored.has(id)) throw error;
      return this.#asItIs(run);
    }
  }

  async list(workspace: string, limit: number): Promise<StoredRun[]> {
    await this.retry();
    return (await this.#store.list(workspace, limit)).map((run) => this.#asItIs(run));
  }

  async running(): Promise<StoredRun[]> {
    return (await this.#store.running()).filter(({ id }) => !this.#unstored.has(id));
  }

  /** Of a run whose end could not even be stored, nothing is compared where the store cannot be read either. */
  async previous(run: StoredRun): Promise<StoredRun | undefined> {
    const previous = this.#store.previous(run);
    return this.#unstored.has(run.id) ? previous.catch(() => undefined) : previous;
  }

  async add(run: NewRun): Promise<StoredRun> {
    await this.retry();
    const added = await this.#store.add(run);
    this.#known.set(added.id, added);
    return added;
  }

  adopt(run: StoredRun, owner: RunOwner): Promise<void> {
    return this.#store.adopt(run, owner);
  }

  askToStop(id: string): Promise<void> {
    return this.#store.askToStop(id);
  }

  stopAsked(id: string): Promise<boolean> {
    return this.#store.stopAsked(id);
  }

  retain(workspace: string, limits: Retention): Promise<void> {
    return this.#store.retain(workspace, limits);
  }

  wasRemoved(id: string): Promise<boolean> {
    return this.#store.wasRemoved(id);
  }

  setAside(): readonly string[] {
    return this.#store.setAside();
  }

  takeSetAside(): readonly string[] {
    return this.#store.takeSetAside();
  }

  logBase(run: Pick<StoredRun, "id" | "workspace">): string {
    return this.#store.logBase(run);
  }

  openLog(run: StoredRun): Promise<LogSource | undefined> {
    return this.#store.openLog(run);
  }

  async close(): Promise<void> {
    await this.retry(STORE_MS);
    await this.#store.close();
  }

  #asItIs(run: StoredRun): StoredRun {
    const left = this.#unstored.get(run.id);
    return left === undefined || run.end !== undefined ? run : { ...run, ...left.ending, unstored: left.why };
  }

  /** One attempt at a time for each run. */
  #offer(id: string): Promise<void> {
    const attempt = this.#attempts.get(id) ?? this.#storeEnding(id).finally(() => this.#attempts.delete(id));
    this.#attempts.set(id, attempt);
    return attempt;
  }

  async #storeEnding(id: string): Promise<void> {
    const left = this.#unstored.get(id);
    if (left === undefined) return;
    try {
      await this.#store.finish(id, left.ending);
      this.#unstored.delete(id);
      this.#known.delete(id);
    } catch (error) {
      // Told with the run, and tried again.
      this.#unstored.set(id, { ...left, why: error instanceof Error ? error.message : String(error) });
    }
  }
}
