import { JSON_OPTION, KEEP_OPTION, type Option, type Options } from "./command.ts";

function switchOf(short: string | readonly string[] | undefined, about: string): Option {
  return { type: "boolean", about, ...(short === undefined ? {} : { short }) };
}

function valueOf(short: string | undefined, value: string, about: string): Option {
  return { type: "string", value, about, ...(short === undefined ? {} : { short }) };
}

function listOf(short: string | undefined, value: string, about: string): Option {
  return { ...valueOf(short, value, about), multiple: true };
}

/** ripgrep's everyday options under ripgrep's names, those that other greps have for the same, and Pith's own. */
export const GREP_OPTIONS: Options = {
  regexp: listOf("e", "PATTERN", "A pattern; several match any."),
  pattern: listOf(undefined, "PATTERN", "The same as --regexp."),
  "ignore-case": switchOf("i", "Upper and lower case are the same."),
  "smart-case": switchOf("S", "Ignore the case of patterns in lower case."),
  "case-sensitive": switchOf("s", "Upper and lower case differ (default)."),
  "fixed-strings": switchOf("F", "Patterns are plain texts."),
  "word-regexp": switchOf("w", "Only whole words."),
  "line-regexp": switchOf("x", "Only whole lines."),
  "invert-match": switchOf("v", "Lines that do not match."),
  "only-matching": switchOf("o", "Only the matching parts of lines."),
  multiline: switchOf("U", "A match may span lines."),
  "multiline-dotall": switchOf(undefined, "With -U: a dot matches line ends too."),
  pcre2: switchOf("P", "Patterns with look-around and backreferences."),
  glob: listOf("g", "GLOB", "Only files like this; ! in front leaves them out."),
  include: listOf(undefined, "GLOB", "Only files like this."),
  exclude: listOf(undefined, "GLOB", "No files like this."),
  type: listOf("t", "TYPE", "Only files of this type: ts, py, rust."),
  "type-not": listOf("T", "TYPE", "No files of this type."),
  "no-ignore": switchOf(undefined, "Search ignored files too."),
  unrestricted: switchOf("u", "The same as --no-ignore."),
  hidden: switchOf(".", "Search hidden files (always so)."),
  recursive: switchOf(["r", "R"], "Search folders with all that is in them (always so)."),
  "extended-regexp": switchOf("E", "Extended regular expressions (always so)."),
  "after-context": valueOf("A", "N", "Lines after each match."),
  "before-context": valueOf("B", "N", "Lines before each match."),
  context: valueOf("C", "N", "Lines before and after each match."),
  "files-with-matches": switchOf("l", "Only the files that match."),
  files: switchOf(undefined, "The same as --files-with-matches."),
  count: switchOf("c", "Only the number of matching lines of each file."),
  quiet: switchOf("q", "Print nothing: the exit code says whether there is a match."),
  "max-count": valueOf("m", "N", "At most this many matching lines of each file."),
  "max-matches": valueOf(
    undefined,
    "N",
    "At most this many matches, or files with -l and -c (default 200 and 1000).",
  ),
  all: switchOf(undefined, "All matches, however many."),
  "line-number": switchOf("n", "With line numbers (always so)."),
  "no-line-number": switchOf("N", "Without line numbers."),
  "with-filename": switchOf("H", "The path on every line, on a terminal too."),
  "no-filename": switchOf(["I", "h"], "Without paths."),
  heading: switchOf(undefined, "The path above its lines, in a pipe too."),
  "no-heading": switchOf(undefined, "The path on every line."),
  color: valueOf(undefined, "WHEN", "Taken and not looked at: matches are not coloured."),
  sort: valueOf(undefined, "BY", "Taken and not looked at: results are sorted by path."),
  focus: valueOf(undefined, "QUESTION", "Only the matches that answer the question."),
  ...KEEP_OPTION,
  cursor: valueOf(undefined, "CURSOR", "Go on where an earlier reply ended."),
  "max-tokens": valueOf(undefined, "N", "At most this many tokens."),
  ...JSON_OPTION,
};
