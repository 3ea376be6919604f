import type { ActiveJob, ProjectStatus, RecoveryReport } from "../model/index-report.ts";
import type { IndexCore } from "./core.ts";
import { isAlive } from "./live/job-log.ts";
import { isUpToDate, type Freshness, type TreeIndex } from "./live/tree-index.ts";
import { corpusOf } from "./semantic-corpus.ts";
import { VERSIONS } from "./startup-checks.ts";
import type { IndexStore, JobRow, ManifestSummary } from "./store/store.ts";

export interface StatusRequest {
  readonly root: string;
  readonly ref: string;
  /** True to index changed files, as a query does; false to only look for them. */
  readonly refresh: boolean;
}

/** Returns the state of one project's index. */
export async function statusOf(
  core: IndexCore,
  { root, ref, refresh }: StatusRequest,
): Promise<ProjectStatus> {
  const project = await core.project(root);
  const store = await core.store();
  const index = await project.index(ref);
  const { timeBudgetMs, semantic } = core.settings;
  const freshness = refresh ? await index.refresh({ budgetMs: timeBudgetMs }) : await index.scan();
  const manifests = await store.manifests(project.projectId);
  const manifest = manifests.find((entry) => entry.ref === ref);
  // A status request also resumes indexing that was interrupted.
  if (manifest?.complete === false) index.start();
  const jobs = (await store.jobs(project.projectId)).filter((job) => job.ref === ref);
  const job = jobs.find((entry) => entry.status === "running" && isAlive(entry));
  const isWorking = freshness.isWorking || job !== undefined;
  const view = await project.view(index);
  return {
    project_id: project.projectId,
    repo_root: root,
    ref,
    index_status: indexStatus(manifest, jobs, isWorking),
    freshness_status: isUpToDate(freshness) ? "fresh" : isWorking ? "syncing" : "stale",
    schema_status: manifest === undefined ? "not_indexed" : "compatible",
    ...VERSIONS,
    ...(manifest !== undefined && { last_indexed_at: new Date(manifest.publishedAt).toISOString() }),
    ...headsOf(freshness),
    file_count: view.files.length,
    symbol_count: view.files.reduce((sum, file) => sum + view.documentOf(file).symbols.length, 0),
    pending_files: freshness.pending.size,
    skipped: skippedIn(index),
    refs: manifests.filter((entry) => entry.complete).map((entry) => entry.ref),
    ...(store.fallback !== undefined && { store_notice: store.fallback.reason }),
    ...(job !== undefined && { active_job: activeJob(job) }),
    ...(semantic !== undefined && {
      semantic: await semantic.status(corpusOf({ project, store, view, ref })),
    }),
  };
}

function indexStatus(
  manifest: ManifestSummary | undefined,
  jobs: readonly JobRow[],
  isWorking: boolean,
): ProjectStatus["index_status"] {
  if (manifest?.complete === true) return "ready";
  if (isWorking) return "indexing";
  if (jobs.some(({ status }) => status === "failed")) return "failed";
  return manifest === undefined ? "not_indexed" : "indexing";
}

function headsOf({
  head,
  indexedHead,
}: Freshness): Pick<ProjectStatus, "current_head" | "last_indexed_commit"> {
  return {
    ...(indexedHead !== undefined && { last_indexed_commit: indexedHead }),
    ...(head !== undefined && { current_head: head }),
  };
}

function skippedIn(index: TreeIndex): Record<string, number> {
  const skipped: Record<string, number> = {};
  for (const { skipped: reason } of index.entries.values())
    if (reason !== undefined) skipped[reason] = (skipped[reason] ?? 0) + 1;
  return skipped;
}

function activeJob({ jobId, projectId, mode, changedFiles, startedAt }: JobRow): ActiveJob {
  return {
    job_id: jobId,
    project_id: projectId,
    mode,
    status: "running",
    changed_files: changedFiles,
    started_at: new Date(startedAt).toISOString(),
  };
}

/**
 * Reports indexing jobs whose process ended early; each is reported once. What they finished is in the store, and the
 * next query continues from there.
 */
export async function reportInterruptedJobs(store: IndexStore): Promise<RecoveryReport | undefined> {
  const left = (await store.jobs()).filter(
    (job) => job.status === "interrupted" || (job.status === "running" && !isAlive(job)),
  );
  if (left.length === 0) return undefined;
  for (const { jobId } of left) await store.forgetJob(jobId);
  return {
    interrupted_jobs: left.length,
    jobs: left.map(({ jobId, projectId, mode, startedAt }) => ({
      job_id: jobId,
      project_id: projectId,
      mode,
      started_at: new Date(startedAt).toISOString(),
    })),
    action: "Finished batches are kept; the rest is indexed at the next query or sync.",
  };
}
