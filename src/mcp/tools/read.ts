import { estimateTokens } from "../../kernel/tokens.ts";
import { renderFileSlice } from "../../render/file-slice.ts";
import { rangeOf, readLines, type ReadRange } from "../../workspace/read.ts";
import { maxTokens } from "../common-fields.ts";
import { choice, count, hidden, integer, path, required, text } from "../schema/field.ts";
import { defineTool, READ_ONLY } from "../tool.ts";
import { STREAMS } from "./run-plan.ts";
import { readRunLines, runNamedBy } from "./read-run.ts";

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
    stream: hidden(choice(STREAMS)),
    context_focus_question: text("full question; name identifiers"),
    max_tokens: maxTokens,
  },
  aliases: {
    path: "file_path",
    file: "file_path",
    filename: "file_path",
    result_id: "file_path",
    chunk_id: "file_path",
    startLine: "start_line",
    endLine: "end_line",
  },
  targets: {
    path: "file_path",
    lines: { start: "start_line", end: "end_line", around: "around_line" },
  },
  maxTokens: 3_000,
  check: (args) => void rangeOf(rangeIn(args)),
  async handle(args, call) {
    const { services, trace, maxTokens, symbol, signal } = call;
    const range = { ...rangeIn(args), signal };
    const run = runNamedBy(args.file_path);
    const slice =
      run === undefined
        ? await readLines(args.file_path, range)
        : await readRunLines(run, { ...range, stream: args.stream }, services);
    const pruning = await services.pruner.prune({
      lines: slice.lines,
      firstLine: slice.startLine,
      question: args.context_focus_question,
      kind: run === undefined ? "source" : "log",
      maxTokens,
      trace,
      signal,
    });
    return {
      data: { slice, pruning, symbol },
      // Lines as they are cost what they cost in any reader.
      ...(pruning.applied ? { rawTokens: estimateTokens(slice.lines.join("\n")) } : {}),
      subject: args.file_path.absolute,
    };
  },
  render: renderFileSlice,
});

type Numbers = "start_line" | "end_line" | "around_line" | "radius" | "column";

function rangeIn(args: Readonly<Record<Numbers, number | undefined>>): ReadRange {
  return {
    startLine: args.start_line,
    endLine: args.end_line,
    aroundLine: args.around_line,
    radius: args.radius,
    column: args.column,
  };
}
