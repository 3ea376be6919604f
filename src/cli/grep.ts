import { PithError } from "../kernel/errors.ts";
import type { Answer } from "../app/pipeline.ts";
import type { Reader } from "../render/reader/reader.ts";
import type { Command, Context } from "./command.ts";
import { GREP_OPTIONS } from "./grep-options.ts";
import { maxTokens } from "./read.ts";
import { runTool } from "./run-tool.ts";

/** As grep itself: 0 found, 1 nothing found, 2 could not search. */
const NOTHING_FOUND = 1;
const FAILED = 2;
/** The most that one call gives. */
const MOST_MATCHES = 1_000;

export const grep: Command = {
  name: "grep",
  summary: "Search file contents",
  usage: "PATTERN [PATH...] [options]",
  details: [
    "PATTERN is a regular expression in ripgrep's syntax, and the options are ripgrep's. A pattern that begins with a dash:",
    "-e PATTERN, or after --. Ignored files are left out, hidden ones are searched. On a terminal matches stand under their",
    "file; into a pipe goes path:line:text, one line each, and what is left out is said on stderr.",
  ].join("\n"),
  options: GREP_OPTIONS,
  examples: [
    "pith grep 'fn \\w+_token' src",
    "pith grep -i todo -g '*.ts' -C 2",
    "pith grep -wF 'a.b(' src test -t ts",
    "pith grep -e --flag -l",
  ],
  async run(context) {
    const args = { ...whatOf(context), ...howOf(context), ...muchOf(context) };
    const reader = readerOf(context);
    for (let cursor = context.text("cursor"); ;) {
      const answer = await runTool(
        context,
        "grep",
        { ...args, cursor },
        { reader, quiet: context.flag("quiet") },
      );
      cursor = nextPage(answer, context);
      if (cursor === undefined) return exitCodeOf(answer);
    }
  },
};

/** The patterns, and where they are looked for. */
function whatOf(context: Context): Record<string, unknown> {
  const given = [...context.texts("regexp"), ...context.texts("pattern")];
  const positionals = [...context.positionals, ...context.rest];
  const pattern = given.length > 0 ? undefined : positionals.shift();
  if (pattern === undefined && given.length === 0)
    throw new PithError("invalid_input", "grep: name a pattern", {
      suggestion: "pith grep PATTERN [PATH...]",
    });
  return {
    patterns: pattern === undefined ? given : [pattern],
    path: positionals.length === 0 ? undefined : positionals,
    globs: [...context.texts("glob"), ...context.texts("include")],
    exclude: context.texts("exclude"),
    type: context.texts("type"),
    type_not: context.texts("type-not"),
    no_ignore: context.flag("no-ignore") || context.flag("unrestricted"),
  };
}

/** How a line is matched. */
function howOf(context: Context): Record<string, unknown> {
  return {
    ignore_case: context.flag("ignore-case"),
    "-S": context.flag("smart-case") && !context.flag("case-sensitive"),
    "-w": context.flag("word-regexp"),
    "-x": context.flag("line-regexp"),
    "-F": context.flag("fixed-strings"),
    "-v": context.flag("invert-match"),
    "-o": context.flag("only-matching"),
    "-P": context.flag("pcre2"),
    // A dot matches line ends only where that is asked for too.
    ...(context.flag("multiline-dotall")
      ? { multiline: context.flag("multiline") }
      : { "-U": context.flag("multiline") }),
  };
}

/** How much of what is found is shown. */
function muchOf(context: Context): Record<string, unknown> {
  const lists = context.flag("files-with-matches") || context.flag("files") || context.flag("count");
  const all = context.flag("all");
  if (all && context.flag("json"))
    throw new PithError("invalid_input", "grep: --all prints lines; with --json follow the cursor");
  return {
    "-A": number(context, "after-context") ?? number(context, "context"),
    "-B": number(context, "before-context") ?? number(context, "context"),
    "-m": number(context, "max-count"),
    max_matches: number(context, "max-matches") ?? (lists || all ? MOST_MATCHES : undefined),
    output:
      context.flag("count") && !context.flag("files-with-matches") ? "count" : lists ? "files" : "lines",
    context_focus_question: context.text("focus"),
    ...maxTokens(context.text("max-tokens")),
  };
}

function number(context: Context, option: string): number | undefined {
  const text = context.text(option);
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw new PithError("invalid_input", `grep: --${option} ${text} is not a whole number`);
}

/** On a terminal a file's name stands above its lines; programs want it on each of them. */
function readerOf(context: Context): Reader {
  const flat = ["with-filename", "no-filename", "no-line-number", "no-heading"].some((name) =>
    context.flag(name),
  );
  if (context.flag("heading") || (context.io.terminal && !flat)) return { surface: "cli" };
  const path = context.flag("no-filename") ? [] : (["path"] as const);
  const line = context.flag("no-line-number") ? [] : (["line"] as const);
  return { surface: "cli", linePrefix: [...path, ...line] };
}

/** With --all, where the next page begins. */
function nextPage({ isError, meta }: Answer, context: Context): string | undefined {
  const cursor = meta["cursor"];
  return !isError && context.flag("all") && typeof cursor === "string" ? cursor : undefined;
}

function exitCodeOf({ isError, meta }: Answer): number {
  if (isError) return FAILED;
  return meta["total"] === 0 ? NOTHING_FOUND : 0;
}
