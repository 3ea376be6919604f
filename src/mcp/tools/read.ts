import { estimateTokens } from "../../kernel/tokens.ts";
import { renderFileSlice } from "../../render/file-slice.ts";
import { readLines } from "../../workspace/read.ts";
import { maxTokens } from "../common-fields.ts";
import { count, hidden, integer, path, required, text } from "../schema/field.ts";
import { defineTool, READ_ONLY } from "../tool.ts";

export const readTool = defineTool({
  name: "read",
  title: "Read a file",
  toolset: "files",
  description:
    "Lines of a text file, numbered. Give a range, or a question to get only the lines that answer it.",
  annotations: READ_ONLY,
  fields: {
    file_path: required(path()),
    start_line: count(),
    end_line: count(),
    around_line: count(),
    radius: integer("lines each side, default 20", [0, 500]),
    column: hidden(count()),
    context_focus_question: text("full question; name identifiers"),
    max_tokens: maxTokens,
  },
  aliases: {
    path: "file_path",
    file: "file_path",
    filename: "file_path",
    result_id: "file_path",
    chunk_id: "file_path",
  },
  results: { path: "file_path", lines: ["start_line", "end_line", "around_line"] },
  maxTokens: 3_000,
  async handle(args, { services, trace, maxTokens, signal }) {
    const slice = await readLines(args.file_path, {
      startLine: args.start_line,
      endLine: args.end_line,
      aroundLine: args.around_line,
      radius: args.radius,
      column: args.column,
      signal,
    });
    const pruning = await services.pruner.prune({
      lines: slice.lines,
      firstLine: slice.startLine,
      question: args.context_focus_question,
      kind: "source",
      maxTokens,
      trace,
      signal,
    });
    return {
      data: { slice, pruning },
      // Lines as they are cost what they cost in any reader.
      ...(pruning.applied ? { rawTokens: estimateTokens(slice.lines.join("\n")) } : {}),
      subject: args.file_path.absolute,
    };
  },
  render: renderFileSlice,
});
