import { PithError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { openProjectIndex, type ProjectIndex } from "./project-index.ts";
import { createRecorder } from "./recorder.ts";
import { createSegmentPool, type SegmentPool } from "./segment-pool.ts";
import type { IndexStore } from "./store.ts";

export interface IndexSettings {
  readonly openStore: () => Promise<IndexStore>;
  /** Moves a damaged database away; the next opening makes a new one. */
  readonly discardStore: () => Promise<void>;
  readonly logger: Logger;
  readonly timeBudgetMs: number;
  readonly maxFileBytes: number;
  /** Parser threads; 0 for one a core, at most four. */
  readonly workers: number;
  readonly prewarm: boolean;
}

/** Projects kept in memory; the one used longest ago goes first. */
export const WARM_CAPACITY = 3;

/** What the parts of the index share: one store, and the projects in memory. */
export interface IndexCore {
  readonly settings: IndexSettings;
  store(): Promise<IndexStore>;
  project(root: string): Promise<ProjectIndex>;
  members(): readonly string[];
  /** Closes the store and makes a new one in its place. */
  restart(): Promise<void>;
}

/** Makes what the parts share. Nothing is opened before the first call. */
export function createCore(settings: IndexSettings): IndexCore & { close(): Promise<void> } {
  let opened: Promise<IndexStore> | undefined;
  let pools = new Map<string, SegmentPool>();
  let projects = new Map<string, Promise<ProjectIndex>>();
  const recorder = createRecorder(settings.workers);

  const store = (): Promise<IndexStore> => {
    opened ??= settings.openStore();
    // The next call tries again: the disk may have room by then.
    opened.catch(() => (opened = undefined));
    return opened;
  };

  const open = async (root: string): Promise<ProjectIndex> => {
    const ready = await store();
    const poolFor = (family: string): SegmentPool => {
      const known = pools.get(family) ?? createSegmentPool(ready, family);
      pools.set(family, known);
      return known;
    };
    return openProjectIndex(root, { store: ready, recorder, poolFor, maxFileBytes: settings.maxFileBytes });
  };

  const closeAll = async (): Promise<void> => {
    const all = [...projects.values()];
    projects = new Map();
    pools = new Map();
    for (const project of all) await (await project.catch(() => undefined))?.close();
    await (await opened?.catch(() => undefined))?.close();
    opened = undefined;
  };

  return {
    settings,
    store,
    members: () => [...projects.keys()],
    async project(root) {
      const known = projects.get(root) ?? open(root);
      projects.delete(root);
      projects.set(root, known);
      known.catch(() => projects.delete(root));
      if (projects.size > WARM_CAPACITY) await forgetOldest(projects, pools);
      return known;
    },
    async restart() {
      await closeAll();
      await settings.discardStore();
    },
    async close() {
      await closeAll();
      await recorder.close();
    },
  };
}

async function forgetOldest(
  projects: Map<string, Promise<ProjectIndex>>,
  pools: Map<string, SegmentPool>,
): Promise<void> {
  const [oldest] = projects;
  if (oldest === undefined) return;
  const [root, project] = oldest;
  projects.delete(root);
  const closed = await project.catch(() => undefined);
  await closed?.close();
  const families = new Set(
    await Promise.all(
      [...projects.values()].map(async (other) => (await other).repository?.commonDir ?? (await other).root),
    ),
  );
  for (const family of pools.keys()) if (!families.has(family)) pools.delete(family);
}

/** The ref that a request means: the working tree unless it names one. */
export function refOf(ref: string | undefined): string {
  return ref === undefined || ref === "" ? "live" : ref;
}

/** A path of a request relative to the workspace. */
export function relativePath(root: string, path: string): string {
  const clean = path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
  const inside = clean === root ? "" : clean.startsWith(`${root}/`) ? clean.slice(root.length + 1) : clean;
  if (inside.startsWith("/") || inside.split("/").includes(".."))
    throw new PithError("workspace_not_allowed", `${path} lies outside ${root}`, { path });
  return inside;
}
