import { PithError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Meaning } from "../semantic/semantic-search.ts";
import type { GitRepository } from "../workspace/git/git-repository.ts";
import {
  openProjectIndex,
  type FamilyOf,
  type ProjectIndex,
  type ProjectServices,
} from "./live/project-index.ts";
import { createRecorder } from "./store/recorder.ts";
import { createSerialQueue } from "./live/single-flight.ts";
import { createSegmentPool, type SegmentPool } from "./store/segment-pool.ts";
import type { IndexStore } from "./store/store.ts";

export interface IndexSettings {
  readonly openStore: () => Promise<IndexStore>;
  /** Moves a damaged database away; the next opening makes a new one. */
  readonly discardStore: () => Promise<void>;
  /** Whether the store answers after a call has failed; where it does not, another one is opened in its place. */
  readonly isStoreReachable?: () => Promise<boolean>;
  /** What all clones of a repository have in common; left out, its own folder of git. */
  readonly familyOf?: FamilyOf;
  readonly logger: Logger;
  readonly timeBudgetMs: number;
  /** How long a call may take; a first question waits for the index within it. */
  readonly answerMs: number;
  readonly maxFileBytes: number;
  /** Parser threads; 0 for one a core, at most four. */
  readonly workers: number;
  readonly prewarm: boolean;
  /** Whether there is a store already: one that would only be made has nothing to warm up. */
  readonly hasStore?: () => boolean;
  /** Whether this server may serve a folder; left out, it may serve all. */
  readonly mayServe?: (root: string) => boolean;
  /** Semantic search, where a provider is configured. */
  readonly semantic?: Meaning;
}

/** Projects kept in memory; the one used longest ago goes first. */
export const MAX_LOADED_PROJECTS = 3;

/** What the parts of the index share: one store, and the projects in memory. */
export interface IndexCore {
  readonly settings: IndexSettings;
  store(): Promise<IndexStore>;
  /** `warming`: nobody has asked for it, so the store is not told of a use. */
  project(root: string, options?: { readonly warming?: boolean }): Promise<ProjectIndex>;
  /** The projects in memory, the one used last at the end. */
  loadedRoots(): readonly string[];
  /** Leaves the store as it is; the next call opens it, or another one, again. */
  reopen(): void;
  /** Closes the store and makes a new one in its place. */
  recreateStore(): Promise<void>;
}

/** Makes what the parts share. Nothing is opened before the first call. */
export function createCore(settings: IndexSettings): IndexCore & { close(): Promise<void> } {
  let opened: Promise<IndexStore> | undefined;
  let pools = new Map<string, SegmentPool>();
  let projects = new Map<string, Promise<ProjectIndex>>();
  const leave = createSerialQueue();
  const recorder = createRecorder(settings.workers);

  const store = (): Promise<IndexStore> => {
    const current = (opened ??= settings.openStore());
    // The next call tries again: the disk may have room by then.
    current.catch(() => {
      if (opened === current) opened = undefined;
    });
    return current;
  };

  /** Projects in memory that the store was not told of. */
  const unused = new Set<string>();
  const open = async (root: string, warming: boolean): Promise<ProjectIndex> => {
    // Those of the same store: meanwhile another one may be opened, with pools of its own.
    const its = pools;
    const ready = await store();
    const known = warming ? (await ready.projects()).find((project) => project.root === root) : undefined;
    if (known !== undefined) unused.add(root);
    const services = { ...aboutStore(ready, settings), recorder, poolFor: poolsIn(its, ready) };
    return openProjectIndex(root, services, known);
  };

  /** What comes after this call begins with nothing; what was there is closed once its work has stopped. */
  const closeAll = (): Promise<void> => {
    const all = [...projects.values()];
    const its = [...pools.values()];
    const store = opened;
    projects = new Map();
    pools = new Map();
    opened = undefined;
    return leave(() => closeThese(all, its, store));
  };

  return {
    settings,
    store,
    loadedRoots: () => [...projects.keys()],
    async project(root, { warming = false } = {}) {
      await closeIfReplaced(projects, root);
      // Warming up changes nothing for what is in use: neither the order nor who has to go.
      if (warming && projects.has(root)) return projects.get(root) ?? open(root, warming);
      const known = projects.get(root) ?? open(root, warming);
      (warming ? putFirst : putLast)(projects, root, known);
      if (projects.size > MAX_LOADED_PROJECTS) await closeOldest(projects, pools);
      const project = await known;
      if (!warming && unused.delete(root)) await (await store()).project(root, project.family);
      return project;
    },
    reopen() {
      // Nobody waits: a store that is away may take long to say so.
      closeAll().catch((error: unknown) =>
        settings.logger.event("index.close_failed", { message: String(error) }, "warn"),
      );
    },
    async recreateStore() {
      await Promise.all([settings.semantic?.closeStore(), closeAll()]);
      await settings.discardStore();
    },
    async close() {
      await settings.semantic?.close();
      await Promise.all([closeAll(), recorder.close()]);
    },
  };
}

function poolsIn(pools: Map<string, SegmentPool>, store: IndexStore): ProjectServices["poolFor"] {
  return (family) => {
    const known = pools.get(family) ?? createSegmentPool(store, family);
    pools.set(family, known);
    return known;
  };
}

function aboutStore(
  store: IndexStore,
  { maxFileBytes, familyOf = ownFamily, isStoreReachable }: IndexSettings,
): Omit<ProjectServices, "recorder" | "poolFor"> {
  const isReplaceable = isStoreReachable !== undefined && store.fallback === undefined;
  return { store, maxFileBytes, isReplaceable, familyOf };
}

function ownFamily(root: string, repository?: GitRepository): Promise<string> {
  return Promise.resolve(repository?.commonDir ?? root);
}

/** The store last: work that stops may still write. */
async function closeThese(
  projects: readonly Promise<ProjectIndex>[],
  pools: readonly SegmentPool[],
  store: Promise<IndexStore> | undefined,
): Promise<void> {
  for (const project of projects) await (await project.catch(() => undefined))?.close();
  for (const pool of pools) await pool.close();
  await (await store?.catch(() => undefined))?.close();
}

/** The one that goes first where there is no room. */
function putFirst(
  projects: Map<string, Promise<ProjectIndex>>,
  root: string,
  project: Promise<ProjectIndex>,
): void {
  const others = [...projects];
  projects.clear();
  putLast(projects, root, project);
  for (const [other, its] of others) projects.set(other, its);
}

/** The one used last; one that could not be opened may be opened the next time. */
function putLast(
  projects: Map<string, Promise<ProjectIndex>>,
  root: string,
  project: Promise<ProjectIndex>,
): void {
  projects.delete(root);
  projects.set(root, project);
  project.catch(() => {
    if (projects.get(root) === project) projects.delete(root);
  });
}

/** A folder that was made a repository, or is another one by now, begins anew. */
async function closeIfReplaced(projects: Map<string, Promise<ProjectIndex>>, root: string): Promise<void> {
  const opened = projects.get(root);
  const project = await opened?.catch(() => undefined);
  if (project === undefined || project.isCurrent() || projects.get(root) !== opened) return;
  projects.delete(root);
  await project.close();
}

async function closeOldest(
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
    await Promise.all([...projects.values()].map(async (other) => (await other).family)),
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
