import type { CodeAnswer } from "../model/hit.ts";
import type { FileOutline, IndexHealth, IndexReport, ProjectStatus } from "../model/index-report.ts";
import { createAnswers, type LocateRequest, type SearchRequest } from "./answers.ts";
import { createCore, type IndexSettings } from "./core.ts";
import { createIndexHealth } from "./health.ts";
import { createIndexing, type IndexRequest } from "./indexing.ts";
import { outlineFile, type OutlineRequest } from "./outline.ts";

/** The code index of a server: all that the tools and commands ask of it. */
export interface CodeIndex {
  search(request: SearchRequest): Promise<CodeAnswer>;
  locate(request: LocateRequest): Promise<CodeAnswer>;
  outline(request: OutlineRequest): Promise<FileOutline>;
  index(request: IndexRequest): Promise<IndexReport>;
  status(request: { readonly root: string; readonly ref?: string }): Promise<ProjectStatus>;
  health(root: string): Promise<IndexHealth>;
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
  return {
    ...createAnswers(core),
    outline: (request) => outlineFile(core, request),
    index: createIndexing(core),
    status: (request) => health.status(request),
    health: (root) => health.health(root),
    prewarm: (root) => health.prewarm(root),
    rootOf: async (projectId) =>
      (await (await core.store()).projects()).find(
        (project) => project.projectId === projectId && project.elsewhere === undefined,
      )?.root,
    close: () => core.close(),
  };
}
