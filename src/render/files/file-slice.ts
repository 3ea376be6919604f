import type { FileSlice } from "../../model/file-slice.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import { maskedAt, type MaskedSecret } from "../../model/masked.ts";
import type { PruningOutcome } from "../../model/pruning.ts";
import { fence } from "../fence.ts";
import type { FileReply } from "./file-reply.ts";
import { focusNote, gapMark, partsOf, type Row } from "./focus.ts";
import type { PageLine } from "./line-page.ts";
import { clippedOf, gapCall, lineText, type MoreWords, moreWords } from "./file-lines.ts";
import { type ShownPart, shownPart } from "./shown-part.ts";
import { packageFields, packageNote } from "../code/package-note.ts";
import { EVERY_TOOL, type Reader, spellFor } from "../reader/reader.ts";
import { maskedNoteSample } from "../masked-note.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { callsOf, describeFollowing } from "../run/run-calls.ts";
import { shownPath } from "../shown-path.ts";

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
  const facts = { ...factsOf(shown, slice), ...also, ...packageFields(reply.package) };
  const beside = { meta: { ...facts, pruning }, masked: maskedAt(maskedIn(shown.lines, slice)) };
  if (format === "json") return jsonReply({ ...facts, ...contentOf(shown, pruning), pruning }, beside);
  const rows = shown.rows.map((row) => rowText(row, { shown, reply, more }));
  const focus = focusNote(pruning, shown.lines.length, gapCall(more));
  const tail = [...notes(shown, reply, { more, reader }), ...(focus === undefined ? [] : [focus])];
  if (format === "text") return { text: [...head, ...rows, ...tail].join("\n"), ...beside };
  const heading = [`## ${shownPath(slice.path)}`, ...packageNote(reply.package), ""];
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
function frameOf(reply: FileReply, view: View, more: MoreWords): string {
  const { slice } = reply;
  const end = slice.requestedEndLine;
  const next = { start_line: end, column: 1, end_line: end };
  const cut = { lines: [], rows: [], end, wanted: end, next, isFolded: false, aboutGap: () => "" };
  const frame = frameWith(cut, reply, { view, more });
  if (reply.outline === undefined) return frame;
  // The reply is either cut or folded; of a file that was not read to its end, it may be both.
  const { next: _none, ...whole } = cut;
  const isPartly = slice.endLine < end;
  const folded = frameWith({ ...(isPartly ? cut : whole), isFolded: true }, reply, { view, more });
  return estimateTokens(folded) > estimateTokens(frame) ? folded : frame;
}

function frameWith(
  shown: ShownPart,
  reply: FileReply,
  { view, more }: { readonly view: View; readonly more: MoreWords },
): string {
  const { slice, pruning } = reply;
  const { format, reader = EVERY_TOOL } = view;
  if (format === "json")
    return JSON.stringify({
      ...factsOf(shown, slice),
      ...packageFields(reply.package),
      ...contentOf(shown, pruning),
      pruning,
    });
  const heading = format === "markdown" ? [`## ${slice.path}`, "```", "```"] : [];
  return [
    ...heading,
    ...packageNote(reply.package),
    ...notes(shown, reply, { more, reader }),
    focusNote(pruning, shown.end, gapCall(more)) ?? "",
  ].join("\n");
}

/**
 * The line above the content that names the file and its lines. It is needed if the caller named only a symbol, or if
 * the reply holds several parts.
 */
function headOf({ slice, symbol, isOneOfSeveral = false, package: found }: FileReply): readonly string[] {
  const version = packageNote(found).map((note) => ` ${note}`);
  if (symbol !== undefined) return [[symbolLine(symbol), ...version].join("")];
  const lines = slice.lines.length === 0 ? "" : `:${slice.startLine}-${slice.endLine}`;
  return isOneOfSeveral || found !== undefined
    ? [[`${shownPath(slice.path)}${lines}`, ...version].join("")]
    : [];
}

/** The place of a symbol's definition, which is shown because the caller did not name the file. */
function symbolLine({ place, others }: NonNullable<FileReply["symbol"]>): string {
  return others.length === 0 ? place : `${place} (also ${others.join(", ")})`;
}

interface RowContext {
  readonly shown: ShownPart;
  readonly reply: FileReply;
  readonly more: MoreWords;
}

function rowText(
  row: Row<PageLine>,
  { shown: { next, aboutGap }, reply: { pruning }, more }: RowContext,
): string {
  if ("gap" in row) return gapMark(row.gap, aboutGap(row.gap));
  // If the reply ends inside this line, the note below the lines names the call for the rest, so the line itself does
  // not.
  const isBrokenOff = next?.column !== undefined && next.start_line === row.line.number;
  return lineText(row, { pruning, more, isBrokenOff });
}

/** The lines of the file in JSON: one text or, after pruning or folding, the shown ranges of lines and those left out. */
function contentOf({ lines, rows, isFolded, aboutGap }: ShownPart, { applied }: PruningOutcome): object {
  const textOf = ({ text }: PageLine): string => text;
  if (!applied && !isFolded) return { content: lines.map(textOf).join("\n") };
  return partsOf(rows, textOf, (gap) => {
    const names = aboutGap(gap);
    return names === "" ? {} : { names };
  });
}

function factsOf(
  { lines, end, wanted, next, isFolded }: ShownPart,
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
    ...(isFolded && { folded: true }),
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
  if (shown.isFolded) lines.push(foldNote(shown, slice, { more, reader }));
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

/** Says that a file is shown folded, and how to see what is left out: by its lines, or a definition by its name. */
function foldNote(
  { lines, end }: ShownPart,
  { path }: FileSlice,
  { more, reader }: { readonly more: MoreWords; readonly reader: Reader },
): string {
  const byName = spellFor(reader)({ tool: "read", args: { file_path: `${path}#NAME` } });
  const ways = [gapCall(more), ...(byName === undefined ? [] : [byName])].join(" or ");
  return `[folded: ${lines.length} of ${end} lines; … A-B is left out: ${ways}]`;
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
