import type { Services } from "../services.ts";
import type { Config } from "../../config/keys.ts";
import { PithError } from "../../kernel/errors.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { Verbosity } from "../../model/run-report.ts";
import { checkRequirements } from "../../pool/choice/needs.ts";
import type { folderFacts } from "../../runs/plan/folder-facts.ts";
import type { CommandPlan } from "../../runs/plan/plan.ts";
import type { JailedPath } from "../../workspace/jail.ts";
import { flag, hidden, texts } from "../schema/field.ts";
import type { Annotations, Call } from "../tool.ts";

export const VERBOSITIES = ["minimal", "normal", "full"] as const;
export const STREAMS = ["both", "stdout", "stderr"] as const;
/**
 * Values of the argument `stream` that the schema does not list. `view` is what the filters of a command line let
 * through; only replies that show it name it.
 */
export const UNLISTED_STREAMS = ["view"] as const;

/** The hints about a tool that runs commands: it may be destructive, because a command can do anything. */
export const RUNS_COMMANDS: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** The argument for the labels that a worker must have, such as `gpu` or `os=linux`. */
export const labels = hidden(texts(undefined, 32));

/**
 * The argument of other agents' shell tools that starts a command in the background. Every tool that runs commands
 * accepts it.
 */
export const runInBackground = hidden(flag());
export const BACKGROUND_ALIASES = {
  is_background: "run_in_background",
  isBackground: "run_in_background",
  background: "run_in_background",
} as const;
/**
 * The argument that runs a command although its last run has the same answer. Only replies that were not run again name
 * it.
 */
export const force = hidden(flag());
/** Arguments of other agents' shell tools that concern the user, the sandbox or the terminal. They are ignored. */
export const IGNORED_BY_RUNS: readonly string[] = [
  "description",
  "explanation",
  "goal",
  "justification",
  "requires_approval",
  "require_user_approval",
  "sandbox_permissions",
  "with_escalated_permissions",
  "dangerouslyDisableSandbox",
  "login",
  "tty",
  "yield_time_ms",
];

interface PlanOptions {
  readonly cwd: JailedPath | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs: number | undefined;
  readonly verbosity: Verbosity | undefined;
  /** True if the call answers at once; the caller then follows the run by its id. */
  readonly run_in_background?: boolean | undefined;
  /** How long the call waits for the run before it answers. */
  readonly wait_ms?: number | undefined;
  /** True if the command is to run on a worker of the pool, if there is one. */
  readonly pooled?: boolean;
  /** Parts of the command that run at the same time in the pool. */
  readonly parts?: readonly CommandPlan[];
  /** Said with the result if the pool runs the command. */
  readonly note?: string;
  /** The labels that a worker must have. */
  readonly labels?: readonly string[] | undefined;
  /** True if the command runs even if its last run has the same answer. */
  readonly force?: boolean | undefined;
}

/**
 * Runs a planned command for a call. If the call is cancelled, the command ends; its progress is sent to the caller.
 */
export async function runPlan(plan: CommandPlan, options: PlanOptions, call: Call): Promise<RunReport> {
  const { env, timeoutMs } = options;
  const wantedMs = options.run_in_background === true ? 0 : options.wait_ms;
  return (await call.services.runs()).exec(
    {
      workspace: call.workspace.absolute,
      cwd: (options.cwd ?? call.workspace).absolute,
      plan,
      detached: true,
      ...(options.force === true ? { isForced: true } : {}),
      ...(env === undefined ? {} : { env }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(options.parts && { parts: options.parts }),
      ...(options.note && { note: options.note }),
      ...(options.pooled ? poolOf(options.labels ?? [], call.services) : {}),
    },
    {
      verbosity: options.verbosity ?? "minimal",
      ...(wantedMs !== undefined && { answerMs: waitMsOf(wantedMs, call.services) }),
      progress: (message) => call.progress(message),
      signal: call.signal,
    },
  );
}

/** The parts in which the tests of a folder run in the pool, or a note why they run as a whole. */
export async function planParts(
  plan: CommandPlan,
  folder: Awaited<ReturnType<typeof folderFacts>>,
  cwd: JailedPath,
  { services, workspace }: Call,
): Promise<Pick<PlanOptions, "parts" | "note">> {
  const { jobs, split } = services.config.pool;
  if (services.pool === undefined || !jobs || split < 2) return {};
  const request = { plan, cwd: cwd.absolute, workspace: workspace.absolute };
  return (await services.runs()).planParts(request, folder, split);
}

/** Waits for a run that was started before, and reports on it whether it has ended or not. */
export async function awaitRun(
  runId: string,
  { verbosity, waitMs }: { readonly verbosity: Verbosity; readonly waitMs: number },
  call: Call,
): Promise<RunReport> {
  const runs = await call.services.runs();
  if (waitMs > 0)
    await runs.log({
      runId,
      stream: "both",
      startLine: 1,
      lineCount: 1,
      waitMs,
      progress: (message) => call.progress(message),
      signal: call.signal,
    });
  return runs.report(runId, verbosity);
}

/** How long a call may wait. It is limited by the setting for how long clients wait for an answer. */
export function waitMsOf(wanted: number | undefined, { config }: Pick<Services, "config">): number {
  return Math.min(wanted ?? Number.POSITIVE_INFINITY, config.server.answer_timeout_ms);
}

interface RunControl {
  readonly runId: string;
  readonly word: string;
  readonly verbosity: Verbosity;
  readonly wait_ms?: number | undefined;
}

/**
 * Waits for a run or stops it, by a call of a tool that runs commands. It is for servers that do not offer the tool
 * `build`.
 */
export async function controlRun(
  { runId, word, verbosity, wait_ms }: RunControl,
  call: Call,
): Promise<RunReport> {
  if (word === "stop") return (await call.services.runs()).stop(runId);
  if (word === "wait") return awaitRun(runId, { verbosity, waitMs: waitMsOf(wait_ms, call.services) }, call);
  throw new PithError(
    "invalid_input",
    `With a run's id, command is wait or stop, not ${JSON.stringify(word.slice(0, 60))}`,
    {
      suggestion: "To run a command, leave the id out.",
    },
  );
}

/**
 * Checks whether the server offers the tool `build`, which waits for runs and stops them. Without it, the schemas of
 * the other tools show arguments for that.
 */
export function offersBuild({ server }: Config): boolean {
  return server.slim || server.toolsets.includes("run");
}

/** The pool settings of a run. Without a pool, a job with labels is refused, because nothing would check them. */
export function poolOf(
  wanted: readonly string[],
  { pool, config }: Pick<Services, "pool" | "config">,
): { pool?: { labels: string[] } } {
  const needs = checkRequirements(wanted, "labels");
  if (pool !== undefined && config.pool.jobs) return { pool: { labels: needs } };
  if (needs.length === 0) return {};
  throw new PithError("pool_unavailable", `No pool to find a worker with ${needs.join(", ")}`, {
    suggestion: "Leave labels out, or set PITH_STORE and [pool] jobs = true.",
  });
}

/** Approximate bytes per token of build output, for output that is too long to be counted. */
const BYTES_PER_TOKEN = 3.5;

/** The number of tokens of everything that the command line printed. */
export function rawTokensOf({ raw, run }: RunReport): number {
  const view = run.findings?.view;
  if (view !== undefined) return estimateTokens(view.map((line) => line.text).join("\n"));
  if (raw !== undefined) return estimateTokens(raw.map((line) => line.text).join("\n"));
  return Math.round(run.log.bytes / BYTES_PER_TOKEN);
}

export function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

/**
 * Refuses a range of lines whose end is before its start. Lines counted from the end are not checked, because the
 * length of the log is not known yet.
 */
export function checkLines(args: {
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
}): void {
  const { startLine = 1, endLine } = args;
  if (endLine === undefined || startLine < 0 || endLine >= startLine) return;
  throw new PithError("invalid_input", `the last line ${endLine} is before the first line ${startLine}`);
}
