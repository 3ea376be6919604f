import { setTimeout as delay } from "node:timers/promises";
import { PithError } from "../../kernel/errors.ts";
import { isRemote } from "../../runs/remote.ts";
import type { NewRun, RunStore, StoredRun } from "../../runs/store.ts";
import { randomRunId, type SharableRunStore } from "../sqlite/run-store.ts";
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
}

/** Larger logs stay on the machine of their run. */
const MAX_SHARED_LOG = 256 * 1024 * 1024;
/** An id that is taken is rare: a few tries are enough however many runs there are. */
const MAX_TRIES = 100;
/** How long a process that ends waits for what it still has to send; the next one goes on with it. */
const CLOSE_MS = 10_000;

/** The runs of a team: kept here, and sent to the store when they have ended; those of others are read from there. */
export function createTeamRuns({ local, shared, familyOf, onTrouble }: TeamRunsOptions): RunStore {
  let sending: Promise<void> = Promise.resolve();
  /** What the store says, or what is known without it. */
  const ask = async <T>(work: (runs: SharedRuns) => Promise<T>, without: T): Promise<T> => {
    try {
      return await work(await shared());
    } catch (error) {
      if (!(error instanceof PithError)) throw error;
      onTrouble(error);
      return without;
    }
  };
  /** One after the other. Nobody waits for it: what was not sent is sent the next time. */
  const later = (work: () => Promise<void>): void => {
    sending = sending.then(work).catch(() => undefined);
  };
  const send = (): void =>
    later(async () => {
      for (const run of await local.unshared()) if (!(await ask((runs) => sendRun(run, runs), false))) return;
    });
  const sendRun = async (run: StoredRun, runs: SharedRuns): Promise<boolean> => {
    const { end, endedAt, findings } = run;
    if (end === undefined || endedAt === undefined) return true;
    const ours = await runs.add(run, await familyOf(run.workspace));
    if (ours) {
      if (!isRemote(run) && run.log.bytes <= MAX_SHARED_LOG) await sendLog(run, runs);
      await runs.finish(run.id, { end, endedAt, log: run.log, ...(findings !== undefined && { findings }) });
    }
    await local.noteShared(run.id, ours ? "sent" : "kept");
    return true;
  };
  const sendLog = async (run: StoredRun, runs: SharedRuns): Promise<void> => {
    const log = await local.openLog(run);
    try {
      if (log !== undefined) await runs.sendLog(run.id, log);
    } finally {
      await log?.close();
    }
  };
  const isLocal = async ({ id }: StoredRun): Promise<boolean> => (await local.get(id)) !== undefined;
  send();
  return {
    add: (run) => addRun(run, { local, ask, familyOf }),
    adopt: (id, owner) => local.adopt(id, owner),
    async finish(id, ending) {
      if ((await local.get(id)) === undefined) return ask((runs) => runs.finish(id, ending), undefined);
      await local.finish(id, ending);
      send();
    },
    async get(id) {
      const run = await local.get(id);
      if (run !== undefined || (await local.wasRemoved(id))) return run;
      return ask((runs) => runs.get(id), undefined);
    },
    async list(workspace, limit) {
      const family = await familyOf(workspace);
      const here = await local.list(workspace, limit);
      const all = await ask((runs) => runs.list(family, limit), []);
      // Of this folder, what is here is all there is.
      const others = all.filter((run) => run.host !== undefined || run.workspace !== workspace);
      return [...here, ...others].toSorted((a, b) => b.startedAt - a.startedAt).slice(0, limit);
    },
    running: () => local.running(),
    previous: async (run) =>
      (await isLocal(run)) ? local.previous(run) : ask((runs) => runs.previous(run), undefined),
    async retain(workspace, limits) {
      send();
      await local.retain(workspace, limits);
      later(() => ask((runs) => runs.retain(workspace, limits), undefined));
    },
    wasRemoved: async (id) => (await local.wasRemoved(id)) || ask((runs) => runs.wasRemoved(id), false),
    logBase: (run) => local.logBase(run),
    openLog: async (run) => (await local.openLog(run)) ?? ask((runs) => runs.openLog(run), undefined),
    async close() {
      await Promise.race([sending, delay(CLOSE_MS, undefined, { ref: false })]);
      await local.close();
    },
  };
}

/** Under an id that is free here and, as long as it can be asked, in the store. */
async function addRun(
  run: NewRun,
  {
    local,
    ask,
    familyOf,
  }: Pick<TeamRunsOptions, "local" | "familyOf"> & {
    ask: <T>(work: (runs: SharedRuns) => Promise<T>, without: T) => Promise<T>;
  },
): Promise<StoredRun> {
  const family = await familyOf(run.workspace);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const id = randomRunId();
    if ((await local.get(id)) !== undefined || (await local.wasRemoved(id))) continue;
    const free = await ask<boolean | undefined>((runs) => runs.add({ ...run, id }, family), undefined);
    if (free === undefined) return local.add(run);
    if (free) return local.add({ ...run, id });
  }
  throw new PithError("store_unavailable", "No free run id was found");
}
