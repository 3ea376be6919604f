import { sep } from "node:path";
import { PithError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import type { SemanticSearch } from "../semantic/semantic-search.ts";
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
  /** Moves a damaged database aside; a new one is created when the store is next opened. */
  readonly discardStore: () => Promise<void>;
  /** Called after a failed call to check the store; if it returns false, a fallback store is opened. */
  readonly isStoreReachable?: () => Promise<boolean>;
  /**
   * Returns a name that clones of one repository have in common, so that they share stored data. Default: the git
   * folder.
   */
  readonly familyOf?: FamilyOf;
  readonly logger: Logger;
  readonly timeBudgetMs: number;
  /** Time limit of a call; it includes the wait of the first query for the index. */
  readonly answerMs: number;
  readonly maxFileBytes: number;
  /** Number of parser threads; 0 means one per core, at most four. */
  readonly workers: number;
  readonly prewarm: boolean;
  /** Returns false if no store exists yet, in which case there is nothing to preload. */
  readonly hasStore?: () => boolean;
  /** Returns whether this server may serve a folder. Default: it may serve all. */
  readonly mayServe?: (root: string) => boolean;
  /** Present if an embedding provider for semantic search is configured. */
  readonly semantic?: SemanticSearch;
}

/** Number of projects kept in memory; the least recently used one is closed first. */
export const MAX_LOADED_PROJECTS = 3;

/** State that all parts of the index share: the store (the database of the index) and the projects in memory. */
export interface IndexCore {
  readonly settings: IndexSettings;
  store(): Promise<IndexStore>;
  /** Opens a project. With `warming`, the project is only preloaded, which does not count as a use. */
  project(root: string, options?: { readonly warming?: boolean }): Promise<ProjectIndex>;
  /** Returns the roots of the projects in memory, most recently used last. */
  loadedRoots(): readonly string[];
  /** Closes the store; the next call opens it again, or the fallback store if it is unreachable. */
  reopen(): void;
  /** Closes the store and discards its database, so that the next call creates a new one. */
  recreateStore(): Promise<void>;
}

/** Creates the state that all parts of the index share. No database is opened before the first call. */
export function createCore(settings: IndexSettings): IndexCore & { close(): Promise<void> } {
  let opened: Promise<IndexStore> | undefined;
  let pools = new Map<string, SegmentPool>();
  let projects = new Map<string, Promise<ProjectIndex>>();
  const enqueueClose = createSerialQueue();
  const recorder = createRecorder(settings.workers);

  const store = (): Promise<IndexStore> => {
    const current = (opened ??= settings.openStore());
    // A store that could not be opened is opened again by the next call, because the cause, such as a full disk, may be
    // gone.
    current.catch(() => {
      if (opened === current) opened = undefined;
    });
    return current;
  };

  /** Roots of preloaded projects; the store does not count them as used until a request opens them. */
  const unused = new Set<string>();
  const open = async (root: string, warming: boolean): Promise<ProjectIndex> => {
    // The segment pools (index data in memory) belong to this store; during the await, another store may be opened.
    const ownPools = pools;
    const ready = await store();
    const known = warming ? (await ready.projects()).find((project) => project.root === root) : undefined;
    if (known !== undefined) unused.add(root);
    const services = { ...aboutStore(ready, settings), recorder, poolFor: poolsIn(ownPools, ready) };
    return openProjectIndex(root, services, known);
  };

  /** Resets the state at once, and closes the former projects and store as soon as their work has stopped. */
  const closeAll = (): Promise<void> => {
    const all = [...projects.values()];
    const oldPools = [...pools.values()];
    const store = opened;
    projects = new Map();
    pools = new Map();
    opened = undefined;
    return enqueueClose(() => closeThese(all, oldPools, store));
  };

  return {
    settings,
    store,
    loadedRoots: () => [...projects.keys()],
    async project(root, { warming = false } = {}) {
      await closeIfReplaced(projects, root);
      // A preloaded project must not change the order in which the projects in use are closed.
      if (warming && projects.has(root)) return projects.get(root) ?? open(root, warming);
      const known = projects.get(root) ?? open(root, warming);
      (warming ? putFirst : putLast)(projects, root, known);
      if (projects.size > MAX_LOADED_PROJECTS) await closeOldest(projects, pools);
      const project = await known;
      if (!warming && unused.delete(root)) await (await store()).project(root, project.family);
      return project;
    },
    reopen() {
      // Closing is not awaited, because it may take long if the store is unavailable.
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

/** Closes the projects first and the store last, because work that is stopping may still write to the store. */
async function closeThese(
  projects: readonly Promise<ProjectIndex>[],
  pools: readonly SegmentPool[],
  store: Promise<IndexStore> | undefined,
): Promise<void> {
  for (const project of projects) await (await project.catch(() => undefined))?.close();
  for (const pool of pools) await pool.close();
  await (await store?.catch(() => undefined))?.close();
}

/** Adds a project to those in memory, as the one that is closed first if there are too many. */
function putFirst(
  projects: Map<string, Promise<ProjectIndex>>,
  root: string,
  project: Promise<ProjectIndex>,
): void {
  const others = [...projects];
  projects.clear();
  putLast(projects, root, project);
  for (const [other, value] of others) projects.set(other, value);
}

/**
 * Adds a project to those in memory, as the most recently used one. If it fails to open, it is removed, so that the
 * next call tries again.
 */
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

/**
 * Closes a project if its folder belongs to another git repository than when it was opened, or has become one itself.
 */
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

/** Returns the git ref that a request asks for; the default `live` stands for the working tree. */
export function refOf(ref: string | undefined): string {
  return ref === undefined || ref === "" ? "live" : ref;
}

/** Converts a request's path to one relative to the workspace. */
export function relativePath(root: string, path: string): string {
  // Elsewhere than on Windows, a backslash is part of a name.
  const clean = (sep === "\\" ? path.replaceAll("\\", "/") : path).replace(/^(?:\.\/)+/, "");
  const inside = clean === root ? "" : clean.startsWith(`${root}/`) ? clean.slice(root.length + 1) : clean;
  if (inside.startsWith("/") || inside.split("/").includes(".."))
    throw new PithError("workspace_not_allowed", `${path} lies outside ${root}`, { path });
  return inside;
}
