import { existsSync } from "node:fs";
import type { Environment } from "../config/environment.ts";
import type { Config } from "../config/keys.ts";
import { assetPath } from "../kernel/assets.ts";
import type { RunSettings } from "../runs/plan/request.ts";
import type { Supervision } from "../runs/record/supervised-run.ts";
import type { RunScope } from "../runs/record/run-records.ts";
import type { RunService } from "../runs/service.ts";
import { isolationOf } from "./isolation.ts";
import { ownFolders } from "./own-folders.ts";
import type { LazyPool } from "./pool.ts";
import type { LazyTeam } from "./team.ts";

/** Returns the service that runs commands. Its code is loaded on first use, so that starting a server stays cheap. */
export interface LazyRuns {
  (): Promise<RunService>;
  /** Lets the runs of this process continue after it has ended. */
  detach(): void;
  close(): Promise<void>;
}

export interface RunOptions {
  /** False lets runs end with this process, as on systems without supervisors; default: they continue. */
  readonly supervised?: boolean;
  /** How long the state of a working tree may take to read and compare; default: a second. */
  readonly treeTimeoutMs?: number;
}

interface RunParts extends RunOptions {
  readonly config: Config;
  readonly environment: Environment;
  readonly folder: string;
  readonly team: LazyTeam | undefined;
  readonly pool: LazyPool | undefined;
  /** Which runs a server may show; a person in a shell may see all. */
  readonly scope?: RunScope;
  readonly hasLongIds: boolean;
}

export function lazyRuns(parts: RunParts): LazyRuns {
  const { config, environment, folder, team, pool, scope, treeTimeoutMs } = parts;
  let service: RunService | undefined;
  let opened: Promise<RunService> | undefined;
  const open = async (): Promise<RunService> => {
    const [{ RunService }, { openRunStore }, { execute }] = await Promise.all([
      import("../runs/service.ts"),
      import("../storage/sqlite/run-store.ts"),
      import("../exec/execute.ts"),
    ]);
    service = new RunService({
      settings: {
        ...runSettingsOf(config, environment),
        longIds: parts.hasLongIds,
        ...(treeTimeoutMs !== undefined && { treeTimeoutMs }),
      },
      environment: environment.variables,
      openStore: async () =>
        team === undefined ? openRunStore(folder) : (await team()).openRunStore(folder),
      execute,
      ...(scope && { scope }),
      ...(parts.supervised === false ? {} : supervision(folder)),
      ...(pool === undefined ? {} : { openRemote: async () => (await pool()).runs }),
    });
    return service;
  };
  const get = (): Promise<RunService> => (opened ??= open());
  return Object.assign(get, {
    detach: () => service?.detach(),
    close: async () => (await opened)?.close(),
  });
}

/**
 * Makes runs continue when their server ends. On Windows a process cannot be asked to end what it started, so runs end
 * with their server there.
 */
function supervision(folder: string): { supervision?: Supervision } {
  const script = assetPath("supervisor.js");
  return process.platform !== "win32" && existsSync(script) ? { supervision: { script, folder } } : {};
}

const DAY_MS = 24 * 60 * 60 * 1000;

function runSettingsOf(config: Config, environment: Environment): RunSettings {
  const { server, runs, permissions, tools } = config;
  const isolation = isolationOf(config, environment);
  return {
    answerMs: server.answer_timeout_ms,
    timeoutMs: runs.timeout_ms,
    maxOutputBytes: runs.max_output_bytes,
    reports: runs.reports,
    reuse: runs.reuse,
    retention: { count: runs.keep, maxAgeMs: runs.max_age_days * DAY_MS, maxBytes: runs.max_bytes },
    permissions,
    ownFolders: ownFolders({ server }, environment),
    roots: permissions.roots,
    passEnvironment: permissions.env,
    addEnvironment: runs.env,
    ...(tools.length === 0 ? {} : { customTools: tools }),
    ...(isolation && { isolation }),
  };
}
