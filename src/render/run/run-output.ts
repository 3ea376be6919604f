import type { Budget } from "../../kernel/budget.ts";
import { firstCharacters } from "../../kernel/characters.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { Excerpt, LogLine, LogName } from "../../model/run.ts";
import { cutText } from "./excerpt.ts";
import { withCutMark } from "../files/line-page.ts";
import { MAX_LISTED } from "../list/diagnostic-table.ts";
import { fitOutput, isFolded, writeRow } from "../output/fit-output.ts";
import type { OutputRow } from "../output/output-row.ts";
import type { RunCalls } from "./run-calls.ts";
import { isOneLine } from "./run-head.ts";

/** A part of a report on a run. In Markdown its title becomes a heading. */
export interface Section {
  readonly title: string;
  readonly body: string;
  /** True for the whole output in a form that stands for more lines than it shows. */
  readonly isFolded?: boolean;
}

/** The titles of those sections of a report that hold raw lines of the output. */
export const OUTPUT_TITLES: ReadonlySet<string> = new Set(["Output", "stdout", "stderr"]);

/**
 * The most output that a reply shows, by how well the parsed findings (diagnostics and failed tests) explain the
 * outcome.
 */
const REST_LIMITS = {
  passed: { tokens: 120, lines: 8 },
  explained: { tokens: 300, lines: 20 },
  disputed: { tokens: 300, lines: 20 },
  /** For a reply with a long list of diagnostics, which leaves room only for the very end of the output. */
  disputedList: { tokens: 60, lines: 4 },
  /** For a failure without any finding. Lines that look like errors are then shown even from the part that is cut. */
  unexplained: { tokens: 600, lines: 40 },
  whole: { tokens: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY },
} as const;

interface SectionLimits {
  readonly tokens: number;
  readonly lines: number;
  /** The most that a section may take of the budget that is left, as a fraction (default: 1). */
  readonly share?: number;
  /** The output stream whose line numbers are used (default: numbers over both streams together). */
  readonly stream?: LogName;
}

/** The sections of a report that show output, depending on its verbosity and on the outcome of the run. */
export function outputSections(report: RunReport, budget: Budget, calls: RunCalls): Section[] {
  const { output, verbosity, run } = report;
  let hasFolds = false;
  const at = (excerpt: Excerpt | undefined, { share = 1, stream, ...limits }: SectionLimits): string => {
    if (excerpt === undefined || excerpt.total === 0) return "";
    const tokens = Math.min(limits.tokens, budget.remainingTokens * share - 40);
    const suspects = explanationOf(report) === "unexplained" ? run.findings?.suspects : undefined;
    const { text, isFolded: isTextFolded } = fittedText(excerpt, {
      calls,
      tokens,
      lines: limits.lines,
      isWhole: verbosity === "full" && limits.lines === Number.POSITIVE_INFINITY,
      ...(stream === undefined ? {} : { stream }),
      ...(suspects === undefined ? {} : { suspects }),
    });
    budget.reserve(`${text}\n`);
    hasFolds ||= isTextFolded;
    return text;
  };
  const all = REST_LIMITS.whole;
  if (report.view !== undefined) return viewSections(report, at);
  if (verbosity === "full") {
    const body = at(output.both, all);
    return [{ title: "Output", body, isFolded: hasFolds }];
  }
  if (verbosity === "minimal" && isOneLine(report))
    return [{ title: "Output", body: at({ total: 1, first: report.raw ?? [], last: [] }, all) }];
  const isGreen = report.passed || (report.success && report.disagreements.length === 0);
  const kind = isGreen ? "passed" : explanationOf(report);
  // The verbosity `normal` shows the end of stdout anyway. The streams are then shown separately, so that no line
  // appears twice.
  const showsBoth = verbosity === "minimal" && (kind === "unexplained" || kind === "disputed");
  const isLong = (run.findings?.diagnostics.length ?? 0) >= MAX_LISTED;
  const limits = REST_LIMITS[kind === "disputed" && isLong ? "disputedList" : kind];
  const tail = isLong && kind === "disputed" ? unclaimedOf(report) : output.both;
  const stderr = run.findings?.unclaimed.stderr ?? output.stderr;
  const sections: Section[] = showsBoth
    ? [{ title: "Output", body: at(tail, limits) }]
    : [{ title: "stderr", body: at(stderr, { ...limits, share: verbosity === "normal" ? 0.5 : 1 }) }];
  if (verbosity === "normal")
    sections.push({ title: "stdout", body: at(output.stdout, { ...all, stream: "stdout" }) });
  return sections;
}

type WriteExcerpt = (excerpt: Excerpt | undefined, limits: SectionLimits) => string;

/**
 * The output that the filters of the command line let through (as in `make | grep error`). A failure without an
 * explanation also shows the end of the recorded, unfiltered output.
 */
function viewSections(report: RunReport, at: WriteExcerpt): Section[] {
  const { output, success, view } = report;
  const shown = {
    title: "Output",
    body: at(view?.both, { ...REST_LIMITS.whole, stream: "view", share: 0.6 }),
  };
  if (success || explanationOf(report) !== "unexplained") return [shown];
  const record = at(output.both, REST_LIMITS.unexplained);
  return record === "" ? [shown] : [shown, { title: "Record", body: `recorded:\n${record}` }];
}

/** The end of the output, without lines that were parsed into diagnostics. */
function unclaimedOf({ run }: RunReport): Excerpt | undefined {
  const { stdout, stderr } = run.findings?.unclaimed ?? {};
  if (stdout === undefined || stderr === undefined) return undefined;
  const last = [...stdout.first, ...stdout.last, ...stderr.first, ...stderr.last]
    .sort((one, other) => one.number - other.number)
    .slice(-REST_LIMITS.disputedList.lines);
  return { total: last.length, first: [], last };
}

/**
 * Says whether the findings (diagnostics and failed tests) explain why a run failed, and whether the other evidence
 * agrees with them.
 */
function explanationOf({ disagreements, run }: RunReport): "explained" | "disputed" | "unexplained" {
  const { error = 0, warning = 0, info = 0 } = run.findings?.counts ?? {};
  const failures = (run.findings?.tests ?? []).reduce((sum, one) => sum + one.failures.length, 0);
  // Without errors, warnings are the likely reason of a failure, because linters may fail on warnings.
  if (error + failures === 0) return warning + info > 0 ? "disputed" : "unexplained";
  return disagreements.length === 0 ? "explained" : "disputed";
}

interface OutputLimits {
  readonly calls: RunCalls;
  readonly tokens: number;
  readonly lines: number;
  /** True if the caller asked for the whole output. */
  readonly isWhole?: boolean;
  /** The output stream whose line numbers are used (default: numbers over both streams together). */
  readonly stream?: LogName;
  /**
   * Lines that look like errors. Those in the part that is cut are shown one by one, with their numbers in the whole
   * log.
   */
  readonly suspects?: readonly LogLine[];
}

/** Cuts output to a size. Repeated lines are folded, and every mark names the lines that it stands for. */
export function outputText(excerpt: Excerpt, limits: OutputLimits): string {
  return fittedText(excerpt, limits).text;
}

function fittedText(
  excerpt: Excerpt,
  limits: OutputLimits,
): { readonly text: string; readonly isFolded: boolean } {
  const { calls, lines, isWhole = false, stream, suspects } = limits;
  const tokens = Math.max(20, limits.tokens);
  const write = (line: LogLine): string => withCutMark(line, (one) => calls.restOf(one, stream));
  const shown = fitOutput(excerpt, { tokens, lines, isWhole, write, seeLines: seeLinesNote(calls, stream) });
  const text = cutText(shown.cut, writeRow, (gap) => {
    const hidden =
      shown.isDiff === true
        ? []
        : stream === undefined
          ? hiddenSuspects(gap, excerpt, suspects)
          : suspectsOf(stream, [...shown.cut.head, ...shown.cut.tail], suspects);
    const errors = hidden.map((line) => `  ${line.number}: ${line.text}`);
    const mark = `… ${pluralize(gap.lines, "line")} cut: ${calls.lines(gap.from, gap.to, stream)}`;
    return [mark, ...errors].join("\n");
  });
  return { text: shown.note === "" ? text : `${text}\n${shown.note}`, isFolded: isFolded(shown) };
}

/** The line that says which call shows the lines whose numbers a mark names. */
function seeLinesNote(calls: RunCalls, stream: LogName | undefined): string {
  return `[to see lines A-B: ${calls.lines("A", "B", stream)}]`;
}

const SUSPECT = /\b(?:\w*error|fatal|panic\w*|\w*exception|failed|cannot|could not)\b/i;
const MAX_SUSPECTS = 6;
const MAX_SUSPECT = 200;

function hiddenSuspects(
  gap: { readonly from: number; readonly to: number },
  excerpt: Excerpt,
  suspects: readonly LogLine[] | undefined,
): LogLine[] {
  if (suspects === undefined) return [];
  const seen = [...excerpt.first, ...excerpt.last].filter((line) => SUSPECT.test(line.text));
  const byNumber = new Map([...suspects, ...seen].map((line) => [line.number, line]));
  return firstSuspects(
    [...byNumber.values()].filter((line) => line.number >= gap.from && line.number <= gap.to),
  );
}

/**
 * The lines of one stream that look like errors and are not shown. They are compared by text, because the lines of one
 * stream are numbered differently from those of the whole log.
 */
function suspectsOf(
  stream: LogName,
  shown: readonly OutputRow[],
  suspects: readonly LogLine[] = [],
): LogLine[] {
  const texts = shown.flatMap(({ text }) => text.split("\n"));
  const isShown = (suspect: LogLine): boolean => texts.some((text) => text.startsWith(suspect.text));
  return firstSuspects(suspects.filter((one) => one.stream === stream && !isShown(one)));
}

function firstSuspects(lines: readonly LogLine[]): LogLine[] {
  return [...lines]
    .sort((one, other) => one.number - other.number)
    .slice(0, MAX_SUSPECTS)
    .map((line) => ({ ...line, text: shortened(line.text) }));
}

/** The beginning of a line that looks like an error, which is enough to decide whether to read on in the log. */
function shortened(text: string): string {
  const shown = firstCharacters(text.trim(), MAX_SUSPECT);
  return shown === text.trim() ? shown : `${shown}…`;
}
