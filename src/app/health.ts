import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import type { LazyTeam } from "./team.ts";
import type { CodeIndex } from "../index/service.ts";
import type { Health, HealthCheck } from "../model/health.ts";
import type { IndexHealth } from "../model/index-report.ts";
import { checkConfigFile, checkDataFolder } from "../storage/files/data-folder.ts";

interface HealthParts {
  readonly dataFolder: string;
  readonly runsFolder: string;
  /** The user's configuration file. */
  readonly configFile: string;
  readonly index: () => Promise<CodeIndex>;
  readonly team?: LazyTeam;
}

/** Returns a function that checks the server, its stores and, for a given folder, the code index of that folder. */
export function createHealth({ dataFolder, runsFolder, configFile, index, team }: HealthParts) {
  const startedAt = Date.now();
  return async (root?: string): Promise<Health> => {
    const { checkIndexStore, checkRunStore } = await import("../storage/sqlite/check-store.ts");
    const config = await checkConfigFile(configFile);
    const own = [
      await checkDataFolder(dataFolder),
      ...(config === undefined ? [] : [config]),
      await checkRunStore(runsFolder),
      ...(root === undefined ? [await checkIndexStore(join(dataFolder, "index.db"))] : []),
      ...(team === undefined ? [] : [await (await team()).check()]),
    ];
    const found = root === undefined ? undefined : await (await index()).health(root);
    const checks = [...own, ...indexChecks(found)];
    return {
      status: statusOf(checks, found),
      version: packageJson.version,
      uptime_seconds: Math.round((Date.now() - startedAt) / 1000),
      checks,
      ...(found !== undefined && { index: found }),
    };
  };
}

function indexChecks(index: IndexHealth | undefined): HealthCheck[] {
  if (index === undefined) return [];
  const { missing, available } = index.grammars;
  const grammars = missing.length === 0 ? `${available.length} grammars` : `missing: ${missing.join(", ")}`;
  return [
    {
      name: "index store",
      ok: index.sqlite_ok,
      detail: index.startup_checks.index.message ?? index.startup_checks.index.status,
    },
    { name: "grammars", ok: missing.length === 0, detail: grammars },
  ];
}

/** The first of these states that applies: error, warming, indexing, ready. */
function statusOf(checks: readonly HealthCheck[], index: IndexHealth | undefined): Health["status"] {
  if (
    checks.some((check) => !check.ok) ||
    index?.projects.some((project) => project.index_status === "failed") === true
  )
    return "error";
  if (index === undefined) return "ready";
  if (index.prewarm_status === "pending" || index.prewarm_status === "running") return "warming";
  const isReady = index.projects.every(
    ({ index_status, freshness_status }) => index_status === "ready" && freshness_status === "fresh",
  );
  return isReady ? "ready" : "indexing";
}
