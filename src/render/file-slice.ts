import type { Budget } from "../kernel/budget.ts";
import type { FileSlice } from "../model/file-slice.ts";
import type { PruningOutcome } from "../model/pruning.ts";
import { fence } from "./fence.ts";
import { focusNote, gapMark, stretchesOf } from "./focus.ts";
import type { Rendered, View } from "./rendered.ts";
import { shownPath } from "./shown-path.ts";

export interface FileReply {
  readonly slice: FileSlice;
  readonly pruning: PruningOutcome;
}

/** Room for the line that says what is missing. */
const NOTE_ROOM = "[lines 1234567-1234567 of 1234567; more: start_line=1234567 end_line=1234567]\n".repeat(2);

/** Lines of a file, numbered, as many as the budget holds; what is missing is named with the call that gets it. */
export function renderFileSlice({ slice, pruning }: FileReply, { format, budget }: View): Rendered {
  budget.reserve(NOTE_ROOM);
  if (format === "json") budget.reserve(JSON.stringify({ ...slice, lines: [], pruning }));
  const page = fitting(slice, pruning, budget, format === "json");
  const facts = factsOf(slice, page.end);
  const meta = { ...facts, pruning };
  const focus = focusNote(pruning);
  const tail = [...notes(slice, page.end), ...(focus === undefined ? [] : [focus])];
  switch (format) {
    case "json":
      return {
        text: JSON.stringify({ ...facts, content: page.rows.map(contentOf).join("\n"), pruning }),
        meta,
      };
    case "markdown":
      return {
        text: [`## ${shownPath(slice.path)}`, "", fence(page.rows.map(contentOf).join("\n")), ...tail].join(
          "\n",
        ),
        meta,
      };
    case "text":
      return { text: [...page.rows.map(textOf), ...tail].join("\n"), meta };
    default:
      return format satisfies never;
  }
}

/** A line with its number, or the mark of a gap. */
type Row = { readonly number: number; readonly text: string } | { readonly gap: string };

function textOf(row: Row): string {
  return "gap" in row ? row.gap : `${row.number}| ${row.text}`;
}

function contentOf(row: Row): string {
  return "gap" in row ? row.gap : row.text;
}

/** The rows that fit, and the last line they account for. */
function fitting(
  slice: FileSlice,
  pruning: PruningOutcome,
  budget: Budget,
  escaped: boolean,
): { rows: Row[]; end: number } {
  const rows: Row[] = [];
  let end = slice.startLine - 1;
  for (const row of rowsOf(slice, pruning)) {
    // JSON doubles quotes and backslashes, so its lines are measured as they will be written.
    if (!budget.take(`${escaped ? JSON.stringify(textOf(row)) : textOf(row)}\n`)) break;
    rows.push(row);
    end = "gap" in row ? row.end : row.number;
  }
  return { rows, end: rows.length === 0 ? 0 : end };
}

function* rowsOf(slice: FileSlice, { kept }: PruningOutcome): Generator<Row & { readonly end: number }> {
  const whole = [{ shown: true, start: slice.startLine, end: slice.endLine }];
  const stretches = kept === undefined ? whole : stretchesOf(kept, slice.startLine, slice.endLine);
  for (const stretch of stretches) {
    const lines = slice.lines.slice(stretch.start - slice.startLine, stretch.end - slice.startLine + 1);
    if (!stretch.shown) yield { gap: gapMark(stretch, lines), end: stretch.end };
    else
      for (const [index, text] of lines.entries())
        yield { number: stretch.start + index, text, end: stretch.start + index };
  }
}

function factsOf(slice: FileSlice, end: number): Readonly<Record<string, unknown>> {
  const wanted = Math.max(slice.requestedEndLine, slice.endLine);
  const next = end < wanted ? Math.max(end + 1, slice.startLine) : undefined;
  return {
    path: slice.path,
    start_line: slice.startLine,
    end_line: end,
    total_lines: slice.totalLines,
    ...(slice.totalIsExact ? {} : { total_lines_at_least: true }),
    ...(next === undefined ? {} : { next_start_line: next, lines_left_out: wanted - end }),
    ...(slice.encoding === "utf-8" ? {} : { encoding: slice.encoding }),
    ...(slice.lineEnds === "lf" ? {} : { line_ends: slice.lineEnds }),
    ...(slice.undecodable === 0 ? {} : { undecodable_bytes: slice.undecodable }),
    ...(slice.clipped.length === 0 ? {} : { clipped_lines: slice.clipped }),
    ...(slice.changedWhileReading ? { changed_while_reading: true } : {}),
  };
}

/** Only what is not as expected. */
function notes(slice: FileSlice, end: number): readonly string[] {
  const wanted = Math.max(slice.requestedEndLine, slice.endLine);
  const total = `${slice.totalIsExact ? "" : "at least "}${slice.totalLines}`;
  const lines: string[] = [];
  if (slice.totalLines === 0) lines.push("[empty file]");
  else if (end < wanted) lines.push(cutNote(slice, end, wanted, total));
  else if (slice.startLine > 1 || end < slice.totalLines || !slice.totalIsExact)
    lines.push(`[of ${total} lines]`);
  if (slice.lineEnds !== "lf")
    lines.push(`[${slice.lineEnds === "crlf" ? "CRLF" : "mixed LF and CRLF"} line ends]`);
  if (slice.encoding !== "utf-8") lines.push(`[${slice.encoding}]`);
  if (slice.undecodable > 0)
    lines.push(`[${slice.undecodable} bytes are not valid ${slice.encoding}, shown as \uFFFD]`);
  if (slice.clipped.length > 0) lines.push(`[${slice.clipped.length} long lines clipped, marked …]`);
  if (slice.changedWhileReading) lines.push("[the file changed while it was read]");
  return lines;
}

function cutNote(slice: FileSlice, end: number, wanted: number, total: string): string {
  const next = Math.max(end + 1, slice.startLine);
  const shown = end === 0 ? "no line fits" : `lines ${slice.startLine}-${end} of ${total}`;
  return `[${shown}; ${wanted - next + 1} more: start_line=${next} end_line=${wanted}]`;
}
