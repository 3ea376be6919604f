import { groupDiagnostics } from "../diagnostics/summarize/group.ts";
import { buildTools } from "../diagnostics/registry/build-tools.ts";
import { findTool } from "../diagnostics/registry/tool-names.ts";
import { PithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import { parsedLogJson, renderParsedLog } from "../render/log/parsed-log.ts";
import type { ParsedLog } from "../render/log/parsed-log.ts";
import { withLogMasked, withMaskedNote } from "../render/masked-note.ts";
import { jsonReply } from "../render/rendered.ts";
import { JSON_OPTION } from "./command.ts";
import type { Command, Context } from "./command.ts";
import { readLog } from "./read-log.ts";

export const parse: Command = {
  name: "parse",
  summary: "Find the errors and test results in a log",
  usage: "[FILE] [--against PASSING] [--tool NAME] [--all] [--json]",
  details:
    "Reads the file, or standard input. Exits with 1 if the log shows a failure (its CI system's verdict, errors or failed tests) or if that is unclear, else with 0.",
  options: {
    tool: {
      type: "string",
      value: "NAME",
      about: "The tool that wrote the log (default: detected from the content).",
    },
    against: {
      type: "string",
      value: "PASSING",
      about: "The log of a run that passed: says what is new.",
    },
    all: { type: "boolean", about: "List every diagnostic; without it, more than 50 become a table." },
    "max-tokens": { type: "string", value: "N", about: "At most this many tokens of text." },
    ...JSON_OPTION,
  },
  examples: [
    "pith parse ci.log",
    "make 2>&1 | pith parse",
    "pith parse ci.log --against green.log",
    "pith parse report.xml --json",
  ],
  async run(context) {
    const [file, ...more] = context.positionals;
    if (more.length > 0) throw new PithError("invalid_input", "parse: name one file, or none to read a pipe");
    const tool = toolId(context.text("tool"), context);
    const against = context.text("against");
    const source = { file: file ?? "-", ...(tool === undefined ? {} : { tool }) };
    const log = await readLog({ ...source, ...(against === undefined ? {} : { against }) }, context);
    const { result, masked } = log;
    const isJson = context.flag("json");
    const shown = isJson ? jsonReply(parsedLogJson(result)) : { text: text(result, context) };
    const noted = withMaskedNote(withLogMasked(shown, masked));
    context.io.out(`${noted.text}\n`);
    return result.status === "failed" || result.status === "unclear" ? 1 : 0;
  },
};

/**
 * Returns the id of the tool with this name. An unknown name only causes a warning, because the tool is recognized by
 * its output anyway.
 */
function toolId(name: string | undefined, context: Context): string | undefined {
  if (name === undefined) return undefined;
  const described = context.loadConfig().config.tools.map((one) => one.name);
  const id = described.find((one) => one === name) ?? findTool(name)?.id;
  if (id === undefined) {
    const near = nearestNames(name, [...described, ...buildTools.map((one) => one.id)]);
    const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
    context.io.err(`pith: parse: no tool is named ${name}; the tool is detected from the content.${hint}\n`);
  }
  return id;
}

function text(result: ParsedLog, context: Context): string {
  const given = context.text("max-tokens");
  const maxTokens = Number(given ?? 1);
  if (!Number.isInteger(maxTokens) || maxTokens < 1)
    throw new PithError("invalid_input", `parse: --max-tokens ${given} is not a whole number above 0`);
  const options = { listsAll: context.flag("all"), ...(given === undefined ? {} : { maxTokens }) };
  const shown = options.listsAll ? result.diagnostics : result.causes;
  return renderParsedLog(result, groupDiagnostics(shown), options);
}
