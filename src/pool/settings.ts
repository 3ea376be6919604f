import { arch, availableParallelism, hostname, platform, userInfo } from "node:os";
import { PithError } from "../kernel/errors.ts";
import type { PermissionRules } from "../security/permissions.ts";
import { ownLabels, readLabels } from "./labels.ts";

/** The complete settings of the pool, from the `[pool]` section and defaults of this machine. */
export interface PoolSettings {
  readonly submitter: string;
  /** Labels that every job from this machine requires. */
  readonly requires: readonly string[];
  readonly slots: number;
  readonly labels: readonly string[];
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly maxAttempts: number;
  /** True if a server runs its own jobs while no worker can. */
  readonly fallback: boolean;
  readonly permissions: PermissionRules;
  readonly passEnvironment: readonly string[];
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

/** Adds defaults that depend on the machine, and rejects settings that cannot work. */
export function poolSettings(
  section: PoolSection,
  permissions: PermissionRules & { readonly env: readonly string[] },
): PoolSettings {
  if (section.heartbeat_ms * 2 > section.lease_ms)
    throw new PithError(
      "config_invalid",
      `pool.heartbeat_ms (${section.heartbeat_ms}) must be at most half of pool.lease_ms (${section.lease_ms})`,
      { suggestion: "One late heartbeat would lose the jobs: use a quarter or less." },
    );
  return {
    submitter: section.submitter === "" ? thisUser() : section.submitter,
    requires: readLabels(section.requires, "pool.requires"),
    slots: section.slots === 0 ? availableParallelism() : section.slots,
    labels: readLabels(
      [...ownLabels({ platform: platform(), arch: arch() }), ...section.labels],
      "pool.labels",
    ),
    leaseMs: section.lease_ms,
    heartbeatMs: section.heartbeat_ms,
    maxAttempts: section.max_attempts,
    fallback: section.fallback,
    permissions,
    passEnvironment: permissions.env,
  };
}

function thisUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // A container may run as a user without a name.
    return `${process.getuid?.() ?? "user"}@${hostname()}`;
  }
}
