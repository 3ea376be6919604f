import { hasAsset } from "../kernel/assets.ts";
import { LANGUAGES } from "../languages/registry.ts";
import type { IndexHealth, ProjectStatus, StartupCheck } from "../model/index-report.ts";
import { refOf, MAX_LOADED_PROJECTS, type IndexCore } from "./core.ts";
import { statusOf, reportInterruptedJobs } from "./project-status.ts";
import { brokenProject, brokenStore, isStoreError, usableStore } from "./startup-checks.ts";
import { recentRoots, preload } from "./live/preload.ts";

/** Time for which the result of a full check of the store is reused. */
const CHECK_VALID_MS = 60_000;

interface StatusRequest {
  readonly root: string;
  readonly ref?: string;
}

/** Creates the replies of the tools index_status and health_check. Both reply even if the store is damaged. */
export function createIndexHealth(core: IndexCore) {
  const { settings } = core;
  let prewarm: IndexHealth["prewarm_status"] = settings.prewarm ? "pending" : "disabled";
  let checkedAt = 0;
  const checkStore = async (): Promise<void> => {
    if (Date.now() - checkedAt < CHECK_VALID_MS) return;
    await (await core.store()).check?.();
    checkedAt = Date.now();
  };
  return {
    status: async ({ root, ref }: StatusRequest): Promise<ProjectStatus> => {
      const status = await statusOf(core, { root, ref: refOf(ref), refresh: false });
      return { ...status, startup_checks: { index: usableStore(status) } };
    },
    /** Returns the status of a project when the store (the database of the index) failed. */
    brokenStatus({ root, ref }: StatusRequest, error: unknown): ProjectStatus {
      const index = brokenStore(error);
      return { ...brokenProject(root, refOf(ref), index), startup_checks: { index } };
    },
    async prewarm(root: string): Promise<void> {
      prewarm = "running";
      try {
        if (settings.hasStore?.() !== false) await preload(core, root);
        prewarm = "complete";
      } catch (error) {
        prewarm = "failed";
        throw error;
      }
    },
    async health(root: string): Promise<IndexHealth> {
      await checkStore();
      const project = await statusOf(core, { root, ref: "live", refresh: true });
      const report = await reportInterruptedJobs(await core.store());
      return {
        ...aboutServer(core, prewarm, await recentRoots(core)),
        sqlite_ok: true,
        ...(project.active_job !== undefined && { active_job: project.active_job }),
        ...(report !== undefined && { interrupted_recovery_report: report }),
        startup_checks: { index: usableStore(project) },
        projects: [project],
      };
    },
    /** Returns the health report of a server when the store (the database of the index) failed. */
    brokenHealth(root: string, error: unknown): IndexHealth {
      const index: StartupCheck = brokenStore(error);
      return {
        ...aboutServer(core, prewarm, core.loadedRoots().toReversed()),
        sqlite_ok: !isStoreError(error),
        startup_checks: { index },
        projects: [brokenProject(root, "live", index)],
      };
    },
  };
}

function aboutServer(
  { settings }: IndexCore,
  prewarm_status: IndexHealth["prewarm_status"],
  members: readonly string[],
): Pick<IndexHealth, "grammars" | "workspace_warmset" | "prewarm_status"> {
  return {
    grammars: grammars(),
    workspace_warmset: { enabled: settings.prewarm, capacity: MAX_LOADED_PROJECTS, members },
    prewarm_status,
  };
}

function grammars(): IndexHealth["grammars"] {
  const available: string[] = [];
  const missing: string[] = [];
  for (const { id, outline } of LANGUAGES) {
    const here = outline.by !== "grammar" || hasAsset(`grammars/${outline.wasm}`);
    (here ? available : missing).push(id);
  }
  return { available, missing };
}
