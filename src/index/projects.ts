import { basename } from "node:path";
import { PithError } from "../kernel/errors.ts";
import type { ProjectSummary } from "../model/index-report.ts";
import type { IndexCore } from "./core.ts";
import type { RemovedProject } from "./store/store.ts";

/** Lists the projects that are in the store (the database of the index). */
export async function listProjects(core: IndexCore): Promise<readonly ProjectSummary[]> {
  const store = await core.store();
  const summaries: ProjectSummary[] = [];
  for (const { projectId, root, family, lastUsed, otherHost } of await store.projects()) {
    const manifests = await store.manifests(projectId);
    const live = manifests.find(({ ref }) => ref === "live") ?? manifests[0];
    summaries.push({
      project_id: projectId,
      root,
      family,
      ...(otherHost !== undefined && { host: otherHost }),
      last_used: new Date(lastUsed).toISOString(),
      refs: manifests.map(({ ref }) => ref),
      files: live?.files ?? 0,
    });
  }
  return summaries;
}

/** Finds the root folder of a project of this machine by its id, or by a folder name that only one of them has. */
export async function rootOf(core: IndexCore, name: string): Promise<string | undefined> {
  const own = (await (await core.store()).projects()).filter(({ otherHost }) => otherHost === undefined);
  const named = own.filter(({ root }) => basename(root) === name);
  return (
    own.find(({ projectId }) => projectId === name)?.root ?? (named.length === 1 ? named[0]?.root : undefined)
  );
}

/** Removes a project from the store. Its folder is not touched, and the next call there indexes it again. */
export async function removeProject(core: IndexCore, projectId: string): Promise<RemovedProject> {
  const store = await core.store();
  const removed = await store.removeProject(projectId);
  // The removed project may be in memory, so all projects are closed; the next call opens them again.
  core.reopen();
  if (removed !== undefined) return removed;
  throw new PithError("project_not_found", `${store.name} has no project ${projectId} that may be removed`, {
    suggestion: "pith projects lists them.",
  });
}
