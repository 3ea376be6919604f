import { existsSync } from "node:fs";
import { join } from "node:path";
import { userDataFolder } from "./config/environment.ts";
import type { Environment } from "./config/environment.ts";
import type { Config } from "./config/keys.ts";
import packageJson from "../package.json" with { type: "json" };
import { execute } from "./exec/execute.ts";
import { maskText } from "./exec/redactor.ts";
import { assetPath } from "./kernel/assets.ts";
import { createLogger } from "./kernel/logger.ts";
import type { Logger } from "./kernel/logger.ts";
import type { Health } from "./model/health.ts";
import type { UsageLedger } from "./model/usage.ts";
import { createPruner } from "./prune/create.ts";
import type { Pruner } from "./prune/pruner.ts";
import { RunService, type RunSettings } from "./runs/service.ts";
import type { Supervision } from "./runs/supervised-run.ts";
import { checkDataFolder } from "./storage/files/data-folder.ts";
import { createUsageLedger } from "./storage/files/usage-ledger.ts";
import { openRunStore } from "./storage/sqlite/run-store.ts";
import { createWorkspaces } from "./workspace/workspaces.ts";
import type { Workspaces } from "./workspace/workspaces.ts";

/** What a call is about to do, for the permission rules. */
export interface AccessRequest {
  readonly tool: string;
  readonly readOnly: boolean;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Everything a tool or a command works with. */
export interface Services {
  readonly config: Config;
  readonly environment: Environment;
  readonly logger: Logger;
  readonly dataFolder: string;
  readonly workspaces: Workspaces;
  readonly ledger: UsageLedger;
  readonly runs: RunService;
  readonly pruner: Pruner;
  /** The state of the server and of what it stands on. */
  health(): Promise<Health>;
  /** Throws permission_required or permission_denied. */
  authorize(request: AccessRequest): Promise<void>;
  /** Masks secrets in text that leaves. */
  redact(text: string): string;
  close(): Promise<void>;
}

/** The composition root: configuration in, services out. Starting must stay free of side effects and cheap. */
export function createServices(config: Config, environment: Environment, workspace: string): Services {
  const logger = createLogger(config.server.log_level, (line) => process.stderr.write(line));
  const dataFolder = config.server.data_dir === "" ? userDataFolder(environment) : config.server.data_dir;
  const startedAt = Date.now();
  const ledger = createUsageLedger(join(dataFolder, "usage"), logger);
  const runs = new RunService({
    settings: runSettingsOf(config),
    environment: environment.variables,
    openStore: () => openRunStore(join(dataFolder, "runs")),
    execute,
    ...supervision(join(dataFolder, "runs")),
  });
  return {
    config,
    environment,
    logger,
    dataFolder,
    workspaces: createWorkspaces(workspace, config.server.roots),
    ledger,
    runs,
    pruner: prunerOf(config, logger),
    health: () => checkHealth(dataFolder, startedAt),
    authorize: () => Promise.resolve(),
    redact: maskText,
    async close() {
      await runs.close();
      await ledger.flush();
    },
  };
}

/** Windows cannot ask a process to stop what it does: there runs end with their server. */
function supervision(folder: string): { supervision?: Supervision } {
  const script = assetPath("supervisor.js");
  return process.platform !== "win32" && existsSync(script) ? { supervision: { script, folder } } : {};
}

const DAY_MS = 24 * 60 * 60 * 1000;

function runSettingsOf({ server, runs, permissions }: Config): RunSettings {
  return {
    answerMs: server.answer_timeout_ms,
    timeoutMs: runs.timeout_ms,
    maxOutputBytes: runs.max_output_bytes,
    reports: runs.reports,
    retention: { count: runs.keep, maxAgeMs: runs.max_age_days * DAY_MS, maxBytes: runs.max_bytes },
    permissions,
    roots: permissions.roots,
    passEnvironment: permissions.env,
  };
}

function prunerOf({ pruner }: Config, logger: Logger): Pruner {
  const { endpoint, threshold, timeout_ms: timeoutMs, keep, max_prune_input_bytes: maxInputBytes } = pruner;
  const chosen = pruner.provider === "auto" ? (endpoint === "" ? "builtin" : "http") : pruner.provider;
  // A service that is not named is not configured, whatever the provider says.
  const provider = chosen === "http" && endpoint === "" ? "off" : chosen;
  return createPruner({ provider, keep, maxInputBytes, http: { endpoint, threshold, timeoutMs }, logger });
}

async function checkHealth(dataFolder: string, startedAt: number): Promise<Health> {
  const checks = [await checkDataFolder(dataFolder)];
  return {
    status: checks.every((check) => check.ok) ? "ready" : "error",
    version: packageJson.version,
    uptime_seconds: Math.round((Date.now() - startedAt) / 1000),
    checks,
  };
}
