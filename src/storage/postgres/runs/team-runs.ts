import { PithError } from "../../../kernel/errors.ts";
import { waitAtMost } from "../../../kernel/with-timeout.ts";
import { isRemote } from "../../../runs/record/remote.ts";
import type {
  NewRun,
  Retention,
  RunEnding,
  RunOwner,
  RunStore,
  StoredRun,
} from "../../../runs/record/store.ts";
import { randomRunId, type SharableRunStore } from "../../sqlite/run-store.ts";
import type { SharedRuns } from "./shared-runs.ts";

interface TeamRunsOptions {
  /**
   * The runs of this machine. They are stored locally first, so that no run waits for the team's database or is lost
   * with it.
   */
  readonly local: SharableRunStore;
  /** Returns the runs in the team's database; rejects while the database is unavailable. */
  readonly shared: () => Promise<SharedRuns>;
  /** Returns an id of the workspace's repository that is the same in all its clones. */
  readonly familyOf: (workspace: string) => Promise<string>;
  /** Called with errors that prevented a run from being shared. */
  readonly onFailure: (error: PithError) => void;
  /** Logs above this size are sent separately from the runs, so that other runs do not wait for them. */
  readonly largeLogBytes?: number;
}

/** The size above which a log counts as large; sending one takes more than about a second on a fast connection. */
const DEFAULT_LARGE_LOG_BYTES = 8 * 1024 * 1024;
/** Upper bound on attempts to find a free id; a collision is rare. */
const MAX_ID_ATTEMPTS = 100;
/** How long an exiting process waits until its runs are sent; the next process sends the rest. */
const CLOSE_TIMEOUT_MS = 10_000;
/** How long a call waits for the team's database before it continues without it. */
const QUERY_TIMEOUT_MS = 10_000;

/**
 * The runs of a team. They are stored locally, and sent to the team's database when they have ended; other people's
 * runs are read from there.
 */
export class TeamRuns implements RunStore {
  readonly #options: TeamRunsOptions;
  readonly #local: SharableRunStore;
  #sending: Promise<void> = Promise.resolve();
  /** The ids of runs whose large logs are being sent or wait to be sent. */
  readonly #large = new Set<string>();
  #sendingLarge: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: TeamRunsOptions) {
    this.#options = options;
    this.#local = options.local;
    this.#send();
  }

  /** Adds a run under an id that is free locally and, if the team's database can be reached, there too. */
  async add(run: NewRun): Promise<StoredRun> {
    const family = await this.#options.familyOf(run.workspace);
    for (let tries = 0; tries < MAX_ID_ATTEMPTS; tries++) {
      const id = randomRunId(run.hasLongId);
      if ((await this.#local.get(id)) !== undefined || (await this.#local.wasRemoved(id))) continue;
      // If the database does not answer in time, the id counts as free: at worst it is registered there later, for this
      // same run.
      const addThere = async (runs: SharedRuns): Promise<boolean> =>
        !runs.mayAdd || runs.add({ ...run, id }, family);
      if (await this.#queryInTime(addThere, true)) return this.#local.add({ ...run, id });
    }
    throw new PithError("store_unavailable", "No free run id was found");
  }

  adopt(run: StoredRun, owner: RunOwner): Promise<void> {
    return this.#local.adopt(run, owner);
  }

  askToStop(id: string): Promise<void> {
    return this.#local.askToStop(id);
  }

  stopAsked(id: string): Promise<boolean> {
    return this.#local.stopAsked(id);
  }

  async finish(id: string, ending: RunEnding): Promise<void> {
    if ((await this.#local.get(id)) === undefined)
      return this.#queryInTime((runs) => runs.finish(id, ending), undefined);
    await this.#local.finish(id, ending);
    this.#send();
  }

  async get(id: string): Promise<StoredRun | undefined> {
    const run = await this.#local.get(id);
    if (run !== undefined || (await this.#local.wasRemoved(id))) return run;
    return this.#queryInTime((runs) => runs.get(id), undefined);
  }

  async list(workspace: string, limit: number): Promise<StoredRun[]> {
    const family = await this.#options.familyOf(workspace);
    const here = await this.#local.list(workspace, limit);
    const all = await this.#queryInTime((runs) => runs.list(family, limit), []);
    // Runs of this folder are left out of the team's list, because the local list already has all of them.
    const others = all.filter((run) => run.host !== undefined || run.workspace !== workspace);
    return [...here, ...others].toSorted((a, b) => b.startedAt - a.startedAt).slice(0, limit);
  }

  workspaces(): Promise<string[]> {
    return this.#local.workspaces();
  }

  running(): Promise<StoredRun[]> {
    return this.#local.running();
  }

  async previous(run: StoredRun): Promise<StoredRun | undefined> {
    const isHere = (await this.#local.get(run.id)) !== undefined;
    return isHere ? this.#local.previous(run) : this.#queryInTime((runs) => runs.previous(run), undefined);
  }

  /** Limits the runs on this machine; those in the team's database are removed by age, whoever made them. */
  async retain(workspace: string, limits: Retention): Promise<void> {
    this.#send();
    await this.#local.retain(workspace, limits);
    this.#enqueue(() => this.#try((runs) => runs.sweep(), undefined));
  }

  async wasRemoved(id: string): Promise<boolean> {
    return (await this.#local.wasRemoved(id)) || this.#queryInTime((runs) => runs.wasRemoved(id), false);
  }

  setAside(): readonly string[] {
    return this.#local.setAside();
  }

  takeSetAside(): readonly string[] {
    return this.#local.takeSetAside();
  }

  logBase(run: Pick<StoredRun, "id" | "workspace">): string {
    return this.#local.logBase(run);
  }

  async openLog(run: StoredRun): ReturnType<RunStore["openLog"]> {
    return (await this.#local.openLog(run)) ?? this.#queryInTime((runs) => runs.openLog(run), undefined);
  }

  async close(): Promise<void> {
    const sent = this.#sending.then(() => this.#sendingLarge);
    await waitAtMost(CLOSE_TIMEOUT_MS, sent, { unref: true });
    this.#closed = true;
    await this.#local.close();
  }

  /** Returns the database's answer if it arrives in time, else the given default. */
  async #queryInTime<T>(work: (runs: SharedRuns) => Promise<T>, fallback: T): Promise<T> {
    const answer = this.#try(work, fallback).then((value) => ({ value }));
    const answered = await waitAtMost(QUERY_TIMEOUT_MS, answer, { unref: true });
    if (answered !== undefined) return answered.value;
    const message = `The team store did not answer within ${QUERY_TIMEOUT_MS / 1000} s`;
    return this.#fallBackOn(new PithError("store_unavailable", message), fallback);
  }

  /** Returns the database's answer without a time limit, for background work that delays no call. */
  async #try<T>(work: (runs: SharedRuns) => Promise<T>, fallback: T): Promise<T> {
    try {
      return await work(await this.#options.shared());
    } catch (error) {
      return this.#fallBackOn(error, fallback);
    }
  }

  #fallBackOn<T>(error: unknown, fallback: T): T {
    if (!(error instanceof PithError)) throw error;
    // Errors while this process is closing are not reported, because the next process continues the interrupted work.
    if (!this.#closed) this.#options.onFailure(error);
    return fallback;
  }

  #send(): void {
    this.#enqueue(async () => {
      for (const run of await this.#local.unshared())
        if (!(await this.#try((runs) => this.#sendRun(run, runs), false))) return;
    });
  }

  /**
   * Queues background work, which runs one piece after the other. Errors are ignored, because runs that were not sent
   * are sent next time.
   */
  #enqueue(work: () => Promise<void>): void {
    this.#sending = this.#sending.then(work).catch(() => undefined);
  }

  /**
   * Sends a run. Its end is sent after its log, so that whoever sees the end finds the log. A large log is sent after
   * the end instead, so that the run does not appear to be still running.
   */
  async #sendRun(run: StoredRun, runs: SharedRuns): Promise<boolean> {
    const { end, endedAt, findings } = run;
    if (!runs.mayAdd) return false;
    if (end === undefined || endedAt === undefined) return true;
    if (!(await runs.add(run, await this.#options.familyOf(run.workspace)))) {
      await this.#local.noteShared(run.id, "kept");
      return true;
    }
    const isLarge =
      !isRemote(run) && run.log.bytes > (this.#options.largeLogBytes ?? DEFAULT_LARGE_LOG_BYTES);
    if (!isRemote(run) && !isLarge) await this.#sendLog(run, runs);
    await runs.finish(run.id, { end, endedAt, log: run.log, ...(findings !== undefined && { findings }) });
    if (isLarge) this.#sendLarge(run);
    else await this.#local.noteShared(run.id, "sent");
    return true;
  }

  #sendLarge(run: StoredRun): void {
    if (this.#large.has(run.id)) return;
    this.#large.add(run.id);
    const send = async (runs: SharedRuns): Promise<void> => {
      await this.#sendLog(run, runs);
      await this.#local.noteShared(run.id, "sent");
    };
    this.#sendingLarge = this.#sendingLarge
      .then(() => this.#try(send, undefined))
      .catch(() => undefined)
      .finally(() => this.#large.delete(run.id));
  }

  async #sendLog(run: StoredRun, runs: SharedRuns): Promise<void> {
    const log = await this.#local.openLog(run);
    try {
      if (log !== undefined) await runs.sendLog(run.id, log);
    } finally {
      await log?.close();
    }
  }
}
