import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { startWatchdog, type Watchdog } from "../exec/detached-process.ts";
import { assetPath } from "../kernel/assets.ts";
import { readWorkerFacts } from "./choice/machine-facts.ts";
import { describeFacts } from "./choice/needs.ts";
import { LayerCopies } from "./environments/layer-copies.ts";
import { Layers } from "./environments/layers.ts";
import { pruneLayers } from "./environments/prune-layers.ts";
import { createFetcher, type SnapshotFetcher } from "./fetch-snapshot.ts";
import type { PackStore } from "./packs.ts";
import type { JobQueue } from "./queue.ts";
import type { PoolSettings } from "./settings.ts";
import { Worker, type WorkerEvent } from "./worker.ts";
import { JobFolders, openHome, sessionMarker, type WorkerHome } from "./worker-home.ts";

export interface WorkerSetup {
  readonly queue: JobQueue;
  readonly packs: PackStore;
  readonly settings: PoolSettings;
  /** The pool's folder inside the data folder. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The worker's name; by default the machine's name with a short suffix. */
  readonly id?: string;
  /**
   * If set, the worker runs only these jobs, and only while no other worker can; this is how a server runs its own
   * jobs.
   */
  readonly only?: ReadonlySet<string>;
  readonly onEvent: (event: WorkerEvent) => void;
}

export interface RunningWorker {
  readonly id: string;
  readonly worker: Worker;
  /** Waits until the database is available, and starts to take jobs. */
  start(): Promise<void>;
  /** Removes the worker's files; call it after the worker has ended. */
  close(): Promise<void>;
}

/** A worker runs for weeks, in which its caches grow. */
const PRUNE_EVERY_MS = 60 * 60 * 1000;
/** What package managers have installed is kept within these limits. */
const LAYER_LIMITS = { maxBytes: 20_000_000_000, maxAgeMs: 14 * 24 * 60 * 60 * 1000 };

/** Creates a worker with a home folder of its own. */
export async function setUpWorker(setup: WorkerSetup): Promise<RunningWorker> {
  const { queue, packs, settings, folder, variables, only } = setup;
  const isFallback = only !== undefined;
  const home = await openHome(join(folder, isFallback ? "servers" : "workers"));
  const id = setup.id ?? `${hostname()}-${home.suffix}`;
  const files = createFetcher(join(folder, "cache"), packs, variables);
  const facts = await readWorkerFacts(settings, variables);
  const layers = new Layers(join(folder, "environments"));
  const worker = new Worker({
    entry: {
      id: isFallback ? `server ${id}` : id,
      session: home.session,
      kind: isFallback ? "fallback" : "worker",
      slots: settings.slots,
      labels: settings.labels,
      facts,
      leaseMs: settings.leaseMs,
    },
    queue,
    dependencies: {
      queue,
      files,
      layers,
      copies: new LayerCopies(join(home.work, "copies"), settings.slots),
      folders: new JobFolders(join(home.work, "trees")),
      home: home.work,
      worker: id,
      labels: [...settings.labels, ...describeFacts(facts)],
      marker: sessionMarker(home.session),
      permissions: settings.permissions,
      ownFolders: settings.ownFolders,
      passEnvironment: settings.passEnvironment,
      ...(settings.isolation && { isolation: settings.isolation }),
      limits: settings.limits,
      variables,
    },
    heartbeatMs: settings.heartbeatMs,
    maxAttempts: settings.maxAttempts,
    ...(only === undefined ? {} : { only }),
    onEvent: setup.onEvent,
  });
  const watchdog = watch(home);
  let pruning: NodeJS.Timeout | undefined;
  return {
    id,
    worker,
    async start() {
      pruning = await keepPruned(files, layers);
      await worker.start();
    },
    async close() {
      clearInterval(pruning);
      await files.removeIdleCheckouts();
      await home.release();
      watchdog?.dismiss();
    },
  };
}

/** Removes what is too old or too much from a worker's caches, now and from time to time. */
async function keepPruned(files: SnapshotFetcher, layers: Layers): Promise<NodeJS.Timeout> {
  const prune = async (): Promise<void> => {
    await files.prune();
    await pruneLayers(layers, LAYER_LIMITS);
  };
  await prune();
  // What cannot be removed is tried again the next time.
  return setInterval(() => void prune().catch(() => undefined), PRUNE_EVERY_MS).unref();
}

/**
 * Starts the watchdog process, which cleans up if this worker is killed. Returns undefined if its script is missing, as
 * in tests of the sources; the next worker then cleans up.
 */
function watch({ folder, session }: WorkerHome): Watchdog | undefined {
  const script = assetPath("watchdog.js");
  return existsSync(script) ? startWatchdog(script, [folder, session]) : undefined;
}
