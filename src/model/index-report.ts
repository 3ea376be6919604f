import type { MaskedSecret } from "./masked.ts";
import type { CodeMetadata } from "./hit.ts";
import type { SemanticStatus } from "./semantic.ts";
import type { CodeSymbol, ImportedName } from "./symbol.ts";

/** What a file brings in, and where in it. */
export interface NestedImport extends ImportedName {
  /** The innermost definition around it, as an index into the outline's symbols. */
  readonly parent?: number;
}

/** The outline of one file. */
export interface FileOutline {
  readonly path: string;
  readonly language: string;
  /** In source order, parents before children; `parent` is an index into this list. */
  readonly symbols: readonly CodeSymbol[];
  /** In source order. */
  readonly imports: readonly NestedImport[];
  /** How many definitions and imports the file has; more than are here when only the top was asked for. */
  readonly symbolCount: number;
  readonly lineCount: number;
  /** The grammar met errors: there may be more than is shown. */
  readonly hasErrors: boolean;
  /** No grammar reads this file. */
  readonly parsed: boolean;
  readonly stale: boolean;
  /** The secrets that are masked in signatures and names. */
  readonly masked?: readonly MaskedSecret[];
  readonly metadata: CodeMetadata;
}

/** What indexing did. */
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
  /** Only where embeddings are configured. */
  readonly semantic?: SemanticStatus;
}

/** The state of one project's index. */
export interface ProjectStatus {
  /** Left out where the store cannot be read. */
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
  /** Why the index is not in the store that it should be in. */
  readonly store_notice?: string;
  readonly active_job?: ActiveJob;
  /** Only where embeddings are configured. */
  readonly semantic?: SemanticStatus;
  /** Left out in a list of projects: there it stands beside them. */
  readonly startup_checks?: StartupChecks;
}

/** Whether what is stored can be used. The last two say that it has to be made anew. */
export type StartupState = "compatible" | "not_indexed" | "reindex_required" | "corrupt_manifest";

export interface StartupCheck {
  readonly status: StartupState;
  readonly current_schema_version: number;
  readonly required_schema_version: number;
  /** What is wrong, and what to do. */
  readonly message?: string;
}

export interface StartupChecks {
  readonly index: StartupCheck;
}

/** A project in a list of them. */
export interface ProjectSummary {
  readonly project_id: string;
  readonly root: string;
  /** What its clones and worktrees share. */
  readonly family: string;
  /** The machine of a project that is not this machine's. */
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

/** Work that a process left behind when it was ended. */
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

/** The index's part of a health report. */
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
