import { shapeOf } from "../../kernel/line-shape.ts";
import type { PruningOutcome } from "../../model/pruning.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { LogLine } from "../../model/run.ts";
import { fence } from "../fence.ts";
import { focusNote, gapMark, keptLines, partsOf, repeatsIn, withGaps } from "../files/focus.ts";
import { withCutMark } from "../files/line-page.ts";
import { maskedNoteSample, withRunMasked } from "../masked-note.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { reusedFields, reusedLines } from "./reused.ts";
import { callsOf, type RunCalls } from "./run-calls.ts";
import { hiddenLines } from "./hidden-facts.ts";
import { headLine } from "./run-head.ts";
import { sinceGreenFields, sinceGreenLines } from "./since-green.ts";
import { outcomeFields } from "./run-outcome.ts";
import { metaOf, renderRun } from "./run.ts";

export interface FocusedRun {
  readonly report: RunReport;
  readonly pruning: PruningOutcome;
  /** The whole log before pruning; empty if it was not pruned. */
  readonly lines: readonly LogLine[];
}

/**
 * Writes the output of a command, reduced to the lines that answer the caller's question. If the output was not pruned,
 * the reply is the usual report.
 */
export function renderFocusedRun(focused: FocusedRun, view: View): Rendered {
  const { report, pruning, lines } = focused;
  if (!pruning.applied) {
    const note = focusNote(pruning);
    const plain = renderRun(report, view, "job");
    const text = note === undefined || view.format === "json" ? plain.text : `${plain.text}\n${note}`;
    return { ...plain, text, meta: { ...plain.meta, pruning } };
  }
  const meta = { ...metaOf(report), pruning };
  view.budget.reserve(maskedNoteSample(report.run.findings?.masked));
  const calls = callsOf(report.run.id, view.reader);
  const since = sinceGreenLines(report, view.budget.remainingTokens);
  const reused = reusedLines(report, view.reader);
  const head = [...reused, headLine(report), ...hiddenLines(report), ...since].join("\n");
  const closing = (shown: number): string => focusNote(pruning, shown, calls.lines("A", "B")) ?? "";
  view.budget.reserve(
    view.format === "json"
      ? JSON.stringify(jsonOf(focused, [], calls))
      : `${head}\n${closing(lines.length)}\n`,
  );
  const shown = fittingLines(focused, view, calls);
  if (view.format === "json")
    return withRunMasked(jsonReply(jsonOf(focused, shown, calls), { meta }), report.run);
  const body = rowsOf(focused, shown, calls).join("\n");
  const parts =
    view.format === "text"
      ? [head, body, closing(shown.length)].join("\n")
      : [`## ${head}`, fence(body), closing(shown.length)].join("\n\n");
  return withRunMasked({ text: parts, meta }, report.run);
}

/**
 * Returns those of the lines kept by the pruner that fit into the budget. Half of the budget is for the end of the
 * output, which matters most.
 */
function fittingLines({ lines, pruning }: FocusedRun, { budget, format }: View, calls: RunCalls): LogLine[] {
  const kept = keptLines(lines, pruning);
  const marks = new Map(
    withGaps(kept, wholeOf(lines)).flatMap((row) =>
      "gap" in row ? [[row.gap.end + 1, `${gapMark(row.gap, ALIKE)}\n`] as const] : [],
    ),
  );
  const costOf = (line: LogLine): string => {
    const own = numbered(line, calls);
    return `${marks.get(line.number) ?? ""}${format === "json" ? JSON.stringify(own) : own}\n`;
  };
  const tail: LogLine[] = [];
  const half = budget.remainingTokens / 2;
  for (const line of [...kept].reverse()) {
    if (budget.remainingTokens <= half || !budget.take(costOf(line))) break;
    tail.unshift(line);
  }
  return [...budget.fit(kept.slice(0, kept.length - tail.length), costOf), ...tail];
}

/** An example of the note on repeated lines; its length is reserved in the budget. */
const ALIKE = "1234 like line 12345";

function wholeOf(lines: readonly LogLine[]): { start: number; end: number } {
  return { start: 1, end: lines.length };
}

/** Writes the shown lines with their numbers, and marks for the gaps between them. */
function rowsOf({ lines }: FocusedRun, shown: readonly LogLine[], calls: RunCalls): readonly string[] {
  const shapes = new Map<string, number>();
  return withGaps(shown, wholeOf(lines)).map((row) => {
    if ("gap" in row) {
      const gone = lines.slice(row.gap.start - 1, row.gap.end).map(({ text }) => text);
      return gapMark(row.gap, repeatsIn(gone, shapes));
    }
    shapes.set(shapeOf(row.line.text), row.line.number);
    return numbered(row.line, calls);
  });
}

function numbered(line: LogLine, calls: RunCalls): string {
  return `${line.number}| ${withCutMark(line, calls.restOf)}`;
}

/** The fields of the JSON reply: the kept lines as ranges with their line numbers, and the ranges that are left out. */
function jsonOf({ report, pruning, lines }: FocusedRun, shown: readonly LogLine[], calls: RunCalls): object {
  const { run, success } = report;
  const since = sinceGreenFields(report);
  const rows = withGaps(shown, wholeOf(lines));
  return {
    job_id: run.id,
    success,
    ...outcomeFields(run),
    ...reusedFields(report),
    ...(since === undefined ? {} : { since_green: since }),
    ...partsOf(rows, (line) => withCutMark(line, calls.restOf)),
    total_lines: lines.length,
    pruning,
  };
}
