import { Budget } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { DiagnosticGroup } from "../../model/diagnostic-group.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { EndCause } from "../../model/run.ts";
import type { TestSummary } from "../../model/test-summary.ts";
import type { Density } from "../list/density.ts";
import { needsTable, renderTable } from "../list/diagnostic-table.ts";
import { countDiagnostics, type RenderedDiagnostics, renderDiagnostics } from "../list/diagnostics.ts";
import { briefGroups, countNotes } from "./brief.ts";
import { disagreementText } from "./disagreements.ts";
import { hiddenLines } from "./hidden-facts.ts";
import type { RunCalls } from "./run-calls.ts";
import { deltaLine } from "./run-delta.ts";
import { flakyLines } from "./flaky.ts";
import { headLine, testLines } from "./run-head.ts";
import { outputSections, type Section } from "./run-output.ts";
import { sinceGreenLines } from "./since-green.ts";
import { renderCauses } from "../failures/failure-causes.ts";
import { type RenderedTests, renderTestFailures } from "../failures/test-failures.ts";

/** An example of the line that says how much of a list was cut; its length is reserved in the budget. */
const CUT_LINE = "shown 1000 of 10000 diagnostics; the rest: build action=log runId=12345678\n";

interface SectionOptions {
  readonly budget: Budget;
  readonly density: Density;
  readonly calls: RunCalls;
  /** The most tokens for each list of findings, if the reply shows their causes instead of all of them. */
  readonly causesTokens: number;
}

interface Sections {
  readonly sections: readonly Section[];
  /** The number of diagnostics and failed tests that did not fit into the reply. */
  readonly missing: number;
}

/** A section of a report that may have been cut. The call that shows the rest is appended to the last cut section. */
type CuttableSection = Section & { readonly isCut?: boolean };

/** Writes the parts of a report below its first line, as much of them as the budget holds. */
export function sectionsOf(report: RunReport, options: SectionOptions): Sections {
  const { budget, density, calls } = options;
  const tests = testLines(report);
  const note = noteOf(report);
  const delta = deltaLine(report);
  const since = sinceGreenLines(report, budget.remainingTokens).join("\n");
  const flaky = flakyLines(report).join("\n");
  const advice = (report.run.findings?.advice ?? []).join("\n");
  const fixed = [
    headLine(report),
    ...tests,
    note,
    delta,
    flaky,
    since,
    advice,
    CUT_LINE.repeat(listsOf(report)),
  ];
  budget.reserve(fixed.join("\n"));
  const lists = [...failureLists(report, options), ...diagnosticLists(report, options)];
  const unread = density === "brief" ? countNotes(report.groups) : 0;
  const sections: CuttableSection[] = [
    { title: "Tests", body: tests.join("\n") },
    { title: "Note", body: note },
    { title: "Delta", body: delta },
    { title: "Flaky", body: flaky },
    { title: "Since green", body: since },
    ...lists.map(listSection),
    { title: "Advice", body: advice },
    { title: "Note", body: notKeptNote(report), isCut: true },
    { title: "Note", body: unread > 0 ? `${pluralize(unread, "note")}: see the log` : "" },
    ...outputSections(report, budget, calls),
  ];
  const missing = lists.reduce((sum, { total, shown }) => sum + total - shown, 0);
  return {
    sections: withRestCall(
      sections.filter(({ body }) => body !== ""),
      calls,
    ),
    missing,
  };
}

/** Appends the call that shows the rest of the cut lists, only once: to the last section that was cut. */
function withRestCall(sections: readonly CuttableSection[], { log }: RunCalls): Section[] {
  const last = sections.findLastIndex(({ isCut }) => isCut === true);
  return sections.map((section, i) => ({
    ...section,
    body: i === last ? `${section.body}; the rest: ${log}` : section.body,
  }));
}

/** Returns the largest number of lists and texts of a report that may have to be cut. */
export function listsOf({ run, groups: { fresh, others }, output }: RunReport): number {
  const runners = run.findings?.tests.filter((one) => one.failures.length > 0).length ?? 0;
  const texts = output.both === undefined ? 0 : 1;
  return Math.max(1, texts + runners + Math.sign(fresh.length) + Math.sign(others.length));
}

/** The entries of a list of findings that fit into the budget, and how many there are. */
interface FittedList {
  readonly title: string;
  readonly heading: string;
  readonly noun: "diagnostics" | "failed tests";
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

function listSection({ title, heading, noun, text, shown, total }: FittedList): CuttableSection {
  if (shown === total) return { title, body: heading + text };
  const body = heading + [text, `shown ${shown} of ${total} ${noun}`].filter(Boolean).join("\n");
  return { title, body, isCut: true };
}

function failureLists(report: RunReport, options: SectionOptions): FittedList[] {
  return (report.run.findings?.tests ?? []).map((one) => ({
    title: `Failed tests (${one.runner})`,
    heading: "",
    noun: "failed tests",
    ...failureList(withNewFirst(one, report), report, options),
  }));
}

/**
 * At the verbosity `minimal` a long list of failed tests is reduced to their causes; higher verbosities list every
 * failed test.
 */
function failureList(
  summary: TestSummary,
  report: RunReport,
  { budget, density, calls, causesTokens: tokens }: SectionOptions,
): RenderedTests {
  const isShort = (): boolean => {
    const { shown, total } = renderTestFailures(summary, new Budget(tokens), density);
    return shown === total;
  };
  if (!showsCausesOf(report) || isShort()) return renderTestFailures(summary, budget, density);
  return renderCauses(summary, budget, { calls, tokens }) ?? renderTestFailures(summary, budget, density);
}

/** Checks whether a reply shows the causes of many findings instead of all of them. */
export function showsCausesOf({ verbosity, showsCauses = verbosity === "minimal" }: RunReport): boolean {
  return showsCauses;
}

function diagnosticLists(report: RunReport, options: SectionOptions): FittedList[] {
  const { budget, density, causesTokens } = options;
  const { fresh, others } = report.groups;
  const both = fresh.length > 0 && others.length > 0;
  const write = (word: string, groups: readonly DiagnosticGroup[]): FittedList[] => {
    if (groups.length === 0) return [];
    const heading = both ? `${word} ${countText(groups)}:\n` : "";
    budget.reserve(heading);
    const shown = density === "brief" ? briefGroups(groups) : groups;
    const isTable = density === "table" || (showsCausesOf(report) && needsTable(shown, causesTokens));
    const table = isTable ? tableOf(groups, options) : undefined;
    const title = both ? `Diagnostics (${word})` : "Diagnostics";
    return [{ title, heading, noun: "diagnostics", ...(table ?? renderDiagnostics(shown, budget)) }];
  };
  return [...write("new", fresh), ...write("unchanged", others)];
}

function tableOf(
  groups: readonly DiagnosticGroup[],
  { budget, calls: { all, narrow }, causesTokens: tokens }: SectionOptions,
): RenderedDiagnostics | undefined {
  const total = countDiagnostics(groups);
  const narrower = narrow === undefined ? "" : `; of one file or rule: add ${narrow}`;
  const text = renderTable(groups, budget, { tokens, closing: `all ${total}: ${all}${narrower}` });
  return text === undefined ? undefined : { text, shown: total, total };
}

/**
 * Counts diagnostics. Those of severity `info` are counted apart, because the first line and the comparison with the
 * previous run count only errors and warnings.
 */
function countText(groups: readonly DiagnosticGroup[]): string {
  const countOf = (isInfo: boolean): number =>
    groups.reduce((sum, group) => sum + ((group.severity === "info") === isInfo ? group.count : 0), 0);
  const [complaints, infos] = [countOf(false), countOf(true)];
  if (infos === 0) return String(complaints);
  return complaints === 0 ? `${infos} info` : `${complaints} + ${infos} info`;
}

/** Counts the diagnostics and failed tests that were found but not stored, because there were too many. */
function notKeptNote({ run }: RunReport): string {
  const { diagnostics = 0, failures = 0 } = run.findings?.notKept ?? {};
  const kinds = [
    diagnostics > 0 && pluralize(diagnostics, "diagnostic"),
    failures > 0 && pluralize(failures, "failed test"),
  ].filter(Boolean);
  return kinds.length === 0 ? "" : `${kinds.join(" and ")} more only in the log`;
}

/** Puts the failed tests that did not fail in the previous run first. */
function withNewFirst<T extends { readonly failures: readonly object[] }>(summary: T, report: RunReport): T {
  const fresh = new Set<object>(report.delta?.fresh.failures);
  if (fresh.size === 0) return summary;
  const failures = [...summary.failures].sort((a, b) => Number(fresh.has(b)) - Number(fresh.has(a)));
  return { ...summary, failures };
}

function noteOf(report: RunReport): string {
  const doubts = report.passed ? [] : report.disagreements.map((one) => `! ${disagreementText(one)}`);
  const notices = [...(report.notices ?? []), ...selectionLine(report)];
  return [...hiddenLines(report), ...doubts, ...detailOf(report), ...notices].join("\n");
}

/** Says how many findings match the regular expression of the caller, because the first line counts all of them. */
function selectionLine({ selection }: RunReport): string[] {
  if (selection === undefined) return [];
  const { pattern, diagnostics, failures } = selection;
  const counts = [
    ...(diagnostics.total > 0 ? [`${diagnostics.shown} of ${diagnostics.total} diagnostics`] : []),
    ...(failures.total > 0 ? [`${failures.shown} of ${failures.total} failed tests`] : []),
  ];
  return [`matching ${JSON.stringify(pattern)}: ${counts.join(", ") || "nothing was found"}`];
}

/** The detail of how a run ended, such as that it ran elsewhere than intended; none if the first line covers it. */
export function detailOf(report: RunReport): string[] {
  const { cause, detail } = report.run.end ?? {};
  const own = detail === undefined || cause === undefined || IN_FIRST_LINE.has(cause) ? [] : [detail];
  return [...own, ...unpreparedLines(report), ...notSentLines(report)];
}

/** Names files that the command missed on the worker although they exist here. */
function notSentLines({ place }: RunReport): string[] {
  const files = place?.notSent ?? [];
  if (files.length === 0) return [];
  const are = files.length === 1 ? "exists here but was" : "exist here but were";
  return [
    `${files.join(", ")} ${are} not sent to the worker: git ignores ${files.length === 1 ? "it" : "them"}`,
  ];
}

/** Says what a worker could not do before the command ran; a successful command did not need it. */
function unpreparedLines({ run, passed }: RunReport): string[] {
  const { cause, prepared = [] } = run.end ?? {};
  if (passed || cause === undefined || IN_FIRST_LINE.has(cause)) return [];
  return prepared.flatMap(({ name, folder, outcome, detail, failedScript }) => {
    const where = folder === "" ? "" : ` in ${folder}`;
    if (outcome === "failed" || outcome === "skipped") return [`${name} prepared nothing${where}: ${detail}`];
    return failedScript === undefined ? [] : [`before the command${where}: ${failedScript}`];
  });
}

/** The ways a run can end for which the first line of the report already has the detail or makes it superfluous. */
const IN_FIRST_LINE: ReadonlySet<EndCause> = new Set([
  "not_found",
  "not_executable",
  "spawn_failed",
  "interrupted",
  "resource_limit",
  "worker_lost",
]);
