import { toPithError } from "../kernel/errors.ts";
import type { ProjectStatus, StartupCheck } from "../model/index-report.ts";
import { FEATURE_VERSION } from "./store/versions.ts";

/** What every report of a store that can be used says of its version. */
export const VERSIONS = {
  current_schema_version: FEATURE_VERSION,
  required_schema_version: FEATURE_VERSION,
};

/** A store that can be used: it holds all of the project's files, or not yet. */
export function usableStore({ index_status }: Pick<ProjectStatus, "index_status">): StartupCheck {
  return { status: index_status === "ready" ? "compatible" : "not_indexed", ...VERSIONS };
}

/**
 * What is wrong with a store that cannot be used. One that is only busy, full or away is neither damaged nor of another
 * version: there is no index to answer from now, and nothing to rebuild.
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
    // Whoever reads it has a shell, if no tool that helps.
    message: `${error.message}. ${error.suggestionFor(() => undefined)}`,
  };
}

/** The state of a project whose store cannot be used. */
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

/** Whether a failure says that the store is damaged, or of another version. */
export function isDamage(error: unknown): boolean {
  return toPithError(error).code === "index_incompatible";
}

/** Whether the store is why something failed, and not the question. */
export function isStoreError(error: unknown): boolean {
  return isDamage(error) || toPithError(error).code === "store_unavailable";
}
