import { decodeCursor } from "../../kernel/cursor.ts";
import { PithError } from "../../kernel/errors.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { GrepResult } from "../../model/grep-result.ts";
import { renderGrep } from "../../render/grep.ts";
import { grep } from "../../workspace/grep.ts";
import { maxTokens } from "../common-fields.ts";
import { byDefault, choice, flag, hidden, integer, path, text, texts } from "../schema/field.ts";
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
    context_focus_question: text(),
    max_tokens: maxTokens,
    cursor: hidden(text("from an earlier reply")),
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
  async handle(args, { workspace, signal }) {
    const patterns = [...(args.pattern === undefined ? [] : [args.pattern]), ...(args.patterns ?? [])];
    if (patterns.length === 0)
      throw new PithError("invalid_input", "grep: pattern is missing (a text, or patterns)");
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
    const reason = args.context_focus_question === undefined ? "no_question" : "disabled_or_unconfigured";
    const pruning = { attempted: false, applied: false, reason } as const;
    return { data: { result, offset, question, pruning }, rawTokens: rawTokens(result) };
  },
  render: renderGrep,
});

/** What ripgrep itself would have printed for these lines. */
function rawTokens({ files }: GrepResult): number {
  return estimateTokens(
    files
      .map(
        (file) =>
          file.lines.map((line) => `${file.path}:${line.number}:${line.text}\n`).join("") || `${file.path}\n`,
      )
      .join(""),
  );
}
