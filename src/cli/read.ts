import { PithError } from "../kernel/errors.ts";
import { JSON_OPTION, KEEP_OPTION } from "./command.ts";
import type { Command } from "./command.ts";
import { runTool } from "./run-tool.ts";

export const read: Command = {
  name: "read",
  summary: "Show lines of a file, numbered",
  usage: "FILE[:LINE | :A-B | #SYMBOL] | SYMBOL | run:RUN ... [--lines A-B | --around N] [--focus QUESTION]",
  details:
    "Accepts locations as searches and compilers print them: src/app.ts:25 shows the lines around line 25, src/app.ts:10-40\n" +
    "these lines, src/app.ts#createServer or createServer a whole definition, run:k3j2h the log of a run. Several share one\n" +
    "budget; what does not fit is named with the command that shows it.",
  options: {
    lines: { type: "string", value: "A-B", about: "From line A to line B; either may be omitted." },
    column: { type: "string", value: "N", about: "From character N of the first line on." },
    around: { type: "string", value: "N", about: "The lines around line N." },
    radius: { type: "string", value: "N", about: "How many lines each side of --around (default 20)." },
    focus: { type: "string", value: "QUESTION", about: "Only the lines that answer the question." },
    ...KEEP_OPTION,
    "max-tokens": { type: "string", value: "N", about: "At most this many tokens." },
    ...JSON_OPTION,
  },
  examples: [
    "pith read src/app.ts",
    "pith read src/app.ts --lines 10-40",
    "pith read src/app.ts:25-60",
    "pith read createServer src/app.ts:10-40",
  ],
  async run(context) {
    if (context.positionals.length === 0 || context.positionals.includes(""))
      throw new PithError("invalid_input", "read: name a file", { suggestion: "pith read FILE" });
    const [start, end] = rangeOf(context.text("lines"));
    const answer = await runTool(context, "read", {
      file_path: context.positionals,
      start_line: start,
      end_line: end,
      column: context.text("column"),
      around_line: context.text("around"),
      radius: context.text("radius"),
      context_focus_question: context.text("focus"),
      ...maxTokens(context.text("max-tokens")),
    });
    return answer.isError ? 1 : 0;
  },
};

/**
 * Returns the token limit as an argument for a tool. It is left out if the user gave none, because commands have their
 * own default.
 */
export function maxTokens(text: string | undefined): { max_tokens?: string } {
  return text === undefined ? {} : { max_tokens: text };
}

function rangeOf(text: string | undefined): (string | undefined)[] {
  if (text === undefined) return [];
  const match = /^(\d*)-(\d*)$/.exec(text) ?? /^(\d+)$/.exec(text);
  if (match === null)
    throw new PithError("invalid_input", `read: --lines ${text} is not a range such as 10-40`);
  return [match[1] || undefined, (match[2] ?? match[1]) || undefined];
}
