import type { Budget } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import { maskedAt } from "../../model/masked.ts";
import type { LogSlice } from "../../model/run-report.ts";
import { describeWaiting } from "../../model/waiting.ts";
import type { LogLine } from "../../model/run.ts";
import { fence } from "../fence.ts";
import { endColumn, type LinePlace, type PageLine, pageOf, withCutMark } from "../files/line-page.ts";
import { EVERY_TOOL, type Reader, spellAgain } from "../reader/reader.ts";
import { maskedLines, maskedNoteSample } from "../masked-note.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { stateOfRun, workerOf } from "../run/run-head.ts";

/**
 * Writes as many lines of a log as the budget holds, and the arguments of the call that shows the next ones; of the end
 * of a log, the last lines and the arguments for those before them.
 */
export function renderLog(slice: LogSlice, view: View): Rendered {
  const { format, budget, reader = EVERY_TOOL } = view;
  budget.reserve(frameOf(slice, view) + maskedNoteSample(maskedAt(maskedLines(slice.lines, slice.run))));
  const write = (line: LogLine): string => {
    const text = textOf(line, slice, reader);
    return format === "json" ? `${JSON.stringify(text)},` : `${text}\n`;
  };
  const part = slice.isTail === true ? lastLines(slice, budget, write) : firstLines(slice, budget, write);
  const shown = part.lines;
  const { startLine, endLine, totalLines } = part;
  const meta = { run_id: slice.run.id, start_line: startLine, end_line: endLine, total_lines: totalLines };
  const beside = { meta, masked: maskedAt(maskedLines(shown, slice.run)) };
  if (format === "json") return jsonReply(jsonOf(part, reader), beside);
  const lines = shown.map((line) => textOf(line, part, reader));
  const body = format === "markdown" && lines.length > 0 ? [fence(lines.join("\n"))] : lines;
  const what = part.next !== undefined && part.next.startLine < startLine ? "before" : "more";
  const more = part.next === undefined ? [] : [`${what}: ${spellAgain(reader, part.next)}`];
  const head = headOf(part);
  return { text: [format === "markdown" ? `## ${head}` : head, ...body, ...more].join("\n"), ...beside };
}

/** The lines of a log that fit into the reply, of those that were read. */
interface LogPart extends LogSlice {
  /** The arguments of the call that shows the lines after the shown ones. */
  readonly next?: NextLines;
}

type NextLines = {
  readonly startLine: number;
  readonly column?: number;
  readonly endLine?: number;
};

type WriteLine = (line: LogLine) => string;

function firstLines(slice: LogSlice, budget: Budget, write: WriteLine): LogPart {
  const { shown, next } = pageOf(slice.lines, budget, write);
  return { ...slice, lines: shown, ...breakOff(slice, next, shown) };
}

/** The last lines that fit, with the arguments of the call that shows the requested ones before them. */
function lastLines(slice: LogSlice, budget: Budget, write: WriteLine): LogPart {
  const shown = budget.fit(slice.lines.toReversed(), write).toReversed();
  const [first] = shown;
  const last = slice.lines.at(-1);
  // Of a last line that does not fit by itself, the beginning is shown.
  if (first === undefined && last !== undefined)
    return firstLines({ ...slice, startLine: last.number, lines: [last] }, budget, write);
  if (first === undefined || first.number === slice.startLine) return slice;
  const next = { startLine: slice.startLine, endLine: first.number - 1 };
  return { ...slice, lines: shown, startLine: first.number, hasMore: true, next };
}

/** Finds where the shown lines end, and the arguments of the call that shows the lines after them. */
function breakOff(
  slice: LogSlice,
  next: LinePlace | undefined,
  shown: readonly LogLine[],
): Pick<LogPart, "endLine" | "hasMore" | "next"> {
  const endLine = next === undefined ? slice.endLine : (shown.at(-1)?.number ?? slice.startLine - 1);
  if (next === undefined && !slice.hasMore) return { endLine, hasMore: false };
  const { line = endLine + 1, column } = next ?? {};
  // The lines between two matches of a search have been looked at, so the next page starts right after the last match.
  const startLine = column === undefined ? endLine + 1 : line;
  const end = slice.wantedEnd === undefined ? {} : { endLine: slice.wantedEnd };
  return { endLine, hasMore: true, next: { startLine, ...(column === undefined ? {} : { column }), ...end } };
}

/**
 * The reply without the lines of the log and with the largest possible numbers; its length is reserved in the budget.
 */
function frameOf(slice: LogSlice, { format, reader = EVERY_TOOL }: View): string {
  const { totalLines } = slice;
  const hasEnd = slice.wantedEnd !== undefined || slice.isTail === true;
  const next = { startLine: totalLines, ...(hasEnd ? { endLine: totalLines } : {}) };
  const longest = { ...slice, endLine: totalLines, hasMore: true, lines: [], next };
  if (format === "json") return JSON.stringify(jsonOf(longest, reader));
  return `## ${headOf({ ...longest, lines: slice.lines })}\n\`\`\`\n\`\`\`\nbefore: ${spellAgain(reader, next)}`;
}

/** The text of a line of the log. In the results of a search it begins with the line number. */
function textOf(line: LogLine, { grep, next }: LogPart, reader: Reader): string {
  // If the page ends inside this line, the note below the page names the call for the rest, so the line itself does
  // not.
  const isLast = next?.column !== undefined && next.startLine === line.number;
  const text = withCutMark(line, isLast ? undefined : restOfLine(reader));
  return grep === undefined ? text : `${line.number}: ${text}`;
}

/** The arguments that show the rest of a line. */
export function restOfLine(reader: Reader): (line: PageLine) => string {
  return (line) => spellAgain(reader, { startLine: line.number, column: endColumn(line) });
}

function headOf(slice: LogPart): string {
  const { run, stream, lines, startLine, endLine, totalLines } = slice;
  const column = lines[0]?.column;
  const from = column === undefined ? `${startLine}` : `${startLine} (from column ${column})`;
  const which = stream === "both" ? "" : `${stream} `;
  const lost = lostLines(slice);
  const notKept = lost > 0 ? `${pluralize(lost, "line")} could not be kept` : "";
  const about = [`run ${run.id}`, stateOfRun(run, slice.waiting), workerOf(run), notKept]
    .filter(Boolean)
    .join(", ");
  if (totalLines === 0) return `${about}, no ${which}output`;
  const range =
    startLine > totalLines || (lines.length === 0 && slice.grep === undefined)
      ? `no ${which}line from ${startLine} on`
      : slice.grep === undefined
        ? `${which}lines ${from}-${endLine}`
        : `${lines.length} of ${slice.matches} matching ${which}lines${startLine > 1 ? ` from ${startLine} on` : ""}`;
  return `${about}, ${range} of ${totalLines}`;
}

/** Counts the lines of the output that a full disk did not take, or that its files have lost since. */
function lostLines({ run, stream, totalLines }: LogSlice): number {
  const { lines, stdoutLines, stderrLines } = run.log;
  if (stream === "view" || run.end === undefined) return 0;
  const written = stream === "both" ? lines : stream === "stdout" ? stdoutLines : stderrLines;
  return Math.max(0, written - totalLines);
}

function jsonOf(slice: LogPart, reader: Reader): object {
  const { run, lines, startLine, endLine, totalLines, hasMore, matches, next } = slice;
  const column = lines[0]?.column;
  const lost = lostLines(slice);
  return {
    lines: lines.map((line) => textOf(line, slice, reader)),
    startLine,
    ...(column === undefined ? {} : { column }),
    endLine,
    totalLines,
    ...(lost > 0 ? { lostLines: lost } : {}),
    hasMore,
    ...(next === undefined ? {} : { next }),
    ...(matches === undefined ? {} : { matches }),
    ...(run.end === undefined ? { status: "running" } : {}),
    ...(slice.waiting === undefined ? {} : { waiting: describeWaiting(slice.waiting) }),
  };
}
