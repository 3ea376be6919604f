import type { Verbosity } from "../../model/run-report.ts";
import type { StreamName } from "../../model/run.ts";
import type { PermissionRules } from "../../security/permissions.ts";
import type { CommandPlan } from "./plan.ts";
import type { Retention } from "../record/store.ts";

export interface RunSettings {
  /** A call that takes longer than this returns the status `running`. */
  readonly answerMs: number;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly reports: boolean;
  readonly retention: Retention;
  readonly permissions: PermissionRules;
  /** Folders in which commands may run; empty if only the caller's own limits apply. */
  readonly roots: readonly string[];
  /** Patterns of the environment variables that commands get. */
  readonly passEnvironment: readonly string[];
  /** Variables that the user adds to every run. */
  readonly addEnvironment: Readonly<Record<string, string>>;
}

export interface RunRequest {
  /** The root folder of the workspace that the run belongs to. */
  readonly workspace: string;
  readonly cwd: string;
  readonly plan: CommandPlan;
  readonly env?: Readonly<Record<string, string>>;
  /** Passes this process's environment on unchanged, without the variables for unattended commands. */
  readonly plainEnvironment?: boolean;
  /** Sends stderr into stdout, so that the order of lines between them is kept. */
  readonly isMerged?: boolean;
  readonly timeoutMs?: number;
  /** Receives the output as it comes, before secrets are masked. */
  readonly onOutput?: (stream: StreamName, chunk: Buffer) => void;
  /** True if the run continues when this process exits. */
  readonly detached?: boolean;
  /** Runs the command in the pool, if there is one, on a worker with these labels. */
  readonly pool?: { readonly labels: readonly string[] };
}

export interface ExecOptions {
  readonly verbosity: Verbosity;
  /** How long to wait for the end; by default the configured answer time. */
  readonly answerMs?: number;
  /** Receives progress messages; `lacksWorker` is true while no connected worker of the pool can take the run. */
  readonly progress?: (message: string, lacksWorker: boolean) => void;
  /** Aborting this ends the run while the call waits for it. */
  readonly signal?: AbortSignal;
}
