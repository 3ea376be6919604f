import type { CallArguments, NamedCall } from "../../kernel/calls.ts";

/** Writes the call of a tool as a `pith` command line; undefined if there is no command for it. */
export function commandWords({ tool, args = {} }: NamedCall): string | undefined {
  return COMMANDS[tool]?.(args);
}

type Write = (args: CallArguments) => string | undefined;

const COMMANDS: Readonly<Record<string, Write>> = {
  build: ({ action, runId, tool, ...args }) => {
    const changes = /^tests of my changes(?: since (?<ref>.+))?$/.exec(String(tool));
    if (changes !== null)
      return words("pith test --changed", quoted(changes.groups?.["ref"]), optionWords(args));
    if (action === "log") return words("pith logs", runId, optionWords(args));
    if (action === "stop") return words("pith runs --stop", runId);
    return action === "list" ? "pith exec --list" : undefined;
  },
  search_code: ({ query, ...args }) => words("pith search", quoted(query), optionWords(args)),
  get_file_outline: ({ path, ...args }) => words("pith outline", quoted(path), optionWords(args)),
  run_tests: () => "pith test",
  locate_symbol: ({ name, relation, ...args }) =>
    words(relation === undefined ? "pith symbol" : `pith ${relation}`, quoted(name), optionWords(args)),
  read: ({ file_path: file, ...args }) => words("pith read", quoted(file), optionWords(args)),
  grep: ({ pattern, path, ...args }) => words("pith grep", quoted(pattern), quoted(path), optionWords(args)),
  index_repository: (args) => words("pith index", optionWords(args)),
  sync_repo: (args) => words("pith sync", optionWords(args)),
  index_status: () => "pith projects",
};

/** Writes the arguments of a tool as options of the `pith` command. */
export function optionWords(given: CallArguments): string {
  const { start_line, end_line, startLine, endLine, wait_ms, ...args } = given;
  const from = start_line ?? startLine;
  // A column without an end line asks for the rest of that one line.
  const to = end_line ?? endLine ?? (given["column"] === undefined ? "" : from);
  return words(
    from === undefined ? undefined : `--lines ${from === to ? from : `${from}-${to}`}`,
    wait_ms === undefined ? undefined : `--wait ${Number(wait_ms) / 1000}`,
    ...Object.entries(args).map(([name, value]) => FLAGS[`${name}=${value}`] ?? optionOf(name, value)),
  );
}

function optionOf(name: string, value: string | number | boolean): string {
  return `--${name.replaceAll("_", "-")} ${quoted(value)}`;
}

/** Names what a user types for an argument of a tool: an option, or a word such as FILE. */
export function optionName(argument: string): string {
  return TYPED[argument] ?? `--${argument.replaceAll("_", "-")}`;
}

const TYPED: Readonly<Record<string, string>> = {
  query: "QUERY",
  name: "NAME",
  file_path: "FILE",
  pattern: "PATTERN",
  patterns: "PATTERN",
  command: "COMMAND",
  tool: "COMMAND",
  runId: "RUN",
  job_id: "RUN",
  start_line: "--lines",
  end_line: "--lines",
  startLine: "--lines",
  endLine: "--lines",
  lineCount: "--lines",
  around_line: "--around",
  context_focus_question: "--focus",
  detail_level: "--detail",
  ranking_explain_level: "--explain",
  freshness_policy: "--strict",
  wait_ms: "--wait",
  timeout_ms: "--timeout",
  timeout_secs: "--timeout",
  context_lines: "--context",
};

/** Arguments that become an option without a value. */
const FLAGS: Readonly<Record<string, string>> = {
  "depth=top": "--top",
  "output=files": "-l",
  "ignore_case=true": "-i",
  "force=true": "--force",
  "force_reindex=true": "--force",
};

function words(...parts: (string | number | boolean | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

/** Quotes a word for a shell if it needs quotes. */
function quoted(value: string | number | boolean | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = String(value);
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
