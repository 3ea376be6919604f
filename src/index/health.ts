import { existsSync } from "node:fs";
import { assetPath } from "../kernel/assets.ts";
import { PithError } from "../kernel/errors.ts";
import { LANGUAGES } from "../languages/registry.ts";
import type { ActiveJob, IndexHealth, ProjectStatus, RecoveryReport } from "../model/index-report.ts";
import { isAlive } from "./job-log.ts";
import { corpusOf } from "./meaning-corpus.ts";
import { tidy } from "./upkeep.ts";
import { refOf, WARM_CAPACITY, type IndexCore } from "./core.ts";
import type { IndexStore, JobRow } from "./store.ts";
import { FEATURE_VERSION } from "./versions.ts";

/** What index_status and health_check tell. */
export function createIndexHealth(core: IndexCore) {
  let prewarm: IndexHealth["prewarm_status"] = core.settings.prewarm ? "pending" : "disabled";
  return {
    status: ({ root, ref }: { readonly root: string; readonly ref?: string }) =>
      statusOf(core, root, refOf(ref)),
    async prewarm(root: string): Promise<void> {
      prewarm = "running";
      try {
        await loadKnown(core, root);
        prewarm = "complete";
      } catch (error) {
        prewarm = "failed";
        throw error;
      }
    },
    async health(root: string): Promise<IndexHealth> {
      const base = {
        grammars: grammars(),
        workspace_warmset: {
          enabled: core.settings.prewarm,
          capacity: WARM_CAPACITY,
          members: core.members(),
        },
        prewarm_status: prewarm,
      };
      const store = await core.store().catch((error: unknown) => error);
      if (store instanceof Error) return { ...base, ...damaged(store) };
      const opened = await core.store();
      const project = await statusOf(core, root, "live");
      const report = await takeRecovery(opened);
      const indexed = project.index_status !== "not_indexed";
      return {
        ...base,
        sqlite_ok: true,
        ...(project.active_job !== undefined && { active_job: project.active_job }),
        ...(report !== undefined && { interrupted_recovery_report: report }),
        startup_checks: { index: { status: indexed ? "compatible" : "not_indexed", ...VERSIONS } },
        projects: [project],
      };
    },
  };
}

const VERSIONS = { current_schema_version: FEATURE_VERSION, required_schema_version: FEATURE_VERSION };

function damaged(error: Error): Pick<IndexHealth, "sqlite_ok" | "startup_checks" | "projects"> {
  const incompatible = error instanceof PithError && error.code === "index_incompatible";
  const newer = error instanceof PithError && typeof error.data["schema_version"] === "number";
  return {
    sqlite_ok: false,
    startup_checks: {
      index: {
        status: incompatible && !newer ? "corrupt_manifest" : "reindex_required",
        current_schema_version: newer ? Number(error.data["schema_version"]) : 0,
        required_schema_version: FEATURE_VERSION,
        message: error.message,
      },
    },
    projects: [],
  };
}

/** Loads what is stored; a folder that nobody indexed is left alone. */
async function loadKnown(core: IndexCore, root: string): Promise<void> {
  const project = await core.project(root);
  const index = await project.index("live");
  if (index.entries.size === 0) return;
  await index.look();
  const view = await project.view(index);
  project.imports(view);
  await core.settings.meaning?.warm(corpusOf({ project, store: await core.store(), view, ref: "live" }));
  await tidy(core);
}

async function statusOf(core: IndexCore, root: string, ref: string): Promise<ProjectStatus> {
  const project = await core.project(root);
  const store = await core.store();
  const index = await project.index(ref);
  const freshness = await index.look();
  const manifests = await store.manifests(project.projectId);
  const manifest = manifests.find((entry) => entry.ref === ref);
  const job = (await store.jobs(project.projectId)).find(
    (entry) => entry.ref === ref && entry.status === "running" && isAlive(entry),
  );
  const failed = (await store.jobs(project.projectId)).some(
    (entry) => entry.ref === ref && entry.status === "failed",
  );
  const view = await project.view(index);
  const { meaning } = core.settings;
  const working = freshness.working || job !== undefined;
  const known = manifest !== undefined;
  const skipped: Record<string, number> = {};
  for (const { skipped: reason } of index.entries.values())
    if (reason !== undefined) skipped[reason] = (skipped[reason] ?? 0) + 1;
  return {
    project_id: project.projectId,
    repo_root: root,
    ref,
    index_status:
      manifest?.complete === true
        ? "ready"
        : working
          ? "indexing"
          : failed
            ? "failed"
            : known
              ? "indexing"
              : "not_indexed",
    freshness_status: freshness.pending.size === 0 ? "fresh" : working ? "syncing" : "stale",
    schema_status: "compatible",
    ...VERSIONS,
    ...(manifest !== undefined && { last_indexed_at: new Date(manifest.publishedAt).toISOString() }),
    ...(freshness.indexedHead !== undefined && { last_indexed_commit: freshness.indexedHead }),
    ...(freshness.head !== undefined && { current_head: freshness.head }),
    file_count: view.files.length,
    symbol_count: view.files.reduce((sum, file) => sum + view.documentOf(file).symbols.length, 0),
    pending_files: freshness.pending.size,
    skipped,
    refs: manifests.filter((entry) => entry.complete).map((entry) => entry.ref),
    ...(store.standIn !== undefined && { store_notice: store.standIn.reason }),
    ...(job !== undefined && { active_job: activeJob(job) }),
    ...(meaning !== undefined && { semantic: await meaning.status(corpusOf({ project, store, view, ref })) }),
  };
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

/** Work whose process is gone, told once. What was published stays, and the next query goes on from there. */
async function takeRecovery(store: IndexStore): Promise<RecoveryReport | undefined> {
  const left = (await store.jobs()).filter((job) => job.status === "failed" || !isAlive(job));
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

function grammars(): IndexHealth["grammars"] {
  const available: string[] = [];
  const missing: string[] = [];
  for (const { id, outline } of LANGUAGES) {
    const here = outline.by !== "grammar" || existsSync(assetPath(`grammars/${outline.wasm}`));
    (here ? available : missing).push(id);
  }
  return { available, missing };
}
