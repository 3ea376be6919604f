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
import { planTool, quoteWord } from "../runs/plan/plan.ts";
import { listTools, toolListPage } from "../runs/plan/tool-list.ts";
import { workspaceRootOf } from "../workspace/roots.ts";
import { type Command, type Context, JSON_OPTION } from "./command.ts";
import { paint } from "./io.ts";

/** A person waits as long as it takes; this is as far as a timer goes. */
const NO_ANSWER_TIME = 2 ** 31 - 1;
const UNKNOWN_TOOL = 127;

export const exec: Command = {
  name: "exec",
  summary: "Run a command and show what matters of its output",
  usage: "[options] TOOL | [options] -- COMMAND [ARGS...] | --list",
  details:
    "Takes the name of a build tool (npm.test), a command line in quotes, or a command behind --. The exit code is the\n" +
    "command's own. The whole output is kept: pith logs RUN.",
  options: {
    verbosity: { type: "string", short: "v", value: "LEVEL", about: "minimal (default), normal or full." },
    cwd: { type: "string", value: "FOLDER", about: "Where to run it." },
    timeout: { type: "string", value: "SECONDS", about: "Stop it after this long." },
    pool: { type: "boolean", about: "Run it in the team's pool, on a copy of the files as they are now." },
    label: {
      type: "string",
      value: "LABEL",
      multiple: true,
      about: "With --pool: what the worker must have.",
    },
    list: { type: "boolean", about: "List the build tools that fit the folder." },
    cursor: { type: "string", value: "CURSOR", about: "With --list: go on where an earlier reply ended." },
    "max-tokens": { type: "string", value: "N", about: "At most this many tokens." },
    ...JSON_OPTION,
  },
  examples: ["pith exec npm.test", "pith exec -- cargo build", 'pith exec "tsc --noEmit && eslint ."'],
  // A program that does not end when it is told to is ended hard after two seconds.
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
    // One word may be a tool or a line to be read; several were read by the shell already.
    const name = context.rest.length > 1 ? quoteWord(first) : first;
    const plan = await planTool(name, more, folderFacts(cwd, workspace));
    const view = viewOf(context);
    if ("unknown" in plan) {
      context.io.err(`${renderBuild({ kind: "unknown", tool: plan }, view).text}\n`);
      return UNKNOWN_TOOL;
    }
    const timeout = context.text("timeout");
    const report = await (
      await services.runs()
    ).exec(
      {
        workspace,
        cwd,
        plan,
        ...(timeout === undefined ? {} : { timeoutMs: secondsOf(timeout) * 1000 }),
        ...poolOf(context, services),
      },
      {
        verbosity: verbosityOf(context),
        answerMs: NO_ANSWER_TIME,
        progress: progressTeller(context),
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
  const list = await listTools(folderFacts(cwd, workspace), cwd);
  const page = toolListPage(list, cwd, context.text("cursor"));
  context.io.out(`${renderBuild({ kind: "list", ...page }, viewOf(context)).text}\n`);
  return 0;
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

/** Where nobody looks only that a job may wait without end is told, once. */
function progressTeller(context: Context): (message: string) => void {
  let told = false;
  return (message) => {
    showProgress(context, message);
    if (context.io.interactive || told || !message.includes(": queued: ")) return;
    told = true;
    context.io.err(`pith: ${message}\n`);
  };
}

/** One line that is written over, where somebody looks. */
function showProgress({ io }: Context, message: string): void {
  if (io.interactive) io.err(`\r\u001B[K${message.slice(0, Math.max(0, io.width - 1))}`);
}

/** The outcome in its colour. */
function painted(text: string, { passed, success }: RunReport, { io }: Context): string {
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
  throw new PithError("invalid_input", `exec: --verbosity ${wanted} is none of minimal, normal, full`);
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new PithError("invalid_input", `exec: --timeout ${text} is not a number of seconds`);
}

/** The command's own exit code; a test command that exits 0 without passing is no success. */
function processExitCode({ run, success }: RunReport): number {
  // A shell that asked for a line's exit code gets the line's, whatever its stages did.
  if (run.end?.hidden !== undefined) return lineExitCodeOf(run.end);
  const code = run.end === undefined ? 1 : exitCodeOf(run.end);
  return code === 0 && !success ? 1 : code;
}
