import { shapeOf } from "../../kernel/line-shape.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { PruningOutcome, ReplyRoom } from "../../model/pruning.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { LogLine } from "../../model/run.ts";
import { fence } from "../fence.ts";
import { focusDiff } from "../output/focused-diff.ts";
import {
  focusNote,
  gapMark,
  hasNumber,
  keptLines,
  numberedLine,
  partsOf,
  repeatsIn,
  withGaps,
} from "../files/focus.ts";
import { JSON_GAP } from "../files/file-lines.ts";
import { fullOutcome, roomOf } from "../files/room.ts";
import { withCutMark } from "../files/line-page.ts";
import { maskedNoteSample, withRunMasked } from "../masked-note.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { reusedFields, reusedLines } from "./reused.ts";
import { callsOf, type RunCalls } from "./run-calls.ts";
import { hiddenLines } from "./hidden-facts.ts";
import { headLine } from "./run-head.ts";
import { flakyLines } from "./flaky.ts";
import { sinceGreenFields, sinceGreenLines } from "./since-green.ts";
import { outcomeFields } from "./run-outcome.ts";
import { metaOf, renderRun } from "./run.ts";

export interface FocusedRun {
  readonly report: RunReport;
  readonly pruning: PruningOutcome;
  /** The question of the caller, if the output was pruned by it. */
  readonly question?: string | undefined;
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
  const { head, closing, calls } = reserveFrame(focused, view);
  const hunks = fittingHunks(focused, view, calls);
  // The pruner was given the room of the reply, so all that it kept fits.
  const shown = hunks ?? keptLines(lines, pruning);
  const outcome = hunks === undefined ? pruning : asShown(pruning, hunks);
  const meta = { ...metaOf(report), pruning: outcome };
  if (view.format === "json") {
    const json = jsonOf({ ...focused, pruning: outcome }, shown, calls);
    return withRunMasked(jsonReply(json, { meta }), report.run);
  }
  const body = rowsOf(focused, shown, calls).join("\n");
  const parts =
    view.format === "text"
      ? [head, body, closing(shown.length)].join("\n")
      : [`## ${head}`, fence(body), closing(shown.length)].join("\n\n");
  return withRunMasked({ text: parts, meta }, report.run);
}

/** Returns the whole hunks of a diff that answer the question and fit into the budget; undefined for other outputs. */
function fittingHunks(
  { report, lines, pruning, question }: FocusedRun,
  { budget, format }: View,
  calls: RunCalls,
): LogLine[] | undefined {
  if (question === undefined) return undefined;
  const kept = new Set(keptLines(lines, pruning).map(({ number }) => number));
  // What a failed command says besides a diff may be the reason of the failure.
  const isEssential = ({ number }: LogLine): boolean => !report.success && kept.has(number);
  const gap = format === "json" ? JSON_PART_AND_GAP : GAP_SAMPLE;
  const take = (some: readonly LogLine[]): boolean => {
    const isFirst = (index: number): boolean => some[index - 1]?.number !== (some[index]?.number ?? 0) - 1;
    const texts = some.map((line, index) => numbered(line, { isFirst: isFirst(index), calls }));
    // A gap may be before each stretch of lines and after the last one.
    const gaps = [gap, ...some.filter((_, index) => isFirst(index)).map(() => gap)];
    return budget.take([...gaps, ...(format === "json" ? [JSON.stringify(texts)] : texts), ""].join("\n"));
  };
  return focusDiff(lines, { question, take, isEssential });
}

/** An example of the mark of a gap; its length is reserved in the budget. */
const GAP_SAMPLE = `… 12345-12345: 1234 like line 12345`;

/** The outcome of pruning with the shown lines as the kept ones. */
function asShown(pruning: PruningOutcome, shown: readonly LogLine[]): PruningOutcome {
  const kept: [number, number][] = [];
  for (const { number } of shown) {
    const last = kept.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else kept.push([number, number]);
  }
  const tokens = estimateTokens(shown.map(({ text }) => text).join("\n"));
  return { ...pruning, kept, lines_after: shown.length, tokens_after: tokens };
}

interface RunFrame {
  readonly head: string;
  readonly closing: (shown: number) => string;
  readonly calls: RunCalls;
}

/** Writes what a reply has besides the lines of the output, and reserves the budget for it. */
function reserveFrame(focused: FocusedRun, { budget, format, reader }: View): RunFrame {
  const { report, pruning, lines } = focused;
  budget.reserve(maskedNoteSample(report.run.findings?.masked));
  const calls = callsOf(report.run.id, reader);
  const since = [...flakyLines(report), ...sinceGreenLines(report, budget.remainingTokens)];
  const reused = reusedLines(report, reader);
  const head = [...reused, headLine(report), ...hiddenLines(report), ...since].join("\n");
  const closing = (shown: number): string => focusNote(pruning, shown, calls.lines("A", "B")) ?? "";
  const markdown = format === "markdown" ? "##\n\n```\n```\n\n" : "";
  budget.reserve(
    format === "json"
      ? JSON.stringify(jsonOf(focused, [], calls))
      : `${markdown}${head}\n${closing(lines.length)}\n`,
  );
  return { head, closing, calls };
}

/** An example of the note on repeated lines; its length is reserved in the budget. */
const ALIKE = "1234 like line 12345";

/** What a gap costs in JSON, with the frame of the part after it. */
const JSON_PART_AND_GAP = `${JSON.stringify({ start_line: 12_345, end_line: 12_345, content: "" })}${JSON_GAP}`;

/** The room of a reply for the output of a run. */
export function roomForRun(run: Omit<FocusedRun, "pruning">, view: View): ReplyRoom {
  const { lines } = run;
  const size = run.report.run.log.bytes;
  const { calls } = reserveFrame({ ...run, pruning: fullOutcome(lines.length, size) }, view);
  const isJson = view.format === "json";
  const last = { start: lines.length, end: lines.length };
  const mark = isJson ? JSON_PART_AND_GAP : `${gapMark(last, ALIKE)}\n${lines.length}`;
  return roomOf(view.budget, lines, {
    line(line, isFirst) {
      const own = numbered(line, { isFirst: isFirst && !isJson, calls });
      return isJson ? JSON.stringify(own) : `${own}\n`;
    },
    gap: () => mark,
  });
}

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
    return numbered(row.line, { isFirst: row.isFirst, calls });
  });
}

function numbered(
  line: LogLine,
  { isFirst, calls }: { readonly isFirst: boolean; readonly calls: RunCalls },
): string {
  const number = hasNumber(line.number, isFirst) ? line.number : undefined;
  return numberedLine(number, withCutMark(line, calls.restOf));
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
