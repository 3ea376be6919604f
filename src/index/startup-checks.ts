import { toPithError } from "../kernel/errors.ts";
import type { ProjectStatus, StartupCheck } from "../model/index-report.ts";
import { FEATURE_VERSION } from "./store/versions.ts";

/** Versions of the index format that are reported for every usable store. */
export const VERSIONS = {
  current_schema_version: FEATURE_VERSION,
  required_schema_version: FEATURE_VERSION,
};

/** Describes a usable store (index database): compatible, or not indexed yet. */
export function usableStore({ index_status }: Pick<ProjectStatus, "index_status">): StartupCheck {
  return { status: index_status === "ready" ? "compatible" : "not_indexed", ...VERSIONS };
}

/**
 * Describes a store (index database) that cannot be used. If it is only busy, full or unreachable, it is reported as
 * not indexed: it is neither damaged nor from another version, so nothing has to be rebuilt.
 */
export function brokenStore(thrown: unknown): StartupCheck {
  const error = toPithError(thrown);
  const version = error.data["schema_version"];
  const isNewer = typeof version === "number";
  const isBroken = error.code === "index_incompatible";
  return {
    status: isNewer ? "reindex_required" : isBroken ? "corrupt_manifest" : "not_indexed",
    current_schema_version: isNewer ? version : 0,
    required_schema_version: FEATURE_VERSION,
    // The suggestion names a shell command, because every reader of this report has a shell.
    message: `${error.message}. ${error.suggestionFor(() => undefined)}`,
  };
}

/** Returns the status of a project when the store (index database) cannot be used. */
export function brokenProject(root: string, ref: string, check: StartupCheck): ProjectStatus {
  return {
    repo_root: root,
    ref,
    index_status: "failed",
    freshness_status: "stale",
    schema_status: check.status,
    current_schema_version: check.current_schema_version,
    required_schema_version: check.required_schema_version,
    file_count: 0,
    symbol_count: 0,
    pending_files: 0,
    skipped: {},
    refs: [],
  };
}

/** Returns true if the error means that the store is damaged or from another version. */
export function isDamage(error: unknown): boolean {
  return toPithError(error).code === "index_incompatible";
}

/** Returns true if the error was caused by the store and not by the request. */
export function isStoreError(error: unknown): boolean {
  return isDamage(error) || toPithError(error).code === "store_unavailable";
}
