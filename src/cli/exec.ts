import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { Services } from "../app/services.ts";
import { noPool } from "../app/pool.ts";
import { Budget, MAX_TOKENS_CEILING } from "../kernel/budget.ts";
import { PithError } from "../kernel/errors.ts";
import { exitCodeOf, lineExitCodeOf } from "../model/exit-code.ts";
import type { RunReport, Verbosity } from "../model/run-report.ts";
import { readLabels } from "../pool/labels.ts";
import { renderBuild } from "../render/run/build.ts";
import { withMaskedNote } from "../render/masked-note.ts";
import type { View } from "../render/rendered.ts";
import { folderFacts } from "../runs/plan/folder-facts.ts";
import { type OwnToolSources, planOwnTool } from "../runs/plan/own-tools.ts";
import { planTool } from "../runs/plan/plan.ts";
import { quoteWord } from "../shell/quote-word.ts";
import { listTools, toolListPage } from "../runs/plan/tool-list.ts";
import { workspaceRootOf } from "../workspace/roots.ts";
import { type Command, type Context, JSON_OPTION } from "./command.ts";
import { paint } from "./io.ts";

/**
 * The timeout of a command is the longest that a timer supports, because a person at a terminal waits as long as it
 * takes.
 */
const MAX_TIMER_MS = 2 ** 31 - 1;
const EXIT_UNKNOWN_TOOL = 127;

export const exec: Command = {
  name: "exec",
  summary: "Run a command and show what matters in its output",
  usage: "[options] TOOL | [options] -- COMMAND [ARGS...] | --list",
  details:
    "Takes the name of a build tool (npm.test), a command line in quotes, or a command after --. The exit code is the\n" +
    "command's own. The whole output is kept: pith logs RUN.",
  options: {
    verbosity: { type: "string", short: "v", value: "LEVEL", about: "minimal (default), normal or full." },
    cwd: { type: "string", value: "FOLDER", about: "The folder to run it in." },
    timeout: { type: "string", value: "SECONDS", about: "Stop it after this long." },
    pool: { type: "boolean", about: "Run it in the team's pool, on a copy of the files as they are now." },
    label: {
      type: "string",
      value: "LABEL",
      multiple: true,
      about: "With --pool: a label that the worker must have.",
    },
    force: { type: "boolean", about: "Run it even if the last run of it has the same answer." },
    list: { type: "boolean", about: "List the build tools that apply to the folder." },
    cursor: { type: "string", value: "CURSOR", about: "With --list: continue where an earlier reply ended." },
    "max-tokens": { type: "string", value: "N", about: "At most this many tokens." },
    ...JSON_OPTION,
  },
  examples: ["pith exec npm.test", "pith exec -- cargo build", 'pith exec "tsc --noEmit && eslint ."'],
  // How long stopping may take: a program that ignores the request to stop is killed after two seconds.
  stopMs: 3_000,
  async run(context) {
    const [first, ...more] = context.rest.length > 0 ? context.rest : context.positionals;
    if (first === undefined && !context.flag("list"))
      throw new PithError("invalid_input", "exec: name a tool or a command", {
        suggestion: "pith exec -- npm test",
      });
    const cwd = await folderOf(resolve(context.environment.cwd, context.text("cwd") ?? "."));
    const workspace = await workspaceRootOf(cwd);
    if (first === undefined) return showTools(context, cwd, workspace);
    const services = context.openServices({}, workspace);
    // A single argument may be a tool name or a whole command line to parse; several arguments were already split by
    // the user's shell.
    const name = context.rest.length > 1 ? quoteWord(first) : first;
    const sources = ownTools(services, cwd, workspace);
    const plan =
      (await planOwnTool(name, more, sources)) ??
      (await planTool(name, more, await folderFacts(cwd, workspace)));
    const view = viewOf(context);
    if ("unknown" in plan) {
      context.io.err(`${renderBuild({ kind: "unknown", tool: plan }, view).text}\n`);
      return EXIT_UNKNOWN_TOOL;
    }
    const timeout = context.text("timeout");
    const report = await (
      await services.runs()
    ).exec(
      {
        workspace,
        cwd,
        plan,
        ...(context.flag("force") ? { isForced: true } : {}),
        ...(timeout === undefined ? {} : { timeoutMs: secondsOf(timeout) * 1000 }),
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
    const { text } = withMaskedNote(renderBuild({ kind: "run", report }, view));
    context.io.out(`${context.flag("json") ? text : painted(text, report, context)}\n`);
    return processExitCode(report);
  },
};

async function showTools(context: Context, cwd: string, workspace: string): Promise<number> {
  const sources = ownTools(context.openServices({}, workspace), cwd, workspace);
  const list = await listTools(await folderFacts(cwd, workspace), sources);
  const page = toolListPage(list, cwd, context.text("cursor"));
  context.io.out(`${renderBuild({ kind: "list", ...page }, viewOf(context)).text}\n`);
  return 0;
}

/** Returns where the tools of the user and of the workspace are described. */
function ownTools({ config, environment }: Services, cwd: string, workspace: string): OwnToolSources {
  return { tools: config.tools, cwd, workspace, path: environment.variables["PATH"] ?? "" };
}

async function folderOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw new PithError("invalid_cwd", `exec: no folder ${path}`, {}, { cause: error });
  }
}

function poolOf(context: Context, { pool }: Services): { pool?: { labels: string[] } } {
  const labels = readLabels(context.texts("label"), "exec: --label");
  if (!context.flag("pool") && labels.length === 0) return {};
  if (pool === undefined) throw noPool();
  return { pool: { labels } };
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
function painted(text: string, { passed, success, reused }: RunReport, { io }: Context): string {
  // The first line then says which run this is, and the outcome comes below.
  if (reused !== undefined) return text;
  const [first = ""] = text.split(" ", 1);
  return paint(io, passed ? "green" : success ? "yellow" : "red", first) + text.slice(first.length);
}

function viewOf(context: Context): View {
  const tokens = Number(context.text("max-tokens") ?? MAX_TOKENS_CEILING);
  if (!Number.isInteger(tokens) || tokens < 1)
    throw new PithError("invalid_input", `exec: --max-tokens ${context.text("max-tokens")} is not a number`);
  return {
    format: context.flag("json") ? "json" : "text",
    budget: new Budget(tokens),
    reader: { surface: "cli" },
  };
}

function verbosityOf(context: Context): Verbosity {
  const wanted = context.text("verbosity") ?? "minimal";
  for (const level of ["minimal", "normal", "full"] as const) if (wanted === level) return level;
  throw new PithError("invalid_input", "exec: --verbosity must be one of: minimal, normal, full");
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new PithError("invalid_input", `exec: --timeout ${text} is not a number of seconds`);
}

/** Returns the command's own exit code, except that a test command that exits with 0 without passing is a failure. */
function processExitCode({ run, success }: RunReport): number {
  // If a stage of a pipeline failed unnoticed, the exit code of the whole line is still returned, because the user's
  // shell expects it.
  if (run.end?.hidden !== undefined) return lineExitCodeOf(run.end);
  const code = run.end === undefined ? 1 : exitCodeOf(run.end);
  return code === 0 && !success ? 1 : code;
}
