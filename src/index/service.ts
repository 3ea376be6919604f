import type { ChangeReport } from "../model/changes.ts";
import type { EditReport } from "../model/edits.ts";
import type { RelationAnswer } from "../model/relation.ts";
import { relate, type RelateRequest } from "./uses/relate.ts";
import type { CodeAnswer } from "../model/hit.ts";
import type { Overview } from "../model/overview.ts";
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
import { compareStates, type ChangesRequest } from "./changes/changes.ts";
import { checkEdits } from "./changes/check-edits.ts";
import type { EditRequest } from "./changes/edited-versions.ts";
import { createCore, type IndexSettings } from "./core.ts";
import { createIndexHealth } from "./health.ts";
import { listProjects, removeProject, rootOf } from "./projects.ts";
import { isDamage, isStoreError } from "./startup-checks.ts";
import { createIdleGc } from "./live/idle-gc.ts";
import type { RemovedProject } from "./store/store.ts";
import { createRetention } from "./live/retention.ts";
import { createFailover } from "./live/store-failover.ts";
import { createIndexing, type IndexRequest } from "./indexing.ts";
import { overviewOf, type OverviewRequest } from "./overview/overview.ts";
import { testsByUse, type TestsByUse, type TestsByUseRequest } from "./tests/tests-by-use.ts";
import { outlineFile, type OutlineRequest } from "./query/outline.ts";

export type { ChangesRequest } from "./changes/changes.ts";

/** The code index of a server, as the tools and commands use it. */
export interface CodeIndex {
  search(request: SearchRequest): Promise<CodeAnswer>;
  locate(request: LocateRequest): Promise<CodeAnswer>;
  /** Returns the lines of an earlier search result; throws `result_not_found` once its file has changed. */
  result(request: ResultRequest): Promise<ResultPlace>;
  outline(request: OutlineRequest): Promise<FileOutline>;
  /** Maps a folder by what uses what; undefined if the index has no files below the path. */
  overview(request: OverviewRequest): Promise<Overview | undefined>;
  /** Compares two states of the repository by definition. */
  changes(request: ChangesRequest): Promise<ChangeReport>;
  /** Returns the test files that use what changed in the working tree. */
  testsByUse(request: TestsByUseRequest): Promise<TestsByUse>;
  /** Checks what an edit that was just made probably broke. */
  checkEdits(request: EditRequest): Promise<EditReport>;
  /** Returns who uses a definition, what it calls, what implements it, or which tests use it. */
  relate(request: RelateRequest): Promise<RelationAnswer>;
  index(request: IndexRequest): Promise<IndexReport>;
  status(request: { readonly root: string; readonly ref?: string }): Promise<ProjectStatus>;
  health(root: string): Promise<IndexHealth>;
  projects(): Promise<readonly ProjectSummary[]>;
  removeProject(projectId: string): Promise<RemovedProject>;
  /**
   * Returns the root folder of a project of this machine, by its id or by the name of its folder, if only one project is
   * called that.
   */
  rootOf(name: string): Promise<string | undefined>;
  /** Loads existing indexes into memory; has no effect for a folder that was never indexed. */
  prewarm(root: string): Promise<void>;
  close(): Promise<void>;
}

/** Creates the code index of a server. No database is opened before the first call. */
export function createCodeIndex(settings: IndexSettings): CodeIndex {
  const core = createCore(settings);
  const health = createIndexHealth(core);
  const queries = createCodeQueries(core);
  const index = createIndexing(core);
  const withFailover = createFailover(core);
  const idleGc = createIdleGc();
  const retention = createRetention(core);
  /**
   * The error of a request that found the store damaged; a health check, which does not read all of it, reports it too.
   */
  let damage: unknown;
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const answer = await withFailover(work);
      retention.after();
      return answer;
    } catch (error) {
      if (isDamage(error)) damage = error;
      throw error;
    } finally {
      idleGc.schedule();
    }
  };
  return {
    search: (request) => run(() => queries.search(request)),
    locate: (request) => run(() => queries.locate(request)),
    result: (request) => run(() => queries.result(request)),
    outline: (request) => run(() => outlineFile(core, request)),
    overview: (request) => run(() => overviewOf(core, request)),
    changes: (request) => run(() => compareStates(core, request)),
    testsByUse: (request) => run(() => testsByUse(core, request)),
    checkEdits: (request) => run(() => checkEdits(core, request)),
    relate: (request) => run(() => relate(core, request)),
    async index(request) {
      const report = await run(() => index(request));
      // Indexing with `force` replaces a damaged store, so damage found before no longer exists.
      if (request.force === true) damage = undefined;
      return report;
    },
    status: (request) =>
      run(() => health.status(request)).catch((error: unknown) => {
        if (!isStoreError(error)) throw error;
        return health.brokenStatus(request, error);
      }),
    health: (root) =>
      run(() => (damage === undefined ? health.health(root) : Promise.reject(damage))).catch(
        (error: unknown) => health.brokenHealth(root, error),
      ),
    prewarm: (root) => withFailover(() => health.prewarm(root)),
    projects: () => run(() => listProjects(core)),
    removeProject: (projectId) => run(() => removeProject(core, projectId)),
    rootOf: (name) => rootOf(core, name),
    async close() {
      idleGc.stop();
      retention.close();
      await core.close();
    },
  };
}
