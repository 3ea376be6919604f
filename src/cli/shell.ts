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
import { HeldOutput } from "./held-output.ts";

/** Output up to this size is shown as it is: a report could hardly be shorter. 600 tokens. */
const SHORT_BYTES = 2_400;
/** Output in which nothing was recognised is shown as it is up to this size, 4,000 tokens. */
const PLAIN_BYTES = 16_000;
/** What a report may take, and what is shown of a longer output that is not understood. */
const REPORT_TOKENS = 2_000;
/** The client has a limit of its own; this is as far as a timer goes. */
const NO_TIMEOUT = 2 ** 31 - 1;

export const shell: Command = {
  name: "shell",
  summary: "Run a script as an agent's own shell tool would, and shorten what is long",
  usage: "SCRIPT",
  details:
    "Short output is passed on as it is; of a build or test with much output the errors are shown. The exit code is the\n" +
    "script's own, and the environment is left alone. The whole output is kept: pith logs RUN. A script that is given input\n" +
    "by a pipe or a file runs as it is: it may be a server or a filter, and nothing it reads or writes is touched.",
  options: {},
  examples: ["pith shell 'npm test'"],
  // A program that does not end when it is told to is ended hard after two seconds.
  stopMs: 3_000,
  async run(context) {
    const [script, ...more] = [...context.positionals, ...context.rest];
    if (script === undefined || more.length > 0)
      throw new PithError("invalid_input", "shell: give the script as one argument");
    const command = commandIn(script);
    const held = new HeldOutput(context.io, PLAIN_BYTES);
    const asItIs = isPlain(command) || (isGivenInput() && !hasOwnInput(script));
    const run = asItIs ? undefined : await start(context, { script, command, held });
    if (run === undefined) return inForeground(script, context);
    return follow(context, run, held);
  },
};

interface Work {
  readonly script: string;
  readonly command: string;
  readonly held: HeldOutput;
}

interface Started {
  readonly active: ActiveRun;
  readonly report: (verbosity: Verbosity) => Promise<RunReport>;
}

/** Undefined where Pith cannot work here, for whatever reason: the command has to run all the same. */
async function start(context: Context, { script, command, held }: Work): Promise<Started | undefined> {
  try {
    const cwd = await realpath(context.environment.cwd);
    const workspace = await workspaceRootOf(cwd);
    const runs = await context.openServices({}, workspace).runs();
    const active = await runs.start({
      workspace,
      cwd,
      // Whether it may run was the client's decision: no rules of ours on top.
      plan: {
        argv: [shellOf(script), "-c", script],
        display: command,
        key: command,
        ...UNJUDGED,
      },
      plainEnvironment: true,
      // The client gives a command one file for both its streams: so the order between them is kept.
      isMerged: true,
      timeoutMs: NO_TIMEOUT,
      onOutput: (stream, chunk) => held.take(stream, chunk),
    });
    return { active, report: (verbosity) => runs.report(active.run.id, verbosity) };
  } catch (error) {
    context.io.err(`pith: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}

const UNJUDGED = { expected: [], isTest: false, commands: [] } as const;

async function follow(context: Context, { active, report }: Started, held: HeldOutput): Promise<number> {
  const stop = (): void => active.stop();
  context.signal.addEventListener("abort", stop, { once: true });
  try {
    await active.done;
    const ended = await report("minimal");
    const text = await shortened(ended, held, report);
    if (text === undefined) {
      held.release();
      context.io.out(hiddenFailure(ended));
    } else context.io.out(`${text}\n`);
    // Whatever ended it without an exit code ended it by a signal, and that is what a plain shell would have told.
    return lineExitCodeOf({ signal: "SIGTERM", ...ended.run.end, cause: "signal" });
  } catch (error) {
    held.release();
    throw error;
  } finally {
    held.end();
    context.signal.removeEventListener("abort", stop);
  }
}

/** What the output does not show: that a stage of the script failed although the script did not. */
function hiddenFailure(report: RunReport): string {
  if (report.run.end?.lineExitCode !== 0) return "";
  return hiddenLines(report)
    .map((line) => `${line}\n`)
    .join("");
}

/** What is shown in place of the output; undefined where the output itself is best. */
async function shortened(
  ended: RunReport,
  { bytes }: HeldOutput,
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

/** Whether somebody may write to the script: a client of a server, or whoever asks a hook. A terminal is for people. */
function isGivenInput(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket() || input.isFile();
  } catch {
    // It is closed: nothing can be read from it.
    return false;
  }
}

/** Claude Code's shell tool hands a command over as `eval '…' < /dev/null`: whatever our own input is, it reads none. */
function hasOwnInput(script: string): boolean {
  return /\beval .*< ?\/dev\/null/s.test(script);
}

/** The command that an agent typed, where the client has put it between lines of its own. */
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
    // Too long or not a line that we can read: the shell decides what it is.
    return script;
  }
}

function isPlain(command: string): boolean {
  try {
    return keepsRawOutput(command);
  } catch {
    // As above: what is not understood is better passed on as it is.
    return true;
  }
}

/** The script begins with a snapshot of the user's own shell, which only that shell understands. */
function shellOf(script: string): string {
  return /\/snapshot-zsh-/.test(script) ? "zsh" : "bash";
}

function inForeground(script: string, { environment }: Context): Promise<number> {
  const { cwd, variables } = environment;
  return runInForeground([shellOf(script), "-c", script], { cwd, env: variables });
}
