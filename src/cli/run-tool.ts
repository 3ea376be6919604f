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

/** Nobody pays for tokens in a terminal: the widest budget unless the user names one. */
const TERMINAL_BUDGET = 9_000;

/** A command ends after its answer, so indexing cannot go on behind it: it may take this long before an answer. */
const INDEX_BUDGET_MS = 60_000;
/** A person waits for a log, or for an index that they asked for, as long as it takes. */
const ANSWER_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

export interface RunToolOptions {
  /** Configuration of this command alone. */
  readonly flags?: Flags;
  readonly progress?: (message: string, done?: number, total?: number) => void;
  /** How a reply is laid out for its reader. */
  readonly reader?: Reader;
  /** Prints nothing but errors. */
  readonly quiet?: boolean;
  /** Called before anything is printed. */
  readonly beforeAnswer?: () => void;
}

/**
 * Runs an MCP tool from the shell: the same code behind the same verb. A person at their own shell may look anywhere,
 * so the jail is the whole file system.
 */
export async function runTool(
  context: Context,
  name: string,
  args: Readonly<Record<string, unknown>>,
  { flags = {}, reader = CLI, quiet = false, progress = () => undefined, beforeAnswer }: RunToolOptions = {},
): Promise<Answer> {
  const tool = TOOLS.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new PithError("unknown_tool", `No tool ${name}`);
  const { cwd } = context.environment;
  const services = context.openServices({
    "server.roots": [parse(cwd).root],
    "index.time_budget_ms": INDEX_BUDGET_MS,
    "server.answer_timeout_ms": ANSWER_TIMEOUT_MS,
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
  // After Ctrl-C the user does not need an error message.
  if (answer.error !== undefined && !context.flag("json"))
    context.io.err(context.signal.aborted ? "" : humanError(context, answer.error));
  else if (!quiet) print(answer, context);
  return answer;
}

const CLI: Reader = { surface: "cli" };

function print({ text, aside }: Answer, { io }: Context): void {
  io.out(quote(io, text === "" || text.endsWith("\n") ? text : `${text}\n`));
  if (aside !== undefined) io.err(quote(io, `${aside}\n`));
}

function humanError(context: Context, error: PithError): string {
  const step = nextStep(error, context.verb);
  return `${paint(context.io, "red", "pith:")} ${quote(context.io, error.message)}\n      ${quote(context.io, step)}\n`;
}
