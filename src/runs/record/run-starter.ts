import { enclose } from "../../exec/isolation/enclosure.ts";
import type { LogSource } from "../../logs/log-source.ts";
import type { RunDependencies } from "../dependencies.ts";
import type { CommandPlan } from "../plan/plan.ts";
import type { RunRequest } from "../plan/request.ts";
import { createRunOrder } from "../plan/run-order.ts";
import type { PlannedCheck } from "../reuse/planned-check.ts";
import { type ActiveRun, notStarted, type RunOrder, startRun, withOutputCallback } from "./active-run.ts";
import { newRun } from "./new-run.ts";
import { ownIdentity } from "./recovery.ts";
import { poolUnavailable, type Prepared, prepareRemote } from "./remote-dispatch.ts";
import { type PreparedRun, REMOTE_OWNER } from "./remote.ts";
import { RunQueue } from "./run-queue.ts";
import type { RunRecords } from "./run-records.ts";
import { startSplitRun } from "./split-run.ts";
import type { RunStore, StoredRun } from "./store.ts";
import { Supervisors } from "./supervised-run.ts";

/** The most runs that get a supervisor process of their own; further runs are executed in this process. */
const MAX_SUPERVISED = 4;

interface StarterDependencies {
  readonly runs: RunDependencies;
  readonly records: RunRecords;
  /** The runs that have not ended, by id; runs are added and removed here. */
  readonly active: Map<string, ActiveRun>;
  openLog(id: string): Promise<LogSource>;
  /** Is called after a run in this workspace has ended. */
  onEnded(workspace: string): Promise<void>;
}

interface Work {
  readonly run: StoredRun;
  readonly request: RunRequest;
  readonly store: RunStore;
  readonly check: PlannedCheck | undefined;
}

/** Starts commands in this process, in supervisor processes or in the pool, and follows them to their end. */
export class RunStarter {
  readonly #deps: StarterDependencies;
  readonly #supervisors: Supervisors | undefined;
  readonly #queue = new RunQueue();
  #supervised = 0;
  #closed = false;

  constructor(deps: StarterDependencies) {
    this.#deps = deps;
    const { supervision } = deps.runs;
    this.#supervisors = supervision && new Supervisors(supervision);
  }

  /** Stores the record of a run and starts it, without waiting for its end. */
  async start(request: RunRequest, signal?: AbortSignal, check?: PlannedCheck): Promise<ActiveRun> {
    const { settings } = this.#deps.runs;
    const openPool = async () => this.#deps.runs.openRemote?.();
    const prepared = await prepareRemote(request, openPool, { settings, signal });
    const store = await this.#deps.records.open();
    if (request.parts !== undefined && prepared.remote !== undefined)
      return this.#startParts(request, prepared.remote, { store, plans: request.parts });
    const owner = prepared?.remote === undefined ? await ownIdentity() : REMOTE_OWNER;
    const run = await store.add(newRun(request, owner, settings));
    const active = await this.#execute({ run, request, store, check }, prepared).catch(
      async (error: unknown) => {
        await store.finish(run.id, notStarted(run, error));
        throw error;
      },
    );
    return this.#follow(active);
  }

  /** Ends the runs of this process, except for detached ones. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#supervisors?.close();
    const own = [...this.#deps.active.values()].filter((active) => !active.detached);
    for (const active of own) active.stop();
    await Promise.allSettled(own.map((active) => active.done));
  }

  /** Starts a command in parts that run at the same time in the pool; the run of the whole belongs to this process. */
  async #startParts(
    request: RunRequest,
    remote: PreparedRun,
    { store, plans }: { readonly store: RunStore; readonly plans: readonly CommandPlan[] },
  ): Promise<ActiveRun> {
    const { runs, records } = this.#deps;
    const run = await store.add(newRun(request, await ownIdentity(), runs.settings));
    const logBase = store.logBase(run);
    // The parts have reports of their own.
    const { reportFile: _, ...order } = createRunOrder(run, request, { ...runs, logBase });
    return this.#follow(
      await startSplitRun({
        order,
        plans,
        store,
        addPart: (plan) => store.add(newRun({ ...request, plan }, REMOTE_OWNER, runs.settings)),
        submitPart: async (part, plan) => this.#follow(await remote.submit(part, store, plan)),
        find: (id) => records.find(id),
        openLog: (id) => this.#deps.openLog(id),
      }),
    );
  }

  async #execute(work: Work, { remote, note }: Prepared): Promise<ActiveRun> {
    const { run, request, store, check } = work;
    const order = createRunOrder(run, request, { ...this.#deps.runs, logBase: store.logBase(run), check });
    if (remote === undefined) return this.#launch({ ...order, ...(note && { note }) }, request, store);
    try {
      return await remote.submit(run, store);
    } catch (error) {
      const away = poolUnavailable(error);
      const owner = await ownIdentity();
      await store.adopt(run, owner);
      return this.#launch({ ...order, run: { ...run, owner }, note: away }, request, store);
    }
  }

  /**
   * Executes a run in a supervisor process if the request asks for a detached run and few runs are active, otherwise in
   * this process.
   */
  async #launch(planned: RunOrder, request: RunRequest, store: RunStore): Promise<ActiveRun> {
    const { settings, execute } = this.#deps.runs;
    const { isolation } = settings;
    const { env, ownEnv, run } = planned;
    const place = { ...request, env, ownEnv, logBase: store.logBase(run) };
    const order =
      isolation === undefined ? planned : { ...planned, enclosure: await enclose(isolation, place) };
    if (request.detached === true && this.#supervisors !== undefined && this.#supervised < MAX_SUPERVISED) {
      const active = this.#supervisors.start(order, store);
      this.#supervised++;
      void Promise.allSettled([active.done]).then(() => this.#supervised--);
      return active;
    }
    const begin = (): Promise<ActiveRun> =>
      startRun(order, { store, execute: withOutputCallback(execute, request.onOutput) });
    return this.#queue.start({ run: order.run, store, begin });
  }

  #follow(active: ActiveRun): ActiveRun {
    this.#deps.active.set(active.run.id, active);
    void this.#onEnded(active);
    return active;
  }

  async #onEnded(active: ActiveRun): Promise<void> {
    await Promise.allSettled([active.done]);
    this.#deps.active.delete(active.run.id);
    if (active.detached && !this.#closed) this.#supervisors?.prepare();
    await this.#deps.onEnded(active.run.workspace);
  }
}
