import { Budget } from "../../kernel/budget.ts";
import { PithError } from "../../kernel/errors.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { FileReply } from "../../render/files/file-reply.ts";
import type { ReplyRoom } from "../../model/pruning.ts";
import type { FilePart, FilesReply, UnreadablePart } from "../../render/files/file-slices.ts";
import type { ReadRange } from "../../workspace/files/read.ts";
import type { Outline } from "../../model/symbol.ts";
import { maxTokens } from "../common-fields.ts";
import { choiceWithUnlisted, count, hidden, integer, pair, paths, required, text } from "../schema/field.ts";
import type { JailedPath } from "../../workspace/jail.ts";
import type { Lines } from "../file-target.ts";
import { type Call, defineTool, READ_ONLY, type Reply } from "../tool.ts";
import { STREAMS, UNLISTED_STREAMS } from "./run-plan.ts";
import { readRunLines, runNamedBy } from "./read-run.ts";

export const readTool = defineTool({
  name: "read",
  title: "Read a file",
  toolset: "files",
  description: "View file contents, numbered; with a question, only the lines that answer it.",
  searchHint:
    "read view open show display see print cat file files contents content text lines line range part section source code of function body head tail large long big several in at an the to for on by with from",
  annotations: READ_ONLY,
  fields: {
    file_path: required(paths("or a.ts:10-40, a.ts#name, Class.method; several allowed")),
    start_line: count(),
    end_line: count(),
    around_line: count(),
    radius: integer("lines each side, default 20", [0, 500]),
    column: hidden(count()),
    stream: hidden(choiceWithUnlisted(STREAMS, UNLISTED_STREAMS)),
    offset: hidden(count("the first line", 0)),
    limit: hidden(count("how many lines")),
    view_range: hidden(pair("the first and the last line, -1 for the end")),
    context_focus_question: text("a full question"),
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
  dependencies: "names",
  maxTokens: 3_000,
  async check(args) {
    (await import("../../workspace/files/read.ts")).rangeOf(rangeIn(args));
  },
  async handle(args, call): Promise<Reply<FileReply | FilesReply>> {
    const { context_focus_question: question, stream } = args;
    const { targets } = call;
    const [file] = args.file_path;
    if (file === undefined || targets.length > 1)
      return readSeveral(args.file_path, { question, stream }, call);
    const read = await readPart(file, { ...rangeIn(args), stream, question }, call);
    const symbol = targets[0]?.symbol;
    const outline = isWhole(args) ? await outlineFor(read, question, call.maxTokens) : undefined;
    const part = await focusPart({ ...read, symbol, outline }, question, { call });
    return {
      data: part,
      // Only a pruned reply counts as saving tokens; the lines themselves would cost the same if they were read in any
      // other way.
      ...(part.pruning.applied ? { rawTokens: estimateTokens(part.slice.lines.join("\n")) } : {}),
      about: { subject: file.absolute, partly: part.pruning.applied },
    };
  },
  render: async (data, view) =>
    "parts" in data
      ? (await import("../../render/files/file-slices.ts")).renderFileSlices(data, view)
      : (await import("../../render/files/file-slice.ts")).renderFileSlice(data, view),
});

/** Characters of a file that are read for a question, which may be answered anywhere in it. */
const MAX_CHARACTERS_FOR_QUESTION = 64 * 1024 * 1024;

interface PartOptions extends ReadRange {
  readonly question: string | undefined;
  readonly stream: (typeof STREAMS)[number] | (typeof UNLISTED_STREAMS)[number] | undefined;
}

/** Lines of a file or of a run's log before pruning. */
interface UnprunedPart extends Omit<FileReply, "pruning"> {
  readonly kind: "source" | "log";
}

async function readPart(
  file: JailedPath,
  { stream, question, ...lines }: PartOptions,
  { services, signal }: Call,
): Promise<UnprunedPart> {
  const limit = question === undefined ? {} : { maxCharacters: MAX_CHARACTERS_FOR_QUESTION };
  const range = { ...lines, ...limit, mask: services.config.security.mask_files, signal };
  const run = runNamedBy(file);
  if (run !== undefined)
    return { slice: await readRunLines(run, { ...range, stream }, services), kind: "log" };
  const { readLines } = await import("../../workspace/files/read.ts");
  return { slice: await readLines(file, range), package: file.scope?.package, kind: "source" };
}

/** Returns whether the caller asked for a file without naming lines of it. */
function isWhole(args: Readonly<Record<Numbers, number | undefined>>): boolean {
  return args.start_line === undefined && args.end_line === undefined && args.around_line === undefined;
}

/** The definitions of a file that may not fit into its part of the reply, so that it can be shown folded. */
async function outlineFor(
  { slice, kind }: UnprunedPart,
  question: string | undefined,
  maxTokens: number,
): Promise<Outline | undefined> {
  if (kind !== "source" || question !== undefined) return undefined;
  const text = slice.lines.join("\n");
  if (text.length < maxTokens) return undefined;
  const { outlineText } = await import("../../index/query/outline-text.ts");
  return outlineText(slice.path, text);
}

/** Prunes the lines if there is a question, to what their part of the reply has room for. */
async function focusPart(
  { kind, ...part }: UnprunedPart,
  question: string | undefined,
  { call, isFirst = true }: { readonly call: Call; readonly isFirst?: boolean },
): Promise<FileReply> {
  const { services, maxTokens, signal } = call;
  const { lines, startLine: firstLine } = part.slice;
  const pruner = await services.pruner();
  const pruning = await pruner.prune({
    lines,
    firstLine,
    question,
    kind,
    maxTokens,
    ...(question !== undefined && { room: await roomOf(part, call) }),
    signal,
    // A request goes through its states only once, so only the first of several files is traced.
    ...(isFirst && { trace: call.trace }),
  });
  return { ...part, pruning };
}

async function roomOf(
  part: Omit<FileReply, "pruning">,
  { format, reader, maxTokens }: Call,
): Promise<ReplyRoom> {
  const { roomFor } = await import("../../render/files/reply-room.ts");
  return roomFor(part, { format, reader, budget: new Budget(maxTokens) });
}

/** Reads several files, or ranges of lines, for one reply. If one cannot be read, the error is shown in its place. */
async function readSeveral(
  files: readonly JailedPath[],
  { question, stream }: Pick<PartOptions, "stream" | "question">,
  call: Call,
): Promise<Reply<FilesReply>> {
  const parts: (UnprunedPart | UnreadablePart)[] = [];
  for (const [i, { lines, symbol, path, error: notFound }] of call.targets.entries()) {
    const file = files[i];
    if (notFound !== undefined) parts.push({ path, error: notFound });
    if (file === undefined || notFound !== undefined) continue;
    try {
      const part = await readPart(file, { ...rangeOfTarget(lines), stream, question }, call);
      const share = call.maxTokens / call.targets.length;
      const outline = lines === undefined ? await outlineFor(part, question, share) : undefined;
      parts.push({ ...part, symbol, outline, isOneOfSeveral: true });
    } catch (error) {
      // The error is shown in place of the file. Only internal errors and a cancellation end the call.
      if (!(error instanceof PithError) || call.signal.aborted) throw error;
      parts.push({ path: file.shown, error });
    }
  }
  const [first] = parts;
  if (first !== undefined && "error" in first && parts.every((part) => "error" in part)) throw first.error;
  return { data: { parts: await focusParts(parts, question, call) } };
}

/** Prunes each part to its share of the reply. What a short part leaves of its share goes to the others. */
async function focusParts(
  parts: readonly (UnprunedPart | UnreadablePart)[],
  question: string | undefined,
  call: Call,
): Promise<readonly FilePart[]> {
  const shares = question === undefined ? [] : await sharesOf(parts, call);
  const focused: FilePart[] = [];
  for (const [i, part] of parts.entries()) {
    const maxTokens = shares[i] ?? call.maxTokens;
    const isFirst = focused.every((one) => "error" in one);
    focused.push(
      "error" in part ? part : await focusPart(part, question, { call: { ...call, maxTokens }, isFirst }),
    );
  }
  return focused;
}

/** Tokens for the message about a target that cannot be read. */
const TOKENS_PER_ERROR = 60;

async function sharesOf(
  parts: readonly (UnprunedPart | UnreadablePart)[],
  call: Call,
): Promise<readonly number[]> {
  const { shareTokens, TOKENS_BETWEEN_PARTS } = await import("../../render/shared-budget.ts");
  const between = TOKENS_BETWEEN_PARTS * parts.length;
  const costs = await Promise.all(
    parts.map(async (part) => {
      if ("error" in part) return TOKENS_PER_ERROR;
      const { tokens, wholeCost } = await roomOf(part, call);
      return Math.ceil(call.maxTokens - tokens + wholeCost);
    }),
  );
  return shareTokens(costs, call.maxTokens - between);
}

function rangeOfTarget(lines: Lines | undefined): ReadRange {
  if (lines === undefined) return {};
  return "around" in lines ? { aroundLine: lines.around } : { startLine: lines.start, endLine: lines.end };
}

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

/** The arguments by which this tool and those of other agents name a range of lines. */
interface LineArguments {
  readonly start_line: number | undefined;
  readonly end_line: number | undefined;
  readonly offset: number | undefined;
  readonly limit: number | undefined;
  readonly view_range: readonly [number, number] | undefined;
}

/** Translates the line arguments of other agents' tools into `start_line` and `end_line`. */
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
