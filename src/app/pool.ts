import { join } from "node:path";
import { userDataFolder, type Environment } from "../config/environment.ts";
import { checkIsolation, isolationOf, makeSandboxCaches } from "./isolation.ts";
import { ownFolders } from "./own-folders.ts";
import type { Config } from "../config/keys.ts";
import { PithError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Pool } from "../pool/pool.ts";
import type { RunningWorker } from "../pool/start-worker.ts";
import type { WorkerEvent } from "../pool/worker.ts";

/**
 * The database connections of a server: three for waiting callers, one to listen for notifications, two for jobs that
 * run locally.
 */
const SERVER_CONNECTIONS = 6;
/**
 * The database connections of a worker in addition to one for each job that it can run at once: to listen, to claim
 * jobs, and for the heartbeat, which must never wait.
 */
const WORKER_CONNECTIONS = 4;

export interface LazyPool {
  (): Promise<Pool>;
  close(): Promise<void>;
}

/** Opens the pool of worker machines on first use; undefined if no store is configured. */
export function lazyPool(config: Config, environment: Environment, logger: Logger): LazyPool | undefined {
  if (config.server.store === "") return undefined;
  let opened: Promise<Pool> | undefined;
  const open = async (): Promise<Pool> => {
    const [{ openPoolStore }, { createPool }, { poolSettings }, { objectSettings }] = await Promise.all([
      import("../storage/postgres/queue/pool-store.ts"),
      import("../pool/pool.ts"),
      import("../pool/settings.ts"),
      import("./object-store.ts"),
    ]);
    const settings = poolSettings(config, ownFolders(config, environment), isolationOf(config, environment));
    const objects = objectSettings(config, ({ code, message }) =>
      logger.event("store.trouble", { code, message }, "warn"),
    );
    const store = await openPoolStore(config.server.store, SERVER_CONNECTIONS, objects);
    const { variables } = environment;
    return createPool({ ...store, settings, folder: poolFolder(config, environment), variables, logger });
  };
  const get = (): Promise<Pool> =>
    (opened ??= open().catch((error: unknown) => {
      // The next call tries again, because the database may be available by then.
      opened = undefined;
      throw error;
    }));
  return Object.assign(get, { close: async () => (await opened?.catch(() => undefined))?.close() });
}

export interface WorkerRequest {
  readonly config: Config;
  readonly environment: Environment;
  readonly id?: string;
  readonly onEvent: (event: WorkerEvent) => void;
  readonly signal: AbortSignal;
}

/** Starts a worker of the pool. If the database is not available yet, it waits for it. */
export async function openWorker(request: WorkerRequest): Promise<RunningWorker> {
  const { config, environment, id, onEvent, signal } = request;
  if (config.server.store === "") throw noPool();
  const [{ openPoolStore }, { setUpWorker }, { poolSettings }, { retryUntilAvailable }, { objectSettings }] =
    await Promise.all([
      import("../storage/postgres/queue/pool-store.ts"),
      import("../pool/start-worker.ts"),
      import("../pool/settings.ts"),
      import("../runs/record/retry-until-available.ts"),
      import("./object-store.ts"),
    ]);
  const isolation = isolationOf(config, environment);
  const settings = poolSettings(config, ownFolders(config, environment), isolation);
  const broken = (await checkIsolation(config)).find(({ ok }) => !ok);
  if (broken !== undefined) throw new PithError("isolation_unavailable", broken.detail);
  if (isolation !== undefined) await makeSandboxCaches(isolation);
  const report = (error: unknown): void =>
    onEvent({ kind: "away", reason: error instanceof Error ? error.message : String(error) });
  const connections = settings.slots + WORKER_CONNECTIONS;
  const objects = objectSettings(config, report);
  const store = await retryUntilAvailable(() => openPoolStore(config.server.store, connections, objects), {
    onUnavailable: once(report),
    signal,
  });
  const worker = await setUpWorker({
    ...store,
    settings,
    folder: poolFolder(config, environment),
    variables: environment.variables,
    ...(id === undefined ? {} : { id }),
    onEvent,
  });
  return {
    ...worker,
    async close() {
      await worker.close();
      await store.queue.close();
    },
  };
}

/** The error for a call that needs a pool on a server without a configured store. */
export function noPool(): PithError {
  return new PithError("pool_unavailable", "There is no pool: no store is configured", {
    suggestion: "Set PITH_STORE or [server] store to the postgres:// URL of your team's store.",
  });
}

function poolFolder({ server }: Config, environment: Environment): string {
  return join(server.data_dir === "" ? userDataFolder(environment) : server.data_dir, "pool");
}

function once(report: (error: unknown) => void): (error: unknown) => void {
  let isReported = false;
  return (error) => {
    if (!isReported) report(error);
    isReported = true;
  };
}
