import type { CodeAnswer } from "../model/hit.ts";
import type {
  FileOutline,
  IndexHealth,
  IndexReport,
  ProjectStatus,
  ProjectSummary,
} from "../model/index-report.ts";
import {
  createCodeQueries,
  type LocateRequest,
  type ResultPlace,
  type ResultRequest,
  type SearchRequest,
} from "./code-queries.ts";
import { createCore, type IndexSettings } from "./core.ts";
import { createIndexHealth } from "./health.ts";
import { listProjects, removeProject } from "./projects.ts";
import { isDamage, isStoreError } from "./startup-checks.ts";
import { scheduleIdleGc } from "./live/idle-gc.ts";
import type { RemovedProject } from "./store/store.ts";
import { createRetention } from "./live/retention.ts";
import { createFailover } from "./live/store-failover.ts";
import { createIndexing, type IndexRequest } from "./indexing.ts";
import { outlineFile, type OutlineRequest } from "./query/outline.ts";

/** The code index of a server: all that the tools and commands ask of it. */
export interface CodeIndex {
  search(request: SearchRequest): Promise<CodeAnswer>;
  locate(request: LocateRequest): Promise<CodeAnswer>;
  /** Where a result lies that a search showed before; throws `result_not_found` once its file has changed. */
  result(request: ResultRequest): Promise<ResultPlace>;
  outline(request: OutlineRequest): Promise<FileOutline>;
  index(request: IndexRequest): Promise<IndexReport>;
  status(request: { readonly root: string; readonly ref?: string }): Promise<ProjectStatus>;
  health(root: string): Promise<IndexHealth>;
  /** All projects of the store. */
  projects(): Promise<readonly ProjectSummary[]>;
  removeProject(projectId: string): Promise<RemovedProject>;
  /** The folder of a project. */
  rootOf(projectId: string): Promise<string | undefined>;
  /** Reads an index that exists into memory; does nothing for a folder that was never indexed. */
  prewarm(root: string): Promise<void>;
  close(): Promise<void>;
}

/** Makes the index of a server. Nothing is opened before the first call. */
export function createCodeIndex(settings: IndexSettings): CodeIndex {
  const core = createCore(settings);
  const health = createIndexHealth(core);
  const answers = createCodeQueries(core);
  const index = createIndexing(core);
  const survivor = createFailover(core);
  const rest = scheduleIdleGc();
  const upkeep = createRetention(core);
  /** What a request has met in parts of the store that a look at it does not show. */
  let damage: unknown;
  const survive = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const answer = await survivor(work);
      upkeep.after();
      return answer;
    } catch (error) {
      if (isDamage(error)) damage = error;
      throw error;
    } finally {
      rest();
    }
  };
  return {
    search: (request) => survive(() => answers.search(request)),
    locate: (request) => survive(() => answers.locate(request)),
    result: (request) => survive(() => answers.result(request)),
    outline: (request) => survive(() => outlineFile(core, request)),
    async index(request) {
      const report = await survive(() => index(request));
      // Made anew.
      if (request.force === true) damage = undefined;
      return report;
    },
    status: (request) =>
      survive(() => health.status(request)).catch((error: unknown) => {
        if (!isStoreError(error)) throw error;
        return health.brokenStatus(request, error);
      }),
    health: (root) =>
      survive(() => (damage === undefined ? health.health(root) : Promise.reject(damage))).catch(
        (error: unknown) => health.brokenHealth(root, error),
      ),
    prewarm: (root) => survivor(() => health.prewarm(root)),
    projects: () => survive(() => listProjects(core)),
    removeProject: (projectId) => survive(() => removeProject(core, projectId)),
    rootOf: async (projectId) =>
      (await (await core.store()).projects()).find(
        (project) => project.projectId === projectId && project.otherHost === undefined,
      )?.root,
    async close() {
      upkeep.close();
      await core.close();
    },
  };
}
