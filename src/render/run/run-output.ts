import type { Budget } from "../../kernel/budget.ts";
import { firstCharacters } from "../../kernel/characters.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { Excerpt, LogLine, LogName } from "../../model/run.ts";
import { cutExcerpt, cutText } from "./excerpt.ts";
import { withCutMark } from "../files/line-page.ts";
import { LONG_LIST } from "../list/density.ts";
import type { RunCalls } from "./run-calls.ts";
import { isOneLine } from "./run-head.ts";

/** A part of a report, which has a heading in Markdown. */
export interface Section {
  readonly title: string;
  readonly body: string;
}

/** The titles of sections that hold raw lines of the output. */
export const OUTPUT_TITLES: ReadonlySet<string> = new Set(["Output", "stdout", "stderr"]);

/** Limits on the output in a reply, by how well the findings explain the outcome. */
const REST_LIMITS = {
  passed: { tokens: 120, lines: 8 },
  explained: { tokens: 300, lines: 20 },
  disputed: { tokens: 300, lines: 20 },
  /** Beside a long list only the very end of the output is shown. */
  disputedList: { tokens: 60, lines: 4 },
  /** An unexplained failure also shows lines of the cut part that look like errors. */
  unexplained: { tokens: 600, lines: 40 },
  whole: { tokens: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY },
} as const;

interface SectionLimits {
  readonly tokens: number;
  readonly lines: number;
  /** The share of the remaining budget. */
  readonly share?: number;
  /** The stream that the line numbers refer to (default: both streams together). */
  readonly stream?: LogName;
}

/** The parts of the output that a report shows, depending on its verbosity and the outcome. */
export function outputSections(report: RunReport, budget: Budget, calls: RunCalls): Section[] {
  const { output, verbosity, run } = report;
  const at = (excerpt: Excerpt | undefined, { share = 1, stream, ...limits }: SectionLimits): string => {
    if (excerpt === undefined || excerpt.total === 0) return "";
    const tokens = Math.min(limits.tokens, budget.remainingTokens * share - 40);
    const suspects = explanationOf(report) === "unexplained" ? run.findings?.suspects : undefined;
    const text = outputText(excerpt, {
      calls,
      tokens,
      lines: limits.lines,
      ...(stream === undefined ? {} : { stream }),
      ...(suspects === undefined ? {} : { suspects }),
    });
    budget.reserve(`${text}\n`);
    return text;
  };
  const all = REST_LIMITS.whole;
  if (report.view !== undefined) return viewSections(report, at);
  if (verbosity === "full") return [{ title: "Output", body: at(output.both, all) }];
  if (verbosity === "minimal" && isOneLine(report))
    return [{ title: "Output", body: at({ total: 1, first: report.raw ?? [], last: [] }, all) }];
  const isGreen = report.passed || (report.success && report.disagreements.length === 0);
  const kind = isGreen ? "passed" : explanationOf(report);
  // `normal` shows the end of stdout anyway, so its streams are shown separately and no line appears twice.
  const showsBoth = verbosity === "minimal" && (kind === "unexplained" || kind === "disputed");
  const isLong = (run.findings?.diagnostics.length ?? 0) >= LONG_LIST;
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

/** The output of the filters of the command line. An unexplained failure also shows the end of the recorded output. */
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

/** The end of the output without the lines that were parsed into diagnostics. */
function unclaimedOf({ run }: RunReport): Excerpt | undefined {
  const { stdout, stderr } = run.findings?.unclaimed ?? {};
  if (stdout === undefined || stderr === undefined) return undefined;
  const last = [...stdout.first, ...stdout.last, ...stderr.first, ...stderr.last]
    .sort((one, other) => one.number - other.number)
    .slice(-REST_LIMITS.disputedList.lines);
  return { total: last.length, first: [], last };
}

/** Checks whether the findings explain a failure, and whether all evidence agrees with them. */
function explanationOf({ disagreements, run }: RunReport): "explained" | "disputed" | "unexplained" {
  const { error = 0, warning = 0, info = 0 } = run.findings?.counts ?? {};
  const failures = (run.findings?.tests ?? []).reduce((sum, one) => sum + one.failures.length, 0);
  // Linters may fail because of warnings, which are then the likely reason.
  if (error + failures === 0) return warning + info > 0 ? "disputed" : "unexplained";
  return disagreements.length === 0 ? "explained" : "disputed";
}

interface OutputLimits {
  readonly calls: RunCalls;
  readonly tokens: number;
  readonly lines: number;
  /** The stream that the line numbers refer to (default: both streams together). */
  readonly stream?: LogName;
  /** Lines that look like errors. Those in the cut part are shown individually, with their numbers in the whole log. */
  readonly suspects?: readonly LogLine[];
}

/** Cuts output to a size and marks the gap with its lines and the call that shows them. */
export function outputText(excerpt: Excerpt, limits: OutputLimits): string {
  const { calls, tokens, lines, stream, suspects } = limits;
  const write = (line: LogLine): string => withCutMark(line, (one) => calls.restOf(one, stream));
  const cut = cutExcerpt(excerpt, { tokens: Math.max(20, tokens), lines, write });
  return cutText(cut, write, (gap) => {
    const hidden =
      stream === undefined
        ? hiddenSuspects(gap, excerpt, suspects)
        : suspectsOf(stream, [...cut.head, ...cut.tail], suspects);
    const errors = hidden.map((line) => `  ${line.number}: ${line.text}`);
    const mark = `… ${pluralize(gap.lines, "line")} cut: ${calls.lines(gap.from, gap.to, stream)}`;
    return [mark, ...errors].join("\n");
  });
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

/** The suspects of one stream that are not shown. They are compared by text, because one stream is numbered differently from the whole log. */
function suspectsOf(
  stream: LogName,
  shown: readonly LogLine[],
  suspects: readonly LogLine[] = [],
): LogLine[] {
  const isShown = (suspect: LogLine): boolean => shown.some((line) => line.text.startsWith(suspect.text));
  return firstSuspects(suspects.filter((one) => one.stream === stream && !isShown(one)));
}

function firstSuspects(lines: readonly LogLine[]): LogLine[] {
  return [...lines]
    .sort((one, other) => one.number - other.number)
    .slice(0, MAX_SUSPECTS)
    .map((line) => ({ ...line, text: shortened(line.text) }));
}

/** The beginning of a suspect line, which is enough to decide whether to look at it. */
function shortened(text: string): string {
  const shown = firstCharacters(text.trim(), MAX_SUSPECT);
  return shown === text.trim() ? shown : `${shown}…`;
}
