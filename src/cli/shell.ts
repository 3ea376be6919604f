import { fstatSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { runInForeground } from "../exec/foreground.ts";
import { Budget } from "../kernel/budget.ts";
import { PithError } from "../kernel/errors.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import { lineExitCodeOf } from "../model/exit-code.ts";
import type { RunReport, Verbosity } from "../model/run-report.ts";
import { hiddenLines } from "../render/run/hidden-facts.ts";
import { renderRun } from "../render/run/run.ts";
import type { ActiveRun } from "../runs/record/active-run.ts";
import { readCommandLine } from "../shell/command-line.ts";
import { keepsRawOutput } from "../shell/plain-commands.ts";
import { workspaceRootOf } from "../workspace/roots.ts";
import type { Command, Context } from "./command.ts";
import { BufferedOutput } from "./buffered-output.ts";

/** Output up to this size (about 600 tokens) is shown unchanged, because a report would hardly be shorter. */
const SHORT_BYTES = 2_400;
/** Output in which no diagnostics were recognized is shown unchanged up to this size (about 4,000 tokens). */
const PLAIN_BYTES = 16_000;
/** The token budget of a report, and of the excerpt of long output in which no diagnostics were recognized. */
const REPORT_TOKENS = 2_000;
/** The timeout of a command is the longest that a timer supports, because the client has its own. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const shell: Command = {
  name: "shell",
  summary: "Run a script as an agent's own shell tool would, and shorten long output",
  usage: "SCRIPT",
  details:
    "Short output is passed on unchanged; for a build or test with much output the errors are shown. The exit code is the\n" +
    "script's own, and the environment is left alone. The whole output is kept: pith logs RUN. A script that reads\n" +
    "from a pipe or a file runs unchanged, because it may be a server or a filter.",
  options: {},
  examples: ["pith shell 'npm test'"],
  // How long stopping may take: a program that ignores the request to stop is killed after two seconds.
  stopMs: 3_000,
  async run(context) {
    const [script, ...more] = [...context.positionals, ...context.rest];
    if (script === undefined || more.length > 0)
      throw new PithError("invalid_input", "shell: give the script as one argument");
    const command = commandIn(script);
    const buffered = new BufferedOutput(context.io, PLAIN_BYTES);
    const runsUnchanged = isPlain(command) || (isGivenInput() && !hasOwnInput(script));
    const run = runsUnchanged ? undefined : await start(context, { script, command, buffered });
    if (run === undefined) return inForeground(script, context);
    return follow(context, run, buffered);
  },
};

interface Work {
  readonly script: string;
  readonly command: string;
  readonly buffered: BufferedOutput;
}

interface Started {
  readonly active: ActiveRun;
  readonly report: (verbosity: Verbosity) => Promise<RunReport>;
}

/**
 * Starts the command as a recorded run. Returns undefined if Pith cannot work here for any reason; the command is then
 * run without it.
 */
async function start(context: Context, { script, command, buffered }: Work): Promise<Started | undefined> {
  try {
    const cwd = await realpath(context.environment.cwd);
    const workspace = await workspaceRootOf(cwd);
    // The command is the client's own and would run without Pith, so Pith's isolation does not apply to it.
    const runs = await context.openServices({ "runs.isolation": "none" }, workspace).runs();
    const active = await runs.start({
      workspace,
      cwd,
      // No permission rules are checked, because the client has already decided that the command may run.
      plan: {
        argv: [shellOf(script), "-c", script],
        display: command,
        key: command,
        ...NO_EXPECTATIONS,
      },
      plainEnvironment: true,
      // Both output streams are recorded as one, because the client also sends both to one file and thus keeps their
      // order.
      isMerged: true,
      timeoutMs: MAX_TIMER_MS,
      onOutput: (stream, chunk) => buffered.add(stream, chunk),
    });
    return { active, report: (verbosity) => runs.report(active.run.id, verbosity) };
  } catch (error) {
    context.io.err(`pith: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

const NO_EXPECTATIONS = { expected: [], isTest: false, commands: [] } as const;

async function follow(
  context: Context,
  { active, report }: Started,
  buffered: BufferedOutput,
): Promise<number> {
  const stop = (): void => active.stop();
  context.signal.addEventListener("abort", stop, { once: true });
  try {
    await active.done;
    const ended = await report("minimal");
    const text = await shortened(ended, buffered, report);
    if (text === undefined) {
      buffered.flush();
      context.io.out(hiddenFailure(ended));
    } else context.io.out(`${text}\n`);
    // If the run has no exit code, a signal ended it, and the exit code is the one that a plain shell would report for
    // it.
    return lineExitCodeOf({ signal: "SIGTERM", ...ended.run.end, cause: "signal" });
  } catch (error) {
    buffered.flush();
    throw error;
  } finally {
    buffered.end();
    context.signal.removeEventListener("abort", stop);
  }
}

/** Returns lines about stages of the script that failed although the script as a whole succeeded. */
function hiddenFailure(report: RunReport): string {
  if (report.run.end?.lineExitCode !== 0) return "";
  return hiddenLines(report)
    .map((line) => `${line}\n`)
    .join("");
}

/** Returns the shorter text to show instead of the command's output; undefined if the output itself is to be shown. */
async function shortened(
  ended: RunReport,
  { bytes }: BufferedOutput,
  report: Started["report"],
): Promise<string | undefined> {
  const { findings } = ended.run;
  const counts = findings?.counts ?? { error: 0, warning: 0 };
  const recognised = counts.error + counts.warning > 0 || (findings?.tests.length ?? 0) > 0;
  if (bytes <= SHORT_BYTES || (!recognised && bytes <= PLAIN_BYTES)) return undefined;
  const view = { format: "text", budget: new Budget(REPORT_TOKENS), reader: { surface: "cli" } } as const;
  const { text } = renderRun(recognised ? ended : await report("full"), view);
  const raw = ended.raw?.map((line) => line.text).join("\n");
  const isLonger = raw !== undefined && estimateTokens(text) >= estimateTokens(raw);
  return isLonger && bytes <= PLAIN_BYTES ? undefined : text;
}

/**
 * True if somebody may write to the script's stdin, such as the client of a server or the caller of a hook. A terminal
 * does not count.
 */
function isGivenInput(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket() || input.isFile();
  } catch {
    // stdin is closed, so no input can come from it.
    return false;
  }
}

/**
 * Returns whether a script sets its own stdin. Claude Code passes a command as `eval '…' < /dev/null`, which reads no
 * input.
 */
function hasOwnInput(script: string): boolean {
  return /\beval .*< ?\/dev\/null/s.test(script);
}

/** Returns the command that an agent typed, without the lines that the client has added around it. */
function commandIn(script: string): string {
  try {
    const typed = readCommandLine(script).commands.find(([first]) => first?.text === "eval");
    return typed === undefined
      ? script
      : typed
          .slice(1)
          .map(({ text }) => text)
          .join(" ");
  } catch {
    // The script is too long or cannot be parsed, so it is kept as it is.
    return script;
  }
}

function isPlain(command: string): boolean {
  try {
    return keepsRawOutput(command);
  } catch {
    // A command that cannot be parsed is run unchanged, without a report about it.
    return true;
  }
}

/**
 * Returns the shell for a script. One that begins with a snapshot of the user's zsh settings can only be run by zsh.
 */
function shellOf(script: string): string {
  return /\/snapshot-zsh-/.test(script) ? "zsh" : "bash";
}

function inForeground(script: string, { environment }: Context): Promise<number> {
  const { cwd, variables } = environment;
  return runInForeground([shellOf(script), "-c", script], { cwd, env: variables });
}
