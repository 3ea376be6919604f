import type { Isolation } from "../../exec/isolation/enclosure.ts";
import type { Verbosity } from "../../model/run-report.ts";
import type { CustomTool } from "../../model/custom-tool.ts";
import type { StreamName } from "../../model/run.ts";
import type { PermissionRules } from "../../security/permissions.ts";
import type { CommandPlan } from "./plan.ts";
import type { Retention } from "../record/store.ts";

/** Which commands are answered from their last run while nothing has changed: none, checks, or also tests. */
export type Reuse = "off" | "checks" | "tests";

export interface RunSettings {
  /** How long a call waits for a command. If the command takes longer, the call returns the status `running`. */
  readonly answerMs: number;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly reports: boolean;
  readonly retention: Retention;
  readonly permissions: PermissionRules;
  /** The folders of Pith's configuration and data; if commands are restricted, one that writes there is a question. */
  readonly ownFolders?: readonly string[];
  /** The folders in which commands may run; empty if the settings impose no such limit. */
  readonly roots: readonly string[];
  /** Patterns of the environment variables that commands inherit from Pith's own environment. */
  readonly passEnvironment: readonly string[];
  /** Environment variables that the user's settings add to every run. */
  readonly addEnvironment: Readonly<Record<string, string>>;
  /** The tools that configuration files describe. */
  readonly customTools?: readonly CustomTool[];
  /** Upper bound on reading the state of the working tree at the end of a run, and on comparing it; a second by default. */
  readonly treeTimeoutMs?: number;
  /** Which commands are answered from the last run while nothing has changed; checks by default. */
  readonly reuse?: Reuse;
  /** How commands are isolated from the rest of the machine; absent if they are not. */
  readonly isolation?: Isolation;
  /** True if the ids of runs cannot be guessed. */
  readonly longIds?: boolean;
  /** Looking at the files of a check may take this long even if the check is faster; 250 by default. */
  readonly freeCheckMs?: number;
}

/** The default of `treeTimeoutMs`. */
export const TREE_TIMEOUT_MS = 1_000;

export interface RunRequest {
  /** The root folder of the workspace that the run belongs to. */
  readonly workspace: string;
  readonly cwd: string;
  readonly plan: CommandPlan;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * True if the command gets Pith's own environment unchanged, without the variables that keep unattended commands from
   * asking questions.
   */
  readonly plainEnvironment?: boolean;
  /** True if stderr is sent into stdout, so that the order of their lines is kept. */
  readonly isMerged?: boolean;
  readonly timeoutMs?: number;
  /** Receives the output as it comes, with secrets not yet masked. */
  readonly onOutput?: (stream: StreamName, chunk: Buffer) => void;
  /** True if the run is to continue when this process exits. */
  readonly detached?: boolean;
  /** True if the command runs even if the last run of it has the same answer. */
  readonly isForced?: boolean;
  /** Parts of the command that run at the same time in the pool, each as a run of its own; together they are the command. */
  readonly parts?: readonly CommandPlan[];
  /** Said with the result if the pool runs the command. */
  readonly note?: string;
  /** Runs the command on a worker of the pool that has these labels; without a pool, it runs locally. */
  readonly pool?: { readonly labels: readonly string[]; readonly priority?: "low" | "normal" | "high" };
}

export interface ExecOptions {
  readonly verbosity: Verbosity;
  /** How long to wait for the end of the run; by default the configured answer time. */
  readonly answerMs?: number;
  /**
   * Receives progress messages; `lacksWorker` is true while no connected worker of the pool is able to execute the run.
   */
  readonly progress?: (message: string, lacksWorker: boolean) => void;
  /** Aborting this signal ends the run, as long as the call waits for it. */
  readonly signal?: AbortSignal;
}
