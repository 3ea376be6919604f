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
  /** The runs of this machine: they are here first, so that no run waits for the store or is lost with it. */
  readonly local: SharableRunStore;
  /** Fails while the store is away. */
  readonly shared: () => Promise<SharedRuns>;
  /** The repository of a workspace, the same in all its clones. */
  readonly familyOf: (workspace: string) => Promise<string>;
  /** Hears of what kept a run from being shared. */
  readonly onTrouble: (error: PithError) => void;
  /** Logs above this take a while: no other run waits for them. */
  readonly largeLogBytes?: number;
}

/** A second or so on a good line. */
const LARGE_LOG = 8 * 1024 * 1024;
/** An id that is taken is rare: a few tries are enough however many runs there are. */
const MAX_TRIES = 100;
/** How long a process that ends waits for what it still has to send; the next one goes on with it. */
const CLOSE_MS = 10_000;
/** How long a call waits for the store before it goes on without it. */
const ASK_MS = 10_000;

/** The runs of a team: kept here, and sent to the store when they have ended; those of others are read from there. */
export class TeamRuns implements RunStore {
  readonly #options: TeamRunsOptions;
  readonly #local: SharableRunStore;
  #sending: Promise<void> = Promise.resolve();
  /** Large logs on their way, or waiting for their turn. */
  readonly #large = new Set<string>();
  #sendingLarge: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: TeamRunsOptions) {
    this.#options = options;
    this.#local = options.local;
    this.#send();
  }

  /** Under an id that is free here and, as long as it can be asked, in the store. */
  async add(run: NewRun): Promise<StoredRun> {
    const family = await this.#options.familyOf(run.workspace);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const id = randomRunId();
      if ((await this.#local.get(id)) !== undefined || (await this.#local.wasRemoved(id))) continue;
      // A store that does not answer may still have taken the id; it is this run's then.
      if (await this.#ask((runs) => runs.add({ ...run, id }, family), true))
        return this.#local.add({ ...run, id });
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
      return this.#ask((runs) => runs.finish(id, ending), undefined);
    await this.#local.finish(id, ending);
    this.#send();
  }

  async get(id: string): Promise<StoredRun | undefined> {
    const run = await this.#local.get(id);
    if (run !== undefined || (await this.#local.wasRemoved(id))) return run;
    return this.#ask((runs) => runs.get(id), undefined);
  }

  async list(workspace: string, limit: number): Promise<StoredRun[]> {
    const family = await this.#options.familyOf(workspace);
    const here = await this.#local.list(workspace, limit);
    const all = await this.#ask((runs) => runs.list(family, limit), []);
    // Of this folder, what is here is all there is.
    const others = all.filter((run) => run.host !== undefined || run.workspace !== workspace);
    return [...here, ...others].toSorted((a, b) => b.startedAt - a.startedAt).slice(0, limit);
  }

  running(): Promise<StoredRun[]> {
    return this.#local.running();
  }

  async previous(run: StoredRun): Promise<StoredRun | undefined> {
    const isHere = (await this.#local.get(run.id)) !== undefined;
    return isHere ? this.#local.previous(run) : this.#ask((runs) => runs.previous(run), undefined);
  }

  async retain(workspace: string, limits: Retention): Promise<void> {
    this.#send();
    await this.#local.retain(workspace, limits);
    this.#later(() => this.#try((runs) => runs.retain(workspace, limits), undefined));
  }

  async wasRemoved(id: string): Promise<boolean> {
    return (await this.#local.wasRemoved(id)) || this.#ask((runs) => runs.wasRemoved(id), false);
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
    return (await this.#local.openLog(run)) ?? this.#ask((runs) => runs.openLog(run), undefined);
  }

  async close(): Promise<void> {
    const sent = this.#sending.then(() => this.#sendingLarge);
    await waitAtMost(CLOSE_MS, sent, { unref: true });
    this.#closed = true;
    await this.#local.close();
  }

  /** What the store says in time, or what is known without it. */
  async #ask<T>(work: (runs: SharedRuns) => Promise<T>, without: T): Promise<T> {
    const answer = this.#try(work, without).then((value) => ({ value }));
    const answered = await waitAtMost(ASK_MS, answer, { unref: true });
    if (answered !== undefined) return answered.value;
    const message = `The team store did not answer within ${ASK_MS / 1000} s`;
    return this.#without(new PithError("store_unavailable", message), without);
  }

  /** As long as it takes: for what nobody waits for. */
  async #try<T>(work: (runs: SharedRuns) => Promise<T>, without: T): Promise<T> {
    try {
      return await work(await this.#options.shared());
    } catch (error) {
      return this.#without(error, without);
    }
  }

  #without<T>(error: unknown, without: T): T {
    if (!(error instanceof PithError)) throw error;
    // What is broken off by the end of the process is no trouble: the next one goes on with it.
    if (!this.#closed) this.#options.onTrouble(error);
    return without;
  }

  #send(): void {
    this.#later(async () => {
      for (const run of await this.#local.unshared())
        if (!(await this.#try((runs) => this.#sendRun(run, runs), false))) return;
    });
  }

  /** One after the other. Nobody waits for it: what was not sent is sent the next time. */
  #later(work: () => Promise<void>): void {
    this.#sending = this.#sending.then(work).catch(() => undefined);
  }

  /** A run is seen to have ended when its log is there; one with a large log before, so that it does not look as if it went on. */
  async #sendRun(run: StoredRun, runs: SharedRuns): Promise<boolean> {
    const { end, endedAt, findings } = run;
    if (end === undefined || endedAt === undefined) return true;
    if (!(await runs.add(run, await this.#options.familyOf(run.workspace)))) {
      await this.#local.noteShared(run.id, "kept");
      return true;
    }
    const isLarge = !isRemote(run) && run.log.bytes > (this.#options.largeLogBytes ?? LARGE_LOG);
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
