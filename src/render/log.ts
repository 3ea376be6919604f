import type { Budget } from "../kernel/budget.ts";
import { counted } from "../kernel/counted.ts";
import type { LogSlice } from "../model/run-report.ts";
import type { LogLine } from "../model/run.ts";
import type { Rendered, View } from "./rendered.ts";
import { endOf } from "./run-head.ts";

/** Lines of a log, as many as the budget holds, and where to go on. */
export function renderLog(slice: LogSlice, { format, budget }: View): Rendered {
  budget.reserve(frameOf(slice, format));
  const shown = fitting(slice, budget, format === "json");
  const cut = shown.length < slice.lines.length;
  const endLine = cut ? (shown.at(-1)?.number ?? slice.startLine - 1) : slice.endLine;
  const part = { ...slice, lines: shown, endLine, hasMore: slice.hasMore || cut };
  const meta = {
    run_id: slice.run.id,
    start_line: part.startLine,
    end_line: endLine,
    total_lines: part.totalLines,
  };
  if (format === "json") return { text: JSON.stringify(jsonOf(part)), meta };
  const lines = shown.map((line) => textOf(line, slice));
  const body =
    format === "markdown" ? ["```", ...lines.map((line) => line.replaceAll("```", "'''")), "```"] : lines;
  const more = part.hasMore ? [`more: startLine=${endLine + 1}`] : [];
  const head = headOf(part);
  return { text: [format === "markdown" ? `## ${head}` : head, ...body, ...more].join("\n"), meta };
}

/** All but the lines, with numbers as long as they can get. */
function frameOf(slice: LogSlice, format: View["format"]): string {
  const longest = { ...slice, endLine: slice.totalLines, hasMore: true, lines: [] };
  if (format === "json") return JSON.stringify(jsonOf(longest));
  return `## ${headOf({ ...longest, lines: slice.lines })}\n\`\`\`\n\`\`\`\nmore: startLine=${slice.totalLines}`;
}

function fitting(slice: LogSlice, budget: Budget, escaped: boolean): LogLine[] {
  const shown: LogLine[] = [];
  for (const line of slice.lines) {
    const text = textOf(line, slice);
    if (!budget.take(escaped ? `${JSON.stringify(text)},` : `${text}\n`)) {
      if (shown.length === 0) shown.push(cutLine(line, budget));
      break;
    }
    shown.push(line);
  }
  return shown;
}

/** A line that alone is too long for the budget is shown as far as it goes. */
function cutLine(line: LogLine, budget: Budget): LogLine {
  // Dense text has hardly fewer characters a token.
  const room = Math.min(budget.remainingTokens, budget.remainingCharacters);
  const left = line.text.length - room;
  return left <= 0 ? line : { ...line, text: `${line.text.slice(0, room)}… (+${left} characters)` };
}

/** Lines that stand alone carry their number. */
function textOf(line: LogLine, { grep }: LogSlice): string {
  return grep === undefined ? line.text : `${line.number}: ${line.text}`;
}

function headOf(slice: LogSlice): string {
  const { run, stream, lines, startLine, endLine, totalLines } = slice;
  const which = stream === "both" ? "" : `${stream} `;
  const about = `run ${run.id}, ${endOf(run)}${lostOf(slice)}`;
  if (totalLines === 0) return `${about}, no ${which}output`;
  const range =
    startLine > totalLines || (lines.length === 0 && slice.grep === undefined)
      ? `no ${which}line from ${startLine} on`
      : slice.grep === undefined
        ? `${which}lines ${startLine}-${endLine}`
        : `${lines.length} of ${slice.matches} matching ${which}lines${startLine > 1 ? ` from ${startLine} on` : ""}`;
  return `${about}, ${range} of ${totalLines}`;
}

/** Lines that its disk did not take. */
function lostOf({ run, stream, totalLines }: LogSlice): string {
  const { lines, stdoutLines, stderrLines } = run.log;
  const written = stream === "both" ? lines : stream === "stdout" ? stdoutLines : stderrLines;
  const lost = run.end === undefined ? 0 : written - totalLines;
  return lost > 0 ? `, ${counted(lost, "line")} could not be kept` : "";
}

function jsonOf(slice: LogSlice): object {
  const { run, lines, startLine, endLine, totalLines, hasMore, matches } = slice;
  return {
    lines: lines.map((line) => textOf(line, slice)),
    startLine,
    endLine,
    totalLines,
    hasMore,
    ...(matches === undefined ? {} : { matches }),
    ...(run.end === undefined ? { status: "running" } : {}),
  };
}
