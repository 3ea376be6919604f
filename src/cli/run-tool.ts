import { parse } from "node:path";
import type { Flags } from "../config/load.ts";
import { PithError } from "../kernel/errors.ts";
import { callTool } from "../app/pipeline.ts";
import type { Answer } from "../app/pipeline.ts";
import { TOOLS } from "../app/registry.ts";
import type { Reader } from "../render/reader/reader.ts";
import type { Context } from "./command.ts";
import { nextStep } from "./help.ts";
import { paint, quote } from "./io.ts";

/**
 * The token budget of replies in a terminal. It is the largest possible one, because there tokens cost nothing; the
 * user can set a smaller one.
 */
const TERMINAL_BUDGET = 9_000;

/**
 * How long a command may spend on indexing before it answers. It exits after the answer, so indexing cannot continue in
 * the background.
 */
const INDEX_BUDGET_MS = 60_000;
/** The time limit for an answer. It is generous, because a person waits for a log or an index as long as it takes. */
const ANSWER_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

/** Settings of a command that waits until the index is complete, however long that takes. */
export const INDEX_FLAGS: Flags = {
  "index.time_budget_ms": INDEX_BUDGET_MS,
  "server.answer_timeout_ms": ANSWER_TIMEOUT_MS,
};

export interface RunToolOptions {
  /** Configuration values that apply to this command only. */
  readonly flags?: Flags;
  readonly progress?: (message: string, done?: number, total?: number) => void;
  /** For whom the reply is written, which decides its layout. */
  readonly reader?: Reader;
  /** If true, only errors are printed. */
  readonly quiet?: boolean;
  /** Called just before the answer is printed, for example to remove a progress bar. */
  readonly beforeAnswer?: () => void;
}

/**
 * Runs an MCP tool from the shell with the same code. A person at their own shell may read any file, so the path jail is the whole file
 * system.
 */
export async function runTool(
  context: Context,
  name: string,
  args: Readonly<Record<string, unknown>>,
  {
    flags = {},
    reader = { surface: "cli", verb: context.verb },
    quiet = false,
    progress = () => undefined,
    beforeAnswer,
  }: RunToolOptions = {},
): Promise<Answer> {
  const tool = TOOLS.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new PithError("unknown_tool", `No tool ${name}`);
  const { cwd } = context.environment;
  const services = context.openServices({
    "server.roots": [parse(cwd).root],
    ...INDEX_FLAGS,
    "pruner.keep": context.text("keep"),
    ...flags,
  });
  const answer = await callTool(
    tool,
    { max_tokens: TERMINAL_BUDGET, ...args, response_format: context.flag("json") ? "json" : "text" },
    services,
    { reader, signal: context.signal, progress },
  );
  beforeAnswer?.();
  // After Ctrl-C no error message is printed, because the user knows the reason.
  if (answer.error !== undefined && !context.flag("json"))
    context.io.err(context.signal.aborted ? "" : humanError(context, answer.error));
  else if (!quiet) print(answer, context);
  return answer;
}

function print({ text, stderrNote }: Answer, { io }: Context): void {
  io.out(quote(io, text === "" || text.endsWith("\n") ? text : `${text}\n`));
  if (stderrNote !== undefined) io.err(quote(io, `${stderrNote}\n`));
}

function humanError(context: Context, error: PithError): string {
  const step = nextStep(error, context.verb);
  return `${paint(context.io, "red", "pith:")} ${quote(context.io, error.message)}\n      ${quote(context.io, step)}\n`;
}
