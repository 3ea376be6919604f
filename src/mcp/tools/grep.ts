import { decodeCursor } from "../../kernel/cursor.ts";
import { PithError } from "../../kernel/errors.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { GrepResult } from "../../model/grep-result.ts";
import type { PruningOutcome } from "../../model/pruning.ts";
import { renderGrep } from "../../render/grep.ts";
import { checkQuery, grep } from "../../workspace/grep.ts";
import { maxTokens } from "../common-fields.ts";
import { byDefault, choice, flag, integer, path, text, texts } from "../schema/field.ts";
import { defineTool, READ_ONLY } from "../tool.ts";

export const grepTool = defineTool({
  name: "grep",
  title: "Search file contents",
  toolset: "files",
  description: "Lines that match a regex (ripgrep), ignore rules honoured.",
  annotations: READ_ONLY,
  fields: {
    pattern: text(),
    patterns: texts("any of 1..50", 50),
    path: path("file or folder, default ."),
    glob: text(),
    ignore_case: flag(),
    context_lines: byDefault(integer("", [0, 50]), 0),
    max_matches: byDefault(integer("", [1, 1000]), 200),
    output: byDefault(choice(["lines", "files", "count"]), "lines"),
    context_focus_question: text("keep what answers it"),
    max_tokens: maxTokens,
    cursor: text(),
  },
  aliases: {
    paths: "path",
    directory: "path",
    file_path: "path",
    include: "glob",
    query: "pattern",
    regex: "pattern",
  },
  maxTokens: 2_000,
  check(args) {
    const patterns = patternsOf(args);
    if (patterns.length === 0)
      throw new PithError("invalid_input", "grep: pattern is missing (a text, or patterns)");
    checkQuery({ patterns, glob: args.glob });
  },
  async handle(args, { services, workspace, trace, maxTokens: room, signal }) {
    const patterns = patternsOf(args);
    const { glob, ignore_case, context_lines, max_matches, output } = args;
    const target = args.path ?? workspace;
    const question = [patterns, target.absolute, glob, ignore_case, context_lines, output];
    const offset = decodeCursor(question, args.cursor);
    const result = await grep(
      target,
      {
        patterns,
        glob,
        ignoreCase: ignore_case,
        contextLines: context_lines,
        maxMatches: offset + max_matches,
        output,
      },
      { signal },
    );
    const pruning = await services.pruner.prune({
      lines: resultLines(result),
      question: args.context_focus_question,
      kind: "matches",
      maxTokens: room,
      trace,
      signal,
    });
    const data = { result: keepMatches(result, pruning), offset, question, pruning };
    return { data, rawTokens: estimateTokens(resultLines(result).join("\n")) };
  },
  render: renderGrep,
});

function patternsOf(args: {
  readonly pattern: string | undefined;
  readonly patterns: readonly string[] | undefined;
}): readonly string[] {
  return [...(args.pattern === undefined ? [] : [args.pattern]), ...(args.patterns ?? [])];
}

/** What ripgrep itself would have printed. */
function resultLines({ files }: GrepResult): readonly string[] {
  return files.flatMap((file) =>
    file.lines.length === 0
      ? [file.path]
      : file.lines.map((line) => `${file.path}:${line.number}:${line.text}`),
  );
}

/** The result with only the lines that pruning kept; its totals stay, so that the reply can say what is left out. */
function keepMatches(result: GrepResult, { applied, kept = [] }: PruningOutcome): GrepResult {
  if (!applied) return result;
  let row = 0;
  const isKept = (): boolean => {
    row++;
    return kept.some(([start, end]) => row >= start && row <= end);
  };
  const files = result.files.flatMap((file) => {
    if (file.lines.length === 0) return isKept() ? [file] : [];
    const lines = file.lines.filter(isKept);
    return lines.length > 0 ? [{ ...file, lines }] : [];
  });
  return { ...result, files };
}
