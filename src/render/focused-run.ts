import { shapeOf } from "../kernel/line-shape.ts";
import type { PruningOutcome } from "../model/pruning.ts";
import type { RunReport } from "../model/run-report.ts";
import { fence } from "./fence.ts";
import { focusNote, logGapMark, stretchesOf } from "./focus.ts";
import type { Rendered, View } from "./rendered.ts";
import { callsOf } from "./run-calls.ts";
import { headLine } from "./run-head.ts";
import { outcomeFields } from "./run-outcome.ts";
import { metaOf, renderRun } from "./run.ts";

export interface FocusedRun {
  readonly report: RunReport;
  readonly pruning: PruningOutcome;
  /** The whole log that was focused; empty where it was not. */
  readonly lines: readonly string[];
}

/** A command's output cut to what answers a question; without pruning, its report as ever. */
export function renderFocusedRun({ report, pruning, lines }: FocusedRun, view: View): Rendered {
  const note = focusNote(pruning);
  if (!pruning.applied) {
    const plain = renderRun(report, view, "job");
    const text = note === undefined || view.format === "json" ? plain.text : `${plain.text}\n${note}`;
    return { text, meta: { ...plain.meta, pruning } };
  }
  const rest = `rest: ${callsOf(report.run.id, view.door).from("N")}`;
  const head = headLine(report);
  view.budget.reserve(`${head}\n${note} ${rest}\n`);
  const body = fittingRows(rowsOf(lines, pruning), view).join("\n");
  return {
    text: written(report, { head, body, tail: `${note} ${rest}` }, pruning, view),
    meta: { ...metaOf(report), pruning },
  };
}

function rowsOf(lines: readonly string[], { kept = [] }: PruningOutcome): readonly string[] {
  const shown = new Map<string, number>();
  return stretchesOf(kept, 1, lines.length).flatMap((stretch) => {
    const part = lines.slice(stretch.start - 1, stretch.end);
    if (!stretch.shown) return [logGapMark(stretch, part, shown)];
    for (const [index, line] of part.entries()) shown.set(shapeOf(line), stretch.start + index);
    return part.map((line, index) => `${stretch.start + index}| ${line}`);
  });
}

/** As many rows as fit; the end of the output matters most, so the middle gives way. */
function fittingRows(rows: readonly string[], { budget, format }: View): readonly string[] {
  const costOf = (row: string): string => (format === "json" ? JSON.stringify(row) : `${row}\n`);
  const tail: string[] = [];
  const half = budget.remainingTokens / 2;
  let last = rows.length;
  while (last > 0 && budget.remainingTokens > half && budget.take(costOf(rows[last - 1] ?? "")))
    tail.unshift(rows[--last] ?? "");
  const head: string[] = [];
  let first = 0;
  while (first < last && budget.take(costOf(rows[first] ?? ""))) head.push(rows[first++] ?? "");
  return first < last
    ? [...head, `… ${last - first} focused rows did not fit: raise max_tokens`, ...tail]
    : [...head, ...tail];
}

function written(
  report: RunReport,
  { head, body, tail }: { head: string; body: string; tail: string },
  pruning: PruningOutcome,
  { format }: View,
): string {
  if (format === "text") return [head, body, tail].join("\n");
  if (format === "markdown") return [`## ${head}`, fence(body), tail].join("\n\n");
  const { run, success } = report;
  return JSON.stringify({ job_id: run.id, success, ...outcomeFields(run), output: body, pruning });
}
