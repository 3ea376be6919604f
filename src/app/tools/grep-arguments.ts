import type { GrepQuery } from "../../workspace/grep/grep-plan.ts";
import { choice, count, flag, hidden, texts, type Values } from "../schema/field.ts";

/**
 * Arguments that ripgrep and the search tools of other agents have. They are accepted under their known names but not
 * shown in the schema.
 */
export const familiarFields = {
  output_mode: hidden(choice(["content", "files_with_matches", "count"])),
  "-A": hidden(count("lines after each match", 0)),
  "-B": hidden(count("lines before each match", 0)),
  "-l": hidden(flag("only the files that match")),
  "-c": hidden(flag("only the number of matches in each file")),
  "-w": hidden(flag("whole words")),
  "-x": hidden(flag("whole lines")),
  "-F": hidden(flag("patterns are plain texts")),
  "-v": hidden(flag("lines that do not match")),
  "-o": hidden(flag("only the matching part of each line")),
  "-S": hidden(flag("ignore the case of patterns in lower case")),
  "-P": hidden(flag("PCRE2, which has look-around")),
  "-m": hidden(count("matches in each file")),
  multiline: hidden(flag("a match may span lines, and a dot matches line ends")),
  /** As with ripgrep's -U, a dot does not match line ends. */
  "-U": hidden(flag("a match may span lines")),
  type: hidden(texts("ripgrep's file types: ts, py, rust", 20)),
  type_not: hidden(texts(undefined, 20)),
  exclude: hidden(texts("globs of files to leave out", 20)),
  globs: hidden(texts(undefined, 20)),
  no_ignore: hidden(flag("ignored files too")),
  head_limit: hidden(count("0 for as many as there may be", 0)),
  offset: hidden(count("matches or files to skip", 0)),
  case_sensitive: hidden(flag()),
  is_regexp: hidden(flag()),
  names_only: hidden(flag()),
};

export const FAMILIAR_ALIASES = {
  "-i": "ignore_case",
  "-C": "context_lines",
  context: "context_lines",
  after: "-A",
  after_context: "-A",
  before: "-B",
  before_context: "-B",
  "-e": "patterns",
  "-g": "glob",
  "-t": "type",
  "-T": "type_not",
  word: "-w",
  word_regexp: "-w",
  fixed_strings: "-F",
  literal: "-F",
  invert_match: "-v",
  only_matching: "-o",
  max_count: "-m",
  max_matches_per_file: "-m",
  isRegexp: "is_regexp",
  include_pattern: "glob",
  includePattern: "glob",
  file_pattern: "glob",
  exclude_pattern: "exclude",
  includeIgnoredFiles: "no_ignore",
  limit: "head_limit",
  max_results: "head_limit",
  maxResults: "head_limit",
  total_max_matches: "head_limit",
} as const;

/** Options that are ignored, because line numbers, paths, hidden files and recursion are always on. */
export const IGNORED_BY_GREP: readonly string[] = [
  "-n",
  "-H",
  "-h",
  "-r",
  "-R",
  "-E",
  "-s",
  "hidden",
  "recursive",
  "line_number",
  "description",
  "explanation",
];

type Familiar = Values<typeof familiarFields>;

/** The part of the query that decides whether a line matches. */
function matchingOf(args: Familiar & { readonly ignore_case: boolean | undefined }): Partial<GrepQuery> {
  return {
    ignoreCase: args.ignore_case ?? args.case_sensitive === false,
    smartCase: args["-S"] ?? false,
    fixedStrings: args["-F"] ?? args.is_regexp === false,
    wordRegexp: args["-w"] ?? false,
    lineRegexp: args["-x"] ?? false,
    invertMatch: args["-v"] ?? false,
    multiline: args.multiline ?? args["-U"] ?? false,
    multilineDotall: args.multiline ?? false,
    onlyMatching: args["-o"] ?? false,
    pcre2: args["-P"] ?? false,
  };
}

/** The kind of output (lines, files or counts) that was asked for, under any of its names. */
export function outputOf(args: Familiar): GrepQuery["output"] {
  if (args["-l"] === true || args.names_only === true) return "files";
  if (args["-c"] === true) return "count";
  return args.output_mode === undefined ? undefined : OUTPUTS[args.output_mode];
}

const OUTPUTS = { content: "lines", files_with_matches: "files", count: "count" } as const;

/** The globs of the query in the order of their precedence: exclusions come after inclusions. */
function globsOf({
  glob = [],
  globs = [],
  exclude = [],
}: Familiar & { readonly glob: readonly string[] | undefined }): string[] {
  const without = exclude.map((one) => (one.startsWith("!") ? one : `!${one}`));
  return [...glob.flatMap(splitGlobs), ...globs, ...without];
}

/**
 * Splits a text that lists globs, as in `*.ts !test/`. A text in which a word has no sign of a glob is one glob, since
 * file names may have blanks.
 */
function splitGlobs(text: string): readonly string[] {
  const words = text.split(/\s*,\s*(?![^{]*\})|\s+(?![^{]*\})/).filter((word) => word !== "");
  return words.every((word) => /^!|[*?/]/.test(word)) ? words : [text];
}

interface OwnArguments {
  readonly pattern: readonly string[] | undefined;
  readonly patterns: readonly string[] | undefined;
  readonly glob: readonly string[] | undefined;
  readonly ignore_case: boolean | undefined;
  readonly context_lines: number;
  readonly output: NonNullable<GrepQuery["output"]>;
}

/** Builds the query for the search from the arguments, without the limit on matches. */
export function queryOf(args: Familiar & OwnArguments): GrepQuery {
  const { pattern = [], patterns = [], context_lines: around, output } = args;
  return {
    patterns: [...pattern, ...patterns],
    globs: globsOf(args),
    types: args.type ?? [],
    typesNot: args.type_not ?? [],
    ...matchingOf(args),
    beforeLines: args["-B"] ?? around,
    afterLines: args["-A"] ?? around,
    ...(args["-m"] !== undefined && { maxPerFile: args["-m"] }),
    noIgnore: args.no_ignore ?? false,
    output,
  };
}
