import type { Answer } from "../app/pipeline.ts";
import { PithError } from "../kernel/errors.ts";
import type { Reader } from "../render/reader/reader.ts";
import {
  type Command,
  type Context,
  JSON_OPTION,
  KEEP_OPTION,
  type Option,
  type Options,
} from "./command.ts";
import { maxTokens } from "./read.ts";
import { runTool } from "./run-tool.ts";

/** Exit codes as in grep: 0 for a match, 1 for no match, 2 for an error. */
const EXIT_NO_MATCH = 1;
const EXIT_ERROR = 2;
/** Upper bound on the matches that one call of the search tool returns. */
const MAX_MATCHES_PER_CALL = 1_000;

/** The common options of ripgrep under ripgrep's names, equivalents from other greps, and Pith's own. */
const GREP_OPTIONS: Options = {
  regexp: listOf("e", "PATTERN", "A pattern; with several, a line must match one."),
  pattern: listOf(undefined, "PATTERN", "The same as --regexp."),
  "ignore-case": switchOf("i", "Ignore upper and lower case."),
  "smart-case": switchOf("S", "Ignore case if the pattern is all lower case."),
  "case-sensitive": switchOf("s", "Distinguish upper and lower case (default)."),
  "fixed-strings": switchOf("F", "Patterns are literal text."),
  "word-regexp": switchOf("w", "Match only whole words."),
  "line-regexp": switchOf("x", "Match only whole lines."),
  "invert-match": switchOf("v", "Show the lines that do not match."),
  "only-matching": switchOf("o", "Show only the matching parts of lines."),
  multiline: switchOf("U", "A match may span lines."),
  "multiline-dotall": switchOf(undefined, "With -U: a dot matches line ends too."),
  pcre2: switchOf("P", "Allow look-around and backreferences in patterns."),
  glob: listOf("g", "GLOB", "Only files that match; a leading ! excludes them."),
  include: listOf(undefined, "GLOB", "Only files that match."),
  exclude: listOf(undefined, "GLOB", "Exclude files that match."),
  type: listOf("t", "TYPE", "Only files of this type: ts, py, rust."),
  "type-not": listOf("T", "TYPE", "Exclude files of this type."),
  "no-ignore": switchOf(undefined, "Search ignored files too."),
  unrestricted: switchOf("u", "The same as --no-ignore."),
  hidden: switchOf(".", "Search hidden files (always on)."),
  recursive: switchOf(["r", "R"], "Search folders recursively (always on)."),
  "extended-regexp": switchOf("E", "Extended regular expressions (always on)."),
  "after-context": valueOf("A", "N", "Lines after each match."),
  "before-context": valueOf("B", "N", "Lines before each match."),
  context: valueOf("C", "N", "Lines before and after each match."),
  "files-with-matches": switchOf("l", "Show only the names of matching files."),
  files: switchOf(undefined, "The same as --files-with-matches."),
  count: switchOf("c", "Show only the number of matching lines per file."),
  quiet: switchOf("q", "Print nothing; the exit code tells whether there is a match."),
  "max-count": valueOf("m", "N", "At most this many matching lines per file."),
  "max-matches": valueOf(
    undefined,
    "N",
    "At most this many matches, or files with -l and -c (default 200 and 1000).",
  ),
  all: switchOf(undefined, "Show all matches."),
  "line-number": switchOf("n", "Show line numbers (always on)."),
  "no-line-number": switchOf("N", "Hide line numbers."),
  "with-filename": switchOf("H", "Show the path on every line, also on a terminal."),
  "no-filename": switchOf(["I", "h"], "Hide paths."),
  heading: switchOf(undefined, "Show the path above its lines, also in a pipe."),
  "no-heading": switchOf(undefined, "Show the path on every line."),
  color: valueOf(undefined, "WHEN", "Ignored: matches are not colored."),
  sort: valueOf(undefined, "BY", "Ignored: results are sorted by path."),
  focus: valueOf(undefined, "QUESTION", "Show only the matches that answer the question."),
  ...KEEP_OPTION,
  cursor: valueOf(undefined, "CURSOR", "Continue where an earlier reply ended."),
  "max-tokens": valueOf(undefined, "N", "At most this many tokens."),
  ...JSON_OPTION,
};

export const grep: Command = {
  name: "grep",
  summary: "Search file contents",
  usage: "PATTERN [PATH...] [options]",
  details: [
    "PATTERN is a regular expression in ripgrep's syntax, and the options are ripgrep's. A pattern that begins with a dash:",
    "-e PATTERN, or after --. Ignored files are skipped, hidden ones are searched. A PATH with an exclamation mark is left",
    "out: '!test/' all folders of that name, '!*.lock' files. On a terminal matches are listed under their file; a pipe",
    "gets path:line:text, one line each, and stderr says what was left out.",
  ].join("\n"),
  options: GREP_OPTIONS,
  examples: [
    "pith grep 'fn \\w+_token' src",
    "pith grep -i todo -g '*.ts' -C 2",
    "pith grep -wF 'a.b(' src test -t ts",
    "pith grep -e --flag -l",
  ],
  async run(context) {
    const args = { ...searchedOf(context), ...matchingOf(context), ...limitsOf(context) };
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

/** Returns the arguments of the search tool that say what to search: the patterns, and the files. */
function searchedOf(context: Context): Record<string, unknown> {
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

/** Returns the arguments of the search tool that control how a line matches. */
function matchingOf(context: Context): Record<string, unknown> {
  return {
    ignore_case: context.flag("ignore-case"),
    "-S": context.flag("smart-case") && !context.flag("case-sensitive"),
    "-w": context.flag("word-regexp"),
    "-x": context.flag("line-regexp"),
    "-F": context.flag("fixed-strings"),
    "-v": context.flag("invert-match"),
    "-o": context.flag("only-matching"),
    "-P": context.flag("pcre2"),
    // In a multiline search, a dot matches line ends only if --multiline-dotall is given too.
    ...(context.flag("multiline-dotall")
      ? { multiline: context.flag("multiline") }
      : { "-U": context.flag("multiline") }),
  };
}

/** Returns the arguments of the search tool that control how much is shown. */
function limitsOf(context: Context): Record<string, unknown> {
  const lists = context.flag("files-with-matches") || context.flag("files") || context.flag("count");
  const all = context.flag("all");
  if (all && context.flag("json"))
    throw new PithError("invalid_input", "grep: --all prints lines; with --json follow the cursor");
  return {
    "-A": number(context, "after-context") ?? number(context, "context"),
    "-B": number(context, "before-context") ?? number(context, "context"),
    "-m": number(context, "max-count"),
    max_matches: number(context, "max-matches") ?? (lists || all ? MAX_MATCHES_PER_CALL : undefined),
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

/** On a terminal, the file name is shown once above its lines; for other programs it is repeated on each line. */
function readerOf(context: Context): Reader {
  const flat = ["with-filename", "no-filename", "no-line-number", "no-heading"].some((name) =>
    context.flag(name),
  );
  if (context.flag("heading") || (context.io.terminal && !flat)) return { surface: "cli" };
  const path = context.flag("no-filename") ? [] : (["path"] as const);
  const line = context.flag("no-line-number") ? [] : (["line"] as const);
  return { surface: "cli", linePrefix: [...path, ...line] };
}

/** Returns the cursor of the next page if --all asks for all pages; undefined if there are no more. */
function nextPage({ isError, meta }: Answer, context: Context): string | undefined {
  const cursor = meta["cursor"];
  return !isError && context.flag("all") && typeof cursor === "string" ? cursor : undefined;
}

function exitCodeOf({ isError, meta }: Answer): number {
  if (isError) return EXIT_ERROR;
  return meta["total"] === 0 ? EXIT_NO_MATCH : 0;
}

function switchOf(short: string | readonly string[] | undefined, about: string): Option {
  return { type: "boolean", about, ...(short === undefined ? {} : { short }) };
}

function valueOf(short: string | undefined, value: string, about: string): Option {
  return { type: "string", value, about, ...(short === undefined ? {} : { short }) };
}

function listOf(short: string | undefined, value: string, about: string): Option {
  return { ...valueOf(short, value, about), multiple: true };
}
