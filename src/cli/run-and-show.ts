import type { Services } from "../app/services.ts";
import { noPool } from "../app/pool.ts";
import { Budget, MAX_TOKENS_CEILING } from "../kernel/budget.ts";
import { PithError } from "../kernel/errors.ts";
import { exitCodeOf, lineExitCodeOf } from "../model/exit-code.ts";
import type { RunReport, Verbosity } from "../model/run-report.ts";
import type { TestChoice } from "../model/test-choice.ts";
import { checkRequirements } from "../pool/choice/needs.ts";
import { withMaskedNote } from "../render/masked-note.ts";
import type { View } from "../render/rendered.ts";
import { renderBuild } from "../render/run/build.ts";
import type { CommandPlan } from "../runs/plan/plan.ts";
import type { RunRequest } from "../runs/plan/request.ts";
import { type Context, type Options, SANDBOX_OPTION, sandboxFlags } from "./command.ts";
import { paint } from "./io.ts";

/**
 * The timeout of a command is the longest that a timer supports, because a person at a terminal waits as long as it
 * takes.
 */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The options of every command that runs something. */
export const RUN_OPTIONS: Options = {
  verbosity: { type: "string", short: "v", value: "LEVEL", about: "minimal (default), normal or full." },
  cwd: { type: "string", value: "FOLDER", about: "The folder to run it in." },
  timeout: { type: "string", value: "SECONDS", about: "Stop it after this long." },
  pool: { type: "boolean", about: "Run it in the team's pool, on a copy of the files as they are now." },
  label: {
    type: "string",
    value: "LABEL",
    multiple: true,
    about: "With --pool: a label or version that the worker must have: gpu, node>=20, cores>=8.",
  },
  priority: { type: "string", value: "LEVEL", about: "With --pool: low, normal or high." },
  ...SANDBOX_OPTION,
  force: { type: "boolean", about: "Run it even if the last run of it has the same answer." },
  "max-tokens": { type: "string", value: "N", about: "At most this many tokens." },
};

interface PlannedRun {
  readonly plan: CommandPlan;
  readonly cwd: string;
  /** The workspace that the run belongs to. */
  readonly root: string;
  /** Which tests were chosen, if the run is of the tests of some changes. */
  readonly choice?: TestChoice;
  /** Parts of the command that run at the same time in the pool. */
  readonly parts?: readonly CommandPlan[];
  /** Said with the result if the pool runs the command. */
  readonly note?: string;
}

/** Runs a planned command, prints the report, and returns the exit code. */
export async function runAndShow(
  context: Context,
  { plan, cwd, root, choice, parts, note }: PlannedRun,
): Promise<number> {
  const services = context.openServices(sandboxFlags(context), root);
  const timeout = context.text("timeout");
  const report = await (
    await services.runs()
  ).exec(
    {
      workspace: root,
      cwd,
      plan,
      ...(context.flag("force") ? { isForced: true } : {}),
      ...(timeout === undefined ? {} : { timeoutMs: secondsOf(timeout) * 1000 }),
      ...(parts && { parts }),
      ...(note && { note }),
      ...poolOf(context, services),
    },
    {
      verbosity: verbosityOf(context),
      answerMs: MAX_TIMER_MS,
      progress: createProgressReporter(context),
      signal: context.signal,
    },
  );
  showProgress(context, "");
  const shown = choice === undefined ? report : { ...report, choice };
  const { text } = withMaskedNote(renderBuild({ kind: "run", report: shown }, viewOf(context)));
  context.io.out(
    context.flag("json") ? `${text}\n` : `${painted(text, shown, context)}\n${outputHint(text, shown)}`,
  );
  return processExitCode(report);
}

/** Names the command that prints the output, if the report is one line and the output is all that the command was run for. */
function outputHint(text: string, { run }: RunReport): string {
  const isPlain = !text.includes("\n") && run.log.lines > 0 && run.findings?.tests.length === 0;
  return isPlain && run.findings.diagnostics.length === 0 ? `its output: pith logs ${run.id}\n` : "";
}

function poolOf(context: Context, { pool }: Services): Pick<RunRequest, "pool"> {
  const labels = checkRequirements(context.texts("label"), `${context.verb}: --label`);
  const priority = priorityOf(context);
  if (!context.flag("pool") && labels.length === 0) return {};
  if (pool === undefined) throw noPool();
  return { pool: { labels, ...(priority === undefined ? {} : { priority }) } };
}

function priorityOf(context: Context): NonNullable<RunRequest["pool"]>["priority"] {
  const text = context.text("priority");
  if (text === undefined || text === "low" || text === "normal" || text === "high") return text;
  throw new PithError("invalid_input", `${context.verb}: --priority must be low, normal or high`);
}

/**
 * Returns a function that shows progress. Without a terminal it prints only that no worker can take the job, and that
 * once, because the wait may be long.
 */
function createProgressReporter(context: Context): (message: string, lacksWorker: boolean) => void {
  let isReported = false;
  return (message, lacksWorker) => {
    showProgress(context, message);
    if (context.io.interactive || isReported || !lacksWorker) return;
    isReported = true;
    context.io.err(`pith: ${message}\n`);
  };
}

/** Shows progress in one status line, which is overwritten, on an interactive terminal only. */
function showProgress({ io }: Context, message: string): void {
  if (io.interactive) io.err(`\r\u001B[K${message.slice(0, Math.max(0, io.width - 1))}`);
}

/** Colors the word at the start of a report that says whether the command succeeded. */
function painted(text: string, { passed, success, reused, choice }: RunReport, { io }: Context): string {
  // The first line then says which run this is, and the outcome comes below.
  if (reused !== undefined || choice !== undefined) return text;
  const [first = ""] = text.split(" ", 1);
  return paint(io, passed ? "green" : success ? "yellow" : "red", first) + text.slice(first.length);
}

export function viewOf(context: Context): View {
  const tokens = Number(context.text("max-tokens") ?? MAX_TOKENS_CEILING);
  if (!Number.isInteger(tokens) || tokens < 1)
    throw new PithError(
      "invalid_input",
      `${context.verb}: --max-tokens ${context.text("max-tokens")} is not a number`,
    );
  return {
    format: context.flag("json") ? "json" : "text",
    budget: new Budget(tokens),
    reader: { surface: "cli" },
  };
}

function verbosityOf(context: Context): Verbosity {
  const wanted = context.text("verbosity") ?? "minimal";
  for (const level of ["minimal", "normal", "full"] as const) if (wanted === level) return level;
  throw new PithError("invalid_input", `${context.verb}: --verbosity must be one of: minimal, normal, full`);
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new PithError("invalid_input", `--timeout ${text} is not a number of seconds`);
}

/** Returns the command's own exit code, except that a test command that exits with 0 without passing is a failure. */
function processExitCode({ run, success }: RunReport): number {
  // If a stage of a pipeline failed unnoticed, the exit code of the whole line is still returned, because the user's
  // shell expects it.
  if (run.end?.hidden !== undefined) return lineExitCodeOf(run.end);
  const code = run.end === undefined ? 1 : exitCodeOf(run.end);
  return code === 0 && !success ? 1 : code;
}
