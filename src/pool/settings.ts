import { arch, availableParallelism, hostname, platform, userInfo } from "node:os";
import type { Isolation } from "../exec/isolation/enclosure.ts";
import { isAbsolute } from "node:path";
import { PithError } from "../kernel/errors.ts";
import { compileGlob, InvalidGlob } from "../security/glob.ts";
import type { PrepareSettings } from "./job-spec.ts";
import type { PermissionRules } from "../security/permissions.ts";
import { checkRequirements } from "./choice/needs.ts";
import { PRIORITIES, type PriorityName } from "./priorities.ts";
import type { JobPriority } from "./queue.ts";
import type { JobLimits } from "./job-limits.ts";
import { ownLabels, readLabels } from "./labels.ts";

/** The complete settings of the pool, from the `[pool]` section and defaults of this machine. */
export interface PoolSettings {
  readonly submitter: string;
  /** The labels that a worker must have to take any job from this machine. */
  readonly requires: readonly string[];
  /** True if the versions that a project names decide about the worker. */
  readonly inferNeeds: boolean;
  readonly priority: JobPriority;
  /** True if a check that somebody has run on the same files is answered from the store. */
  readonly reuse: boolean;
  readonly slots: number;
  readonly labels: readonly string[];
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly maxAttempts: number;
  /** True if a server may run its own jobs while no worker can take them. */
  readonly fallback: boolean;
  /** What this machine's jobs need installed. */
  readonly prepare: PrepareSettings;
  readonly permissions: PermissionRules;
  /** The folders of Pith's own configuration and data. */
  readonly ownFolders: readonly string[];
  readonly passEnvironment: readonly string[];
  /** What a job may use of this machine. */
  readonly limits: JobLimits;
  /** How this machine isolates the jobs it runs; absent if it does not. */
  readonly isolation?: Isolation;
}

interface PoolSection {
  readonly submitter: string;
  readonly requires: readonly string[];
  readonly infer_needs: boolean;
  readonly priority: PriorityName;
  readonly reuse: "off" | "checks";
  readonly slots: number;
  readonly labels: readonly string[];
  readonly lease_ms: number;
  readonly heartbeat_ms: number;
  readonly max_attempts: number;
  readonly max_time_ms: number;
  readonly max_memory_mb: number;
  readonly max_processes: number;
  readonly max_disk_mb: number;
  readonly fallback: boolean;
}

interface PrepareSection {
  readonly detect: boolean;
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly commands: readonly string[];
  readonly timeout_ms: number;
}

/** The sections of the configuration that the pool uses. */
interface PoolSections {
  readonly pool: PoolSection;
  readonly "pool.prepare": PrepareSection;
  readonly permissions: PermissionRules & { readonly env: readonly string[] };
}

/** The label of workers that isolate their jobs. */
const SANDBOX_LABEL = "sandbox";

/** Completes the pool's settings with defaults that depend on the machine, and rejects settings that cannot work. */
export function poolSettings(
  { pool: section, "pool.prepare": prepare, permissions }: PoolSections,
  ownFolders: readonly string[] = [],
  isolation?: Isolation,
): PoolSettings {
  // A machine that isolates its own runs gives its jobs only to workers that do so too.
  const sandbox = isolation === undefined ? [] : [SANDBOX_LABEL];
  if (section.heartbeat_ms * 2 > section.lease_ms)
    throw new PithError(
      "config_invalid",
      `pool.heartbeat_ms (${section.heartbeat_ms}) must be at most half of pool.lease_ms (${section.lease_ms})`,
      { suggestion: "One late heartbeat would lose the jobs: use a quarter or less." },
    );
  return {
    submitter: section.submitter === "" ? thisUser() : section.submitter,
    requires: checkRequirements([...section.requires, ...sandbox], "pool.requires"),
    inferNeeds: section.infer_needs,
    priority: PRIORITIES[section.priority],
    reuse: section.reuse === "checks",
    slots: section.slots === 0 ? availableParallelism() : section.slots,
    labels: readLabels(
      [...ownLabels({ platform: platform(), arch: arch() }), ...section.labels, ...sandbox],
      "pool.labels",
    ),
    leaseMs: section.lease_ms,
    heartbeatMs: section.heartbeat_ms,
    maxAttempts: section.max_attempts,
    fallback: section.fallback,
    prepare: prepareSettings(prepare),
    permissions,
    ownFolders,
    passEnvironment: permissions.env,
    limits: {
      timeMs: section.max_time_ms,
      memoryMb: section.max_memory_mb,
      processes: section.max_processes,
      diskMb: section.max_disk_mb,
    },
    ...(isolation && { isolation }),
  };
}

function prepareSettings({ timeout_ms, ...section }: PrepareSection): PrepareSettings {
  const where = "[pool.prepare]";
  const bad = section.folders.find((folder) => isAbsolute(folder) || folder.split("/").includes(".."));
  if (bad !== undefined)
    throw new PithError(
      "config_invalid",
      `${where} folders: ${JSON.stringify(bad)} is not a folder of the repository`,
      {
        suggestion: "Name it relative to the top folder: frontend, services/api.",
      },
    );
  if (section.commands.length > 0 && section.files.length === 0)
    throw new PithError("config_invalid", `${where} has commands but no files`, {
      suggestion: 'Name the files that decide what they install: files = ["deps.txt"].',
    });
  for (const glob of section.files) checkGlob(glob, `${where} files`);
  return { ...section, timeoutMs: timeout_ms };
}

function checkGlob(glob: string, where: string): void {
  try {
    compileGlob(glob);
  } catch (error) {
    if (!(error instanceof InvalidGlob)) throw error;
    throw new PithError(
      "config_invalid",
      `${where}: ${JSON.stringify(glob)} is not a glob: ${error.message}`,
    );
  }
}

function thisUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // There is no user name, because a container may run as a user without one, so the user's number is used.
    return `${process.getuid?.() ?? "user"}@${hostname()}`;
  }
}
