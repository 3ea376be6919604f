import type { FileSlice } from "../../model/file-slice.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import { maskedAt, type MaskedSecret } from "../../model/masked.ts";
import type { PruningOutcome } from "../../model/pruning.ts";
import { fence } from "../fence.ts";
import { focusNote, type Gap, gapMark, keptLines, namesIn, partsOf, type Row, withGaps } from "./focus.ts";
import { clippedOf, gapCall, lineText, lineWriter, type MoreWords, moreWords } from "./file-lines.ts";
import { type LinePage, type PageLine, pageOf } from "./line-page.ts";
import { EVERY_TOOL, type Reader } from "../reader/reader.ts";
import { maskedNoteSample } from "../masked-note.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { callsOf, describeFollowing } from "../run/run-calls.ts";
import { shownPath } from "../shown-path.ts";

export interface FileReply {
  readonly slice: FileSlice;
  /** The definition that the caller named instead of a file, and other definitions with the same name. */
  readonly symbol?: { readonly place: string; readonly others: readonly string[] } | undefined;
  readonly pruning: PruningOutcome;
  /**
   * True if the reply also holds other files. Then a line above this part names its file, and the calls for more lines
   * name it too.
   */
  readonly isOneOfSeveral?: boolean;
}

/** Writes as many numbered lines of a file as the budget holds, and the arguments of the call that shows the others. */
export function renderFileSlice(reply: FileReply, view: View): Rendered {
  const { slice, symbol } = reply;
  const { format, reader = EVERY_TOOL } = view;
  const head = headOf(reply);
  const more = moreWords(reply, reader);
  reserveFrame(reply, view);
  const shown = shownPart(reply, view);
  const pruning = asShown(reply.pruning, shown);
  const also = symbol === undefined || symbol.others.length === 0 ? {} : { also: symbol.others };
  const facts = { ...factsOf(shown, slice), ...also };
  const beside = { meta: { ...facts, pruning }, masked: maskedAt(maskedIn(shown.lines, slice)) };
  if (format === "json") return jsonReply({ ...facts, ...contentOf(shown, pruning, slice), pruning }, beside);
  const rows = shown.rows.map((row) => rowText(row, { shown, reply, more }));
  const focus = focusNote(pruning, shown.lines.length, gapCall(more));
  const tail = [...notes(shown, reply, { more, reader }), ...(focus === undefined ? [] : [focus])];
  if (format === "text") return { text: [...head, ...rows, ...tail].join("\n"), ...beside };
  const heading = [`## ${shownPath(slice.path)}`, ""];
  return {
    text: [...heading, ...(rows.length === 0 ? [] : [fence(rows.join("\n"))]), ...tail].join("\n"),
    ...beside,
  };
}

/** Reserves the budget for what a reply has besides its lines. */
export function reserveFrame(reply: FileReply, view: View): void {
  const { budget, reader = EVERY_TOOL } = view;
  const frame = frameOf(reply, view, moreWords(reply, reader));
  budget.reserve([...headOf(reply), frame, maskedNoteSample(maskedAt(reply.slice.masked))].join("\n"));
}

/** The outcome of pruning with the kept lines limited to those that are shown. */
function asShown(pruning: PruningOutcome, { lines, end }: ShownPart): PruningOutcome {
  if (pruning.kept === undefined || pruning.lines_after === lines.length) return pruning;
  const kept = pruning.kept
    .filter(([start]) => start <= end)
    .map(([start, last]) => [start, Math.min(last, end)] as const);
  const tokens = estimateTokens(lines.map(({ text }) => text).join("\n"));
  return { ...pruning, kept, lines_after: lines.length, tokens_after: tokens };
}

/** The masked secrets on the shown lines. Of a secret that spans several lines, only the shown ones count. */
function maskedIn(lines: readonly PageLine[], { masked }: FileSlice): readonly MaskedSecret[] {
  return masked.flatMap(({ line, lastLine }) => {
    const shown = lines.filter(({ number }) => number >= line && number <= lastLine);
    const [first, last] = [shown[0]?.number, shown.at(-1)?.number];
    return first === undefined || last === undefined ? [] : [{ line: first, lastLine: last }];
  });
}

/**
 * The reply without the lines of the file and with the largest possible line numbers; its length is reserved in the
 * budget.
 */
function frameOf(reply: FileReply, { format, reader = EVERY_TOOL }: View, more: MoreWords): string {
  const { slice, pruning } = reply;
  const end = slice.requestedEndLine;
  const next = { start_line: end, column: 1, end_line: end };
  const shown = { lines: [], rows: [], end, wanted: end, next };
  if (format === "json")
    return JSON.stringify({ ...factsOf(shown, slice), ...contentOf(shown, pruning, slice), pruning });
  const heading = format === "markdown" ? [`## ${slice.path}`, "```", "```"] : [];
  return [
    ...heading,
    ...notes(shown, reply, { more, reader }),
    focusNote(pruning, end, gapCall(more)) ?? "",
  ].join("\n");
}

/**
 * The line above the content that names the file and its lines. It is needed if the caller named only a symbol, or if
 * the reply holds several parts.
 */
function headOf({ slice, symbol, isOneOfSeveral = false }: FileReply): readonly string[] {
  if (symbol !== undefined) return [symbolLine(symbol)];
  const lines = slice.lines.length === 0 ? "" : `:${slice.startLine}-${slice.endLine}`;
  return isOneOfSeveral ? [`${shownPath(slice.path)}${lines}`] : [];
}

/** The place of a symbol's definition, which is shown because the caller did not name the file. */
function symbolLine({ place, others }: NonNullable<FileReply["symbol"]>): string {
  return others.length === 0 ? place : `${place} (also ${others.join(", ")})`;
}

/** The lines that fit into the reply, of those that were read from the file. */
interface ShownPart {
  readonly lines: readonly PageLine[];
  /** The shown lines and the gaps between them, up to line `end`. */
  readonly rows: readonly Row<PageLine>[];
  /** The number of the last line that is shown or belongs to a gap. */
  readonly end: number;
  /** The number of the last line that the caller asked for. */
  readonly wanted: number;
  /** The arguments of the call that shows the lines after the shown ones. */
  readonly next?: { readonly start_line: number; readonly column?: number; readonly end_line: number };
}

function shownPart(reply: FileReply, view: View): ShownPart {
  const { slice, pruning } = reply;
  const kept = keptLines(pageLines(slice), pruning);
  const gaps = new Map(
    withGaps(kept, { start: slice.startLine, end: slice.endLine }).flatMap((row) =>
      "gap" in row ? [[row.gap.end + 1, gapMark(row.gap, namesIn(linesOf(slice, row.gap)))] as const] : [],
    ),
  );
  const write = lineWriter(reply, view);
  const page = pageOf(kept, view.budget, (line) => {
    const mark = gaps.get(line.number);
    const isFirst = mark !== undefined || line.number === slice.startLine;
    return `${mark === undefined ? "" : write.gap(mark)}${write.line(line, isFirst)}`;
  });
  const last = page.shown.at(-1)?.number ?? 0;
  const end = page.next === undefined ? slice.endLine : last;
  const wanted = Math.max(slice.requestedEndLine, slice.endLine);
  const rows = slice.lines.length === 0 ? [] : withGaps(page.shown, { start: slice.startLine, end });
  return { lines: page.shown, rows, end, wanted, ...nextOf(page, end, wanted) };
}

function nextOf(page: LinePage<PageLine>, end: number, wanted: number): Pick<ShownPart, "next"> {
  const column = page.next?.column;
  if (column !== undefined) return { next: { start_line: end, column, end_line: wanted } };
  return end < wanted ? { next: { start_line: end + 1, end_line: wanted } } : {};
}

export function pageLines(slice: FileSlice): PageLine[] {
  const hidden = new Map(slice.clipped.map(({ line, ...hidden }) => [line, hidden]));
  return slice.lines.map((text, index): PageLine => {
    const number = slice.startLine + index;
    const clipped = hidden.get(number);
    return {
      number,
      text,
      ...(index === 0 && slice.column !== undefined ? { column: slice.column } : {}),
      ...(clipped === undefined ? {} : { hidden: clipped }),
    };
  });
}

function linesOf(slice: FileSlice, { start, end }: Gap): readonly string[] {
  return slice.lines.slice(start - slice.startLine, end - slice.startLine + 1);
}

interface RowContext {
  readonly shown: ShownPart;
  readonly reply: FileReply;
  readonly more: MoreWords;
}

function rowText(
  row: Row<PageLine>,
  { shown: { next }, reply: { slice, pruning }, more }: RowContext,
): string {
  if ("gap" in row) return gapMark(row.gap, namesIn(linesOf(slice, row.gap)));
  // If the reply ends inside this line, the note below the lines names the call for the rest, so the line itself does
  // not.
  const isBrokenOff = next?.column !== undefined && next.start_line === row.line.number;
  return lineText(row, { pruning, more, isBrokenOff });
}

/** The lines of the file in JSON: one text or, after pruning, the kept ranges of lines and the ranges left out. */
function contentOf({ lines, rows }: ShownPart, { applied }: PruningOutcome, slice: FileSlice): object {
  const textOf = ({ text }: PageLine): string => text;
  if (!applied) return { content: lines.map(textOf).join("\n") };
  return partsOf(rows, textOf, (gap) => {
    const names = namesIn(linesOf(slice, gap));
    return names === "" ? {} : { names };
  });
}

function factsOf(
  { lines, end, wanted, next }: ShownPart,
  slice: FileSlice,
): Readonly<Record<string, unknown>> {
  const leftOut = slice.lines.length === 0 ? 0 : wanted - slice.startLine + 1 - lines.length;
  const clipped = lines.filter(({ hidden }) => hidden !== undefined).map(clippedOf);
  return {
    path: slice.path,
    start_line: slice.startLine,
    ...(slice.column === undefined ? {} : { column: slice.column }),
    end_line: end,
    total_lines: slice.totalLines,
    ...(slice.totalIsExact ? {} : { total_lines_at_least: true }),
    ...(leftOut === 0 ? {} : { lines_left_out: leftOut }),
    ...(next === undefined ? {} : { next }),
    ...(clipped.length === 0 ? {} : { clipped_lines: clipped }),
    ...(slice.encoding === "utf-8" ? {} : { encoding: slice.encoding }),
    ...(slice.lineEnds === "lf" ? {} : { line_ends: slice.lineEnds }),
    ...(slice.undecodable === 0 ? {} : { undecodable_bytes: slice.undecodable }),
    ...(slice.runningRun === undefined ? {} : { status: "running" }),
    ...(slice.changedWhileReading ? { changed_while_reading: true } : {}),
  };
}

/**
 * Notes below the lines on anything unusual: missing lines, line ends, encoding, or changes while the file was read.
 */
function notes(
  shown: ShownPart,
  { slice, isOneOfSeveral = false }: FileReply,
  { more, reader }: { readonly more: MoreWords; readonly reader: Reader },
): readonly string[] {
  const { end, next } = shown;
  const total = `${slice.totalIsExact ? "" : "at least "}${slice.totalLines}`;
  const lines: string[] = [];
  if (slice.totalLines === 0) lines.push(slice.path.startsWith("run:") ? "[no output]" : "[empty file]");
  else if (next !== undefined) lines.push(cutNote(shown, slice, { total, more }));
  else if (!isOneOfSeveral && (slice.startLine > 1 || end < slice.totalLines || !slice.totalIsExact))
    lines.push(`[of ${total} lines]`);
  if (slice.lineEnds !== "lf")
    lines.push(`[${slice.lineEnds === "crlf" ? "CRLF" : "mixed LF and CRLF"} line ends]`);
  if (slice.encoding !== "utf-8") lines.push(`[${slice.encoding}]`);
  if (slice.undecodable > 0)
    lines.push(`[${slice.undecodable} bytes are not valid ${slice.encoding}, shown as \uFFFD]`);
  if (slice.runningRun !== undefined)
    lines.push(`[still running; ${describeFollowing(callsOf(slice.runningRun, reader))}]`);
  if (slice.changedWhileReading) lines.push("[the file changed while it was read]");
  return lines;
}

function cutNote(
  { end, wanted, next }: ShownPart,
  slice: FileSlice,
  { total, more }: { readonly total: string; readonly more: MoreWords },
): string {
  const range = `lines ${slice.startLine}-${end} of ${total}`;
  const missing =
    next?.column === undefined ? `${wanted - end} more` : `the rest of line ${end} and ${wanted - end} more`;
  return `[${range}; ${missing}: ${more({ ...next })}]`;
}
