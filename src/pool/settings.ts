import { arch, availableParallelism, hostname, platform, userInfo } from "node:os";
import type { Isolation } from "../exec/isolation/enclosure.ts";
import { PithError } from "../kernel/errors.ts";
import type { PermissionRules } from "../security/permissions.ts";
import { ownLabels, readLabels } from "./labels.ts";

/** The complete settings of the pool, from the `[pool]` section and defaults of this machine. */
export interface PoolSettings {
  readonly submitter: string;
  /** The labels that a worker must have to take any job from this machine. */
  readonly requires: readonly string[];
  readonly slots: number;
  readonly labels: readonly string[];
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly maxAttempts: number;
  /** True if a server may run its own jobs while no worker can take them. */
  readonly fallback: boolean;
  readonly permissions: PermissionRules;
  /** The folders of Pith's own configuration and data. */
  readonly ownFolders: readonly string[];
  readonly passEnvironment: readonly string[];
  /** How this machine isolates the jobs it runs; absent if it does not. */
  readonly isolation?: Isolation;
}

interface PoolSection {
  readonly submitter: string;
  readonly requires: readonly string[];
  readonly slots: number;
  readonly labels: readonly string[];
  readonly lease_ms: number;
  readonly heartbeat_ms: number;
  readonly max_attempts: number;
  readonly fallback: boolean;
}

/** The label of workers that isolate their jobs. */
const SANDBOX_LABEL = "sandbox";

/** Completes the pool's settings with defaults that depend on the machine, and rejects settings that cannot work. */
export function poolSettings(
  section: PoolSection,
  permissions: PermissionRules & { readonly env: readonly string[] },
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
    requires: readLabels([...section.requires, ...sandbox], "pool.requires"),
    slots: section.slots === 0 ? availableParallelism() : section.slots,
    labels: readLabels(
      [...ownLabels({ platform: platform(), arch: arch() }), ...section.labels, ...sandbox],
      "pool.labels",
    ),
    leaseMs: section.lease_ms,
    heartbeatMs: section.heartbeat_ms,
    maxAttempts: section.max_attempts,
    fallback: section.fallback,
    permissions,
    ownFolders,
    passEnvironment: permissions.env,
    ...(isolation && { isolation }),
  };
}

function thisUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // There is no user name, because a container may run as a user without one, so the user's number is used.
    return `${process.getuid?.() ?? "user"}@${hostname()}`;
  }
}
