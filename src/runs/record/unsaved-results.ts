import { waitAtMost } from "../../kernel/with-timeout.ts";
import type { LogSource } from "../../logs/log-source.ts";
import type { NewRun, Retention, RunEnding, RunOwner, RunStore, StoredRun } from "./store.ts";

/** The result of a run that could not be saved yet, and the reason why. */
export interface UnsavedResult {
  readonly ending: RunEnding;
  readonly why: string;
}

/** How long the end of a run waits for a busy store. After that the result is only kept in memory and saved later. */
const SAVE_TIMEOUT_MS = 3_000;
/** How long a reader of the store waits while unsaved results are saved. */
const RETRY_TIMEOUT_MS = 300;

/**
 * A run store that loses no result. A result that cannot be saved, because of a full disk or a held lock, is kept in
 * memory and shown as if it were saved. Saving it is tried again at each access and before the store is closed.
 */
export class UnsavedResults implements RunStore {
  readonly #store: RunStore;
  readonly #unsaved = new Map<string, UnsavedResult>();
  /** The runs that this process added, with which it can report on them while the store cannot be read. */
  readonly #known = new Map<string, StoredRun>();
  readonly #attempts = new Map<string, Promise<void>>();
  /** The runs whose end was asked for, if the store could not note it. */
  readonly #stopAsked = new Set<string>();

  constructor(store: RunStore) {
    this.#store = store;
  }

  /** The result of a run that is not saved yet; undefined if there is none. */
  unsaved(id: string): UnsavedResult | undefined {
    return this.#unsaved.get(id);
  }

  /** Tries again to save unsaved results, and waits for that at most the given time. */
  async retry(timeoutMs = RETRY_TIMEOUT_MS): Promise<void> {
    if (this.#unsaved.size === 0) return;
    const stored = Promise.all([...this.#unsaved.keys()].map((id) => this.#save(id)));
    await waitAtMost(timeoutMs, stored, { unref: true });
  }

  /** Saves the result of a run. It never fails: a result that cannot be saved is kept in memory. */
  async finish(id: string, ending: RunEnding): Promise<void> {
    if (!this.#unsaved.has(id)) this.#unsaved.set(id, { ending, why: "the store is busy" });
    await waitAtMost(SAVE_TIMEOUT_MS, this.#save(id), { unref: true });
  }

  async get(id: string): Promise<StoredRun | undefined> {
    await this.retry();
    try {
      const run = await this.#store.get(id);
      if (run?.end !== undefined) this.#known.delete(id);
      return run === undefined ? run : this.#withUnsaved(run);
    } catch (error) {
      const run = this.#known.get(id);
      if (run === undefined || !this.#unsaved.has(id)) throw error;
      return this.#withUnsaved(run);
    }
  }

  async list(workspace: string, limit: number): Promise<StoredRun[]> {
    await this.retry();
    return (await this.#store.list(workspace, limit)).map((run) => this.#withUnsaved(run));
  }

  workspaces(): Promise<string[]> {
    return this.#store.workspaces();
  }

  async running(): Promise<StoredRun[]> {
    return (await this.#store.running()).filter(({ id }) => !this.#unsaved.has(id));
  }

  /**
   * Finds the previous run of the same command. If the result of `run` is unsaved because the store cannot be read,
   * there is none.
   */
  async previous(run: StoredRun): Promise<StoredRun | undefined> {
    const previous = this.#store.previous(run);
    return this.#unsaved.has(run.id) ? previous.catch(() => undefined) : previous;
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

  /** Notes that a run is to end. It never fails, because a full disk must not keep anybody from stopping a run. */
  async askToStop(id: string): Promise<void> {
    await this.#store.askToStop(id).catch(() => this.#stopAsked.add(id));
  }

  async stopAsked(id: string): Promise<boolean> {
    return this.#stopAsked.has(id) || this.#store.stopAsked(id);
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
    await this.retry(SAVE_TIMEOUT_MS);
    await this.#store.close();
  }

  #withUnsaved(run: StoredRun): StoredRun {
    const left = this.#unsaved.get(run.id);
    return left === undefined || run.end !== undefined ? run : { ...run, ...left.ending, unstored: left.why };
  }

  /** Saves the result of a run, with only one attempt at a time. */
  #save(id: string): Promise<void> {
    const attempt = this.#attempts.get(id) ?? this.#trySave(id).finally(() => this.#attempts.delete(id));
    this.#attempts.set(id, attempt);
    return attempt;
  }

  async #trySave(id: string): Promise<void> {
    const left = this.#unsaved.get(id);
    if (left === undefined) return;
    try {
      await this.#store.finish(id, left.ending);
      this.#unsaved.delete(id);
      this.#known.delete(id);
    } catch (error) {
      // The reason of the failure is shown with the run, and the next access to the store tries again.
      this.#unsaved.set(id, { ...left, why: error instanceof Error ? error.message : String(error) });
    }
  }
}
