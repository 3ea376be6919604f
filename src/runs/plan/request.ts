import type { Verbosity } from "../../model/run-report.ts";
import type { StreamName } from "../../model/run.ts";
import type { PermissionRules } from "../../security/permissions.ts";
import type { CommandPlan } from "./plan.ts";
import type { Retention } from "../record/store.ts";

export interface RunSettings {
  /** A call that lasts longer is answered `running`. */
  readonly answerMs: number;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly reports: boolean;
  readonly retention: Retention;
  readonly permissions: PermissionRules;
  /** Folders a command may work in; empty for no limit beyond the caller's own. */
  readonly roots: readonly string[];
  /** Which environment variables pass. */
  readonly passEnvironment: readonly string[];
  /** Variables that the user adds to every run. */
  readonly addEnvironment: Readonly<Record<string, string>>;
}

export interface RunRequest {
  /** The root the run belongs to. */
  readonly workspace: string;
  readonly cwd: string;
  readonly plan: CommandPlan;
  readonly env?: Readonly<Record<string, string>>;
  /** Leaves the environment as this process has it, with nothing set for a command that nobody watches. */
  readonly plainEnvironment?: boolean;
  /** Both streams into one, so that the order between them is kept. */
  readonly isMerged?: boolean;
  readonly timeoutMs?: number;
  /** Sees the output as it comes, before anything is masked. */
  readonly onOutput?: (stream: StreamName, chunk: Buffer) => void;
  /** Whether the run goes on when this process ends. */
  readonly detached?: boolean;
  /** Runs it in the pool where there is one, on a worker with these labels. */
  readonly pool?: { readonly labels: readonly string[] };
}

export interface ExecOptions {
  readonly verbosity: Verbosity;
  /** How long to wait for the end; left out, the configured answer time. */
  readonly answerMs?: number;
  readonly progress?: (message: string) => void;
  /** Ends the run, as long as the call waits for it. */
  readonly signal?: AbortSignal;
}
