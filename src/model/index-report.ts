import type { MaskedSecret } from "./masked.ts";
import type { CodeMetadata } from "./hit.ts";
import type { SemanticStatus } from "./semantic.ts";
import type { CodeSymbol, ImportedName } from "./symbol.ts";

/** An import in a file, together with the definition that encloses it. */
export interface NestedImport extends ImportedName {
  /** The innermost definition around the import, as an index into the list of the file's symbols. */
  readonly parent?: number;
}

/** The symbols and imports of one file. */
export interface FileOutline {
  readonly path: string;
  readonly language: string;
  /** The symbols in source order, parents before children; a symbol's `parent` is an index into this list. */
  readonly symbols: readonly CodeSymbol[];
  /** The imports in source order. */
  readonly imports: readonly NestedImport[];
  /**
   * The number of definitions and imports in the file; larger than the lists above if only the top level was requested.
   */
  readonly symbolCount: number;
  readonly lineCount: number;
  /** True if the parser met errors in the file, so that symbols may be missing. */
  readonly hasErrors: boolean;
  /** False if there is no grammar for the file's language. */
  readonly parsed: boolean;
  readonly stale: boolean;
  /** The secrets that are masked in signatures and names. */
  readonly masked?: readonly MaskedSecret[];
  readonly metadata: CodeMetadata;
}

/** The answer to a request to index a project. */
export interface IndexReport {
  readonly repository_id: string;
  readonly project_id: string;
  readonly database_name: string;
  readonly ref: string;
  readonly files_indexed: number;
  readonly chunks_created: number;
  readonly duration_seconds: number;
  readonly status: "success" | "failed" | "running";
  readonly status_message: string;
  readonly errors: readonly string[];
  /** The state of semantic search; present only if embeddings are configured. */
  readonly semantic?: SemanticStatus;
}

/** The state of one project's index. */
export interface ProjectStatus {
  /** The project's id in the index database; absent if the database cannot be read. */
  readonly project_id?: string;
  readonly repo_root: string;
  readonly ref: string;
  readonly index_status: "not_indexed" | "indexing" | "ready" | "failed";
  readonly freshness_status: "fresh" | "stale" | "syncing";
  readonly schema_status: StartupState;
  readonly current_schema_version: number;
  readonly required_schema_version: number;
  readonly last_indexed_at?: string;
  readonly last_indexed_commit?: string;
  readonly current_head?: string;
  readonly file_count: number;
  readonly symbol_count: number;
  readonly pending_files: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly refs: readonly string[];
  /** Why the index is not in the database where it belongs, for example because that is unavailable. */
  readonly store_notice?: string;
  readonly active_job?: ActiveJob;
  /** The state of semantic search; present only if embeddings are configured. */
  readonly semantic?: SemanticStatus;
  /**
   * The result of the checks at startup; absent in a list of projects, which reports the checks once for all of them.
   */
  readonly startup_checks?: StartupChecks;
}

/** The state of a project's stored index; the last two values mean that the index must be rebuilt. */
export type StartupState = "compatible" | "not_indexed" | "reindex_required" | "corrupt_manifest";

export interface StartupCheck {
  readonly status: StartupState;
  readonly current_schema_version: number;
  readonly required_schema_version: number;
  /** What is wrong with the stored index and what to do about it. */
  readonly message?: string;
}

export interface StartupChecks {
  readonly index: StartupCheck;
}

/** A project in a list of projects. */
export interface ProjectSummary {
  readonly project_id: string;
  readonly root: string;
  /** The id that all clones and worktrees of a repository share. */
  readonly family: string;
  /** The name of the machine that the project is on, if it is not this one. */
  readonly host?: string;
  readonly last_used: string;
  readonly refs: readonly string[];
  readonly files: number;
}

export interface ActiveJob {
  readonly job_id: string;
  readonly project_id: string;
  readonly mode: "full" | "incremental";
  readonly status: "running";
  readonly changed_files: number;
  readonly started_at: string;
}

/** Indexing jobs that were left unfinished because their process ended. */
export interface RecoveryReport {
  readonly interrupted_jobs: number;
  readonly jobs: readonly {
    readonly job_id: string;
    readonly project_id: string;
    readonly mode: string;
    readonly started_at: string;
  }[];
  readonly action: string;
}

/** The code index's part of a health report. */
export interface IndexHealth {
  readonly sqlite_ok: boolean;
  readonly grammars: { readonly available: readonly string[]; readonly missing: readonly string[] };
  readonly active_job?: ActiveJob;
  readonly interrupted_recovery_report?: RecoveryReport;
  readonly workspace_warmset: {
    readonly enabled: boolean;
    readonly capacity: number;
    readonly members: readonly string[];
  };
  readonly prewarm_status: "disabled" | "pending" | "running" | "complete" | "failed";
  readonly startup_checks: StartupChecks;
  readonly projects: readonly ProjectStatus[];
}
