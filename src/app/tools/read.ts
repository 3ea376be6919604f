import { PithError } from "../../kernel/errors.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import { rangeOf, readLines, type ReadRange } from "../../workspace/files/read.ts";
import { maxTokens } from "../common-fields.ts";
import { choiceWithUnlisted, count, hidden, integer, pair, path, required, text } from "../schema/field.ts";
import { defineTool, READ_ONLY } from "../tool.ts";
import { STREAMS, UNLISTED_STREAMS } from "./run-plan.ts";
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
    stream: hidden(choiceWithUnlisted(STREAMS, UNLISTED_STREAMS)),
    offset: hidden(count("the first line", 0)),
    limit: hidden(count("how many lines")),
    view_range: hidden(pair("the first and the last line, -1 for the end")),
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
    filePath: "file_path",
    absolute_path: "file_path",
    target_file: "file_path",
    start_line_one_indexed: "start_line",
    end_line_one_indexed_inclusive: "end_line",
  },
  ignored: ["description", "explanation", "encoding", "pages", "should_read_entire_file"],
  adapt: linesOf,
  targets: {
    path: "file_path",
    lines: { start: "start_line", end: "end_line", around: "around_line" },
  },
  maxTokens: 3_000,
  check: (args) => void rangeOf(rangeIn(args)),
  async handle(args, call) {
    const { services, trace, maxTokens, symbol, signal } = call;
    const range = { ...rangeIn(args), mask: services.config.security.mask_files, signal };
    const run = runNamedBy(args.file_path);
    const slice =
      run === undefined
        ? await readLines(args.file_path, range)
        : await readRunLines(run, { ...range, stream: args.stream }, services);
    const pruner = await services.pruner();
    const pruning = await pruner.prune({
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
      // Without pruning the reply costs what any other way to read the lines would cost.
      ...(pruning.applied ? { rawTokens: estimateTokens(slice.lines.join("\n")) } : {}),
      about: { subject: args.file_path.absolute, partly: pruning.applied },
    };
  },
  render: async (data, view) =>
    (await import("../../render/files/file-slice.ts")).renderFileSlice(data, view),
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

/** The ways in which tools of other agents name a range of lines. */
interface LineArguments {
  readonly start_line: number | undefined;
  readonly end_line: number | undefined;
  readonly offset: number | undefined;
  readonly limit: number | undefined;
  readonly view_range: readonly [number, number] | undefined;
}

/** Translates the line arguments of other agents' tools. */
function linesOf(args: LineArguments): { readonly start_line?: number; readonly end_line?: number } {
  const { start_line: start, end_line: end, offset, limit, view_range: range } = args;
  const given = [start ?? end, offset ?? limit, range].filter((one) => one !== undefined);
  if (given.length > 1)
    throw new PithError(
      "invalid_input",
      "read: give start_line and end_line, or offset and limit, or view_range",
    );
  if (range !== undefined)
    return { start_line: Math.max(1, range[0]), ...(range[1] > 0 && { end_line: range[1] }) };
  if (offset === undefined && limit === undefined) return {};
  const first = Math.max(1, offset ?? 1);
  return { start_line: first, ...(limit !== undefined && { end_line: first + limit - 1 }) };
}
