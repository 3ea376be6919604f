import { PithError } from "../kernel/errors.ts";
import { JSON_OPTION, KEEP_OPTION } from "./command.ts";
import type { Command } from "./command.ts";
import { maxTokens } from "./read.ts";
import { runTool } from "./run-tool.ts";

/** As grep itself: 0 found, 1 nothing found, 2 could not search. */
const NOTHING_FOUND = 1;
const FAILED = 2;

export const grep: Command = {
  name: "grep",
  summary: "Search file contents",
  usage: "PATTERN [PATH] [options]",
  details:
    "PATTERN is a regular expression in ripgrep's syntax. A pattern that begins with a dash: -e PATTERN.",
  options: {
    pattern: {
      type: "string",
      short: "e",
      value: "PATTERN",
      multiple: true,
      about: "A pattern; several match any.",
    },
    glob: {
      type: "string",
      short: "g",
      value: "GLOB",
      about: "Only files like this; ! in front leaves them out.",
    },
    "ignore-case": { type: "boolean", short: "i", about: "Upper and lower case are the same." },
    context: {
      type: "string",
      short: "C",
      value: "N",
      about: "Lines of context around each match (0 to 50).",
    },
    "max-matches": {
      type: "string",
      short: "m",
      value: "N",
      about: "At most this many matches (default 200).",
    },
    files: { type: "boolean", short: "l", about: "Only the files that match." },
    count: { type: "boolean", short: "c", about: "Only the number of matches in each file." },
    focus: { type: "string", value: "QUESTION", about: "Only the matches that answer the question." },
    ...KEEP_OPTION,
    cursor: { type: "string", value: "CURSOR", about: "Go on where an earlier reply ended." },
    "max-tokens": { type: "string", value: "N", about: "At most this many tokens." },
    ...JSON_OPTION,
  },
  examples: ["pith grep 'fn \\w+_token' src", "pith grep -i todo -g '*.ts' -C 2", "pith grep -e --flag -l"],
  async run(context) {
    const given = context.texts("pattern");
    const positionals = [...context.positionals, ...context.rest];
    const pattern = given.length > 0 ? undefined : positionals.shift();
    if (pattern === undefined && given.length === 0)
      throw new PithError("invalid_input", "grep: name a pattern", {
        suggestion: "pith grep PATTERN [PATH]",
      });
    if (positionals.length > 1)
      throw new PithError("invalid_input", `grep: one path at a time, not ${positionals.join(" ")}`);
    const answer = await runTool(context, "grep", {
      pattern,
      ...(given.length > 0 ? { patterns: given } : {}),
      path: positionals[0],
      glob: context.text("glob"),
      ignore_case: context.flag("ignore-case"),
      context_lines: context.text("context"),
      max_matches: context.text("max-matches"),
      output: context.flag("files") ? "files" : context.flag("count") ? "count" : "lines",
      context_focus_question: context.text("focus"),
      cursor: context.text("cursor"),
      ...maxTokens(context.text("max-tokens")),
    });
    if (answer.isError) return FAILED;
    return answer.meta["total"] === 0 ? NOTHING_FOUND : 0;
  },
};
