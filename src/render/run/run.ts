import { Budget, TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { DiagnosticGroup } from "../../model/diagnostic-group.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { EndCause } from "../../model/run.ts";
import { briefGroups, notesIn } from "./brief.ts";
import { renderDiagnostics } from "../list/diagnostics.ts";
import { renderTestFailures } from "./test-failures.ts";
import { fence } from "../fence.ts";
import { withMark } from "../files/line-page.ts";
import { type Manner, writeList } from "../list/long-list.ts";
import { nextLower } from "./lower-level.ts";
import { maskedRoom, withRunMasked } from "../masked-note.ts";
import type { Rendered, View } from "../rendered.ts";
import { callsOf, followWords, type RunCalls } from "./run-calls.ts";
import {
  endOf,
  headLine,
  hiddenLines,
  isOneLine,
  isUnjudged,
  runName,
  secondsOf,
  silenceOf,
  stateOf,
  testLines,
} from "./run-head.ts";
import { deltaLine, namedDelta, shortDelta } from "./run-delta.ts";
import { type JsonShape, runJson } from "./run-json.ts";
import { outcomeFields } from "./run-outcome.ts";
import { OUTPUT_TITLES, outputSections, outputText, type Section } from "./run-output.ts";

/** The line that says what was cut. */
const NOTE = "shown 1000 of 10000 diagnostics; the rest: build action=log runId=12345678\n";
/** What a run has to say, in the fewest words that say all of it. */
export function renderRun(report: RunReport, view: View, shape: JsonShape = "build"): Rendered {
  const meta = metaOf(report);
  view.budget.reserve(maskedRoom(report.run.findings?.masked));
  const isRunning = report.run.end === undefined && view.format !== "json";
  const text = isRunning ? runningText(report, view) : levelText(report, view, shape);
  return withRunMasked({ text, meta }, report.run);
}

/** A level never says less than the one below it, however the budget cuts each of them. */
function levelText(report: RunReport, view: View, shape: JsonShape): string {
  const text = view.format === "json" ? runJson(report, view, shape) : endedText(report, view);
  if (report.run.end === undefined || isSurelyMore(report, text, view)) return text;
  const lower = nextLower(report);
  if (lower === undefined) return text;
  const below = levelText(lower, view, shape);
  return estimateTokens(below) > estimateTokens(text) ? below : text;
}

/** With room to spare nothing was cut, and then only a `normal` reply lacks something: both streams in their order. */
function isSurelyMore({ verbosity, output }: RunReport, text: string, { budget }: View): boolean {
  const hasRoom = estimateTokens(text) < budget.remainingTokens / 2;
  return hasRoom && !(verbosity === "normal" && output.both !== undefined);
}

function endedText(report: RunReport, view: View): string {
  const short = view.format === "text" ? asRaw(report, view) : undefined;
  const text = writeList(report, (manner) => {
    const budget = new Budget(view.budget.remainingTokens);
    if (view.format === "markdown") budget.reserve(markdownFrame(report));
    const calls = callsOf(report.run.id, view.reader);
    const { sections, missing } = sectionsOf(report, { budget, manner, calls });
    const written = view.format === "markdown" ? markdown(report, sections) : plain(report, sections);
    return { text: written, missing };
  });
  if (short === undefined) return text;
  return isOneLine(report) || estimateTokens(short) < estimateTokens(text) ? short : text;
}

function plain(report: RunReport, sections: readonly Section[]): string {
  const parts = sections.map(({ title, body }, index) =>
    // Lines of the output are told from what is said of it.
    index > 0 && OUTPUT_TITLES.has(title) ? `${title.toLowerCase()}:\n${body}` : body,
  );
  return [headLine(report), ...parts].join("\n");
}

function markdown(report: RunReport, sections: readonly Section[]): string {
  const parts = sections.map(({ title, body }) => `### ${title}\n\n${fence(body)}`);
  return [`## ${headLine(report)}`, `\`${report.run.command.replaceAll("`", "'")}\``, ...parts].join("\n\n");
}

/** What headings and fences take. */
function markdownFrame(report: RunReport): string {
  return `## \n\n\`${report.run.command}\`\n\n${"### Diagnostics (new)\n\n```\n\n```\n\n".repeat(listsOf(report))}`;
}

/** Of a run that goes on: how to follow it, and its last lines. */
function runningText(report: RunReport, { budget, reader }: View): string {
  const { run } = report;
  const calls = callsOf(run.id, reader);
  const state =
    report.waiting === undefined
      ? `running, ${runName(report)}, ${secondsOf(run)} s, ${pluralize(run.log.lines, "line")} so far`
      : `${report.waiting}, run ${run.id}, ${secondsOf(run)} s`;
  const follow = followWords(calls);
  const notices = report.notices ?? [];
  budget.reserve([state, ...notices, follow, ""].join("\n"));
  const last = report.output.both;
  const tail =
    last === undefined
      ? ""
      : outputText(last, { calls, tokens: Math.min(200, budget.remainingTokens), lines: 10 });
  return [state, ...notices, follow, tail].filter(Boolean).join("\n");
}

/** The raw output under the first line: right where it is shorter than anything made of it. */
function asRaw(report: RunReport, { budget, reader }: View): string | undefined {
  if (report.raw === undefined) return undefined;
  const calls = callsOf(report.run.id, reader);
  const state = stateOf(report);
  const change = shortDelta(report);
  // A success is read at a glance and needs no commas, but for "not run", which the run's id would follow.
  const comma = (report.passed || isUnjudged(report)) && !change.endsWith("not run") ? " " : ", ";
  const head = `${state}${state === "" ? "" : " "}${[shortOutcome(report), silenceOf(report), change, runName(report)].filter(Boolean).join(comma)}`;
  const notes = [...hiddenLines(report), ...detailOf(report), ...(report.notices ?? [])];
  const text = [
    head,
    ...notes,
    ...namedDelta(report),
    ...report.raw.map((line) => withMark(line, calls.restOf)),
  ].join("\n");
  return estimateTokens(text) * TOKEN_SAFETY_FACTOR < budget.remainingTokens ? text : undefined;
}

/**
 * How it ended, and what does not fit to it, where the whole output stands below: there "no error was recognised" or
 * "not all are listed" says nothing, but a wrong impression has to be put right.
 */
function shortOutcome({ run, disagreements }: RunReport): string {
  const { exitCode } = run.end ?? {};
  const [note] = disagreements;
  if (note === undefined || run.end?.cause !== "exit") return endOf(run);
  if (exitCode === 0)
    return note.startsWith("exit code 0, ")
      ? note
          .replace("exit code 0, ", "exit 0 ")
          .replace(/ printed$/, "")
          .replace(/ did not load$/, " failed")
      : `${endOf(run)}, ${note}`;
  const onlyPassed =
    (run.findings?.tests ?? []).some((one) => one.passed > 0) && note.includes("none failed");
  return onlyPassed ? `${endOf(run)} though all tests passed` : endOf(run);
}

interface Sections {
  readonly sections: readonly Section[];
  /** How many diagnostics and failed tests did not fit. */
  readonly missing: number;
}

interface SectionOptions {
  readonly budget: Budget;
  readonly manner: Manner;
  readonly calls: RunCalls;
}

function sectionsOf(report: RunReport, { budget, manner, calls }: SectionOptions): Sections {
  const tests = testLines(report);
  const note = noteOf(report);
  const delta = deltaLine(report);
  const advice = (report.run.findings?.advice ?? []).join("\n");
  budget.reserve([headLine(report), ...tests, note, delta, advice, NOTE.repeat(listsOf(report))].join("\n"));
  const sections: Section[] = [];
  let missing = 0;
  const add = (title: string, body: string): void => {
    if (body !== "") sections.push({ title, body });
  };
  const addList: Writing["addList"] = (title, shown, { heading = "", noun }) => {
    missing += shown.total - shown.shown;
    add(title, heading + withRest(shown, noun, calls));
  };
  add("Tests", tests.join("\n"));
  add("Note", note);
  add("Delta", delta);
  for (const one of report.run.findings?.tests ?? []) {
    const failures = renderTestFailures(orderedByDelta(one, report), budget, manner);
    addList(`Failed tests (${one.runner})`, failures, { noun: "failed tests" });
  }
  addDiagnostics(report, budget, { addList, manner });
  add("Advice", advice);
  add("Note", notKeptNote(report, calls));
  const notes = manner === "brief" ? notesIn(report.groups) : 0;
  if (notes > 0) add("Note", `${pluralize(notes, "note")}: see the log`);
  for (const part of outputSections(report, budget, calls)) add(part.title, part.body);
  return { sections: restOnce(sections, calls), missing };
}

/** Of several lists that are cut, the last says how to get the rest of all. */
function restOnce(sections: readonly Section[], calls: RunCalls): Section[] {
  const rest = restCall(calls);
  const last = sections.findLastIndex(({ body }) => body.endsWith(rest));
  return sections.map((section, i) =>
    i < last && section.body.endsWith(rest)
      ? { ...section, body: section.body.slice(0, -rest.length) }
      : section,
  );
}

function restCall({ log }: RunCalls): string {
  return `; the rest: ${log}`;
}

/** How many lists and texts there are that may have to be cut. */
function listsOf({ run, groups: { fresh, others }, output }: RunReport): number {
  const runners = run.findings?.tests.filter((one) => one.failures.length > 0).length ?? 0;
  const texts = output.both === undefined ? 0 : 1;
  return Math.max(1, texts + runners + Math.sign(fresh.length) + Math.sign(others.length));
}

interface Shown {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

interface Writing {
  readonly addList: (
    title: string,
    shown: Shown,
    words: { readonly heading?: string; readonly noun: "diagnostics" | "failed tests" },
  ) => void;
  readonly manner: Manner;
}

function addDiagnostics(report: RunReport, budget: Budget, { addList, manner }: Writing): void {
  const { fresh, others } = manner === "easy" ? report.groups : (report.closeGroups ?? report.groups);
  const both = fresh.length > 0 && others.length > 0;
  const style = { dense: manner !== "easy", letters: manner === "easy" || !hasOneSeverity(report) };
  for (const [word, groups] of [
    ["new", fresh],
    ["unchanged", others],
  ] as const) {
    if (groups.length === 0) continue;
    const heading = both ? `${word} ${countText(groups)}:\n` : "";
    budget.reserve(heading);
    const shown = renderDiagnostics(manner === "brief" ? briefGroups(groups) : groups, budget, style);
    addList(both ? `Diagnostics (${word})` : "Diagnostics", shown, { heading, noun: "diagnostics" });
  }
}

/** The first line and the delta count errors and warnings; what else a list has is counted apart. */
function countText(groups: readonly DiagnosticGroup[]): string {
  const countOf = (isInfo: boolean): number =>
    groups.reduce((sum, group) => sum + ((group.severity === "info") === isInfo ? group.count : 0), 0);
  const [counted, infos] = [countOf(false), countOf(true)];
  if (infos === 0) return String(counted);
  return counted === 0 ? `${infos} info` : `${counted} + ${infos} info`;
}

/** Whether the first line tells the severity of all. */
function hasOneSeverity({ run }: RunReport): boolean {
  const { error = 0, warning = 0, info = 0 } = run.findings?.counts ?? {};
  return info === 0 && (error === 0 || warning === 0);
}

/** "shown k of n", and the call for the rest. */
function withRest(shown: Shown, noun: string, calls: RunCalls): string {
  if (shown.shown === shown.total) return shown.text;
  const rest = `shown ${shown.shown} of ${shown.total} ${noun}${restCall(calls)}`;
  return [shown.text, rest].filter(Boolean).join("\n");
}

/** What was found but not kept, because there was so much of it. */
function notKeptNote({ run }: RunReport, calls: RunCalls): string {
  const { diagnostics = 0, failures = 0 } = run.findings?.notKept ?? {};
  const kinds = [
    diagnostics > 0 && pluralize(diagnostics, "diagnostic"),
    failures > 0 && pluralize(failures, "failed test"),
  ].filter(Boolean);
  return kinds.length === 0 ? "" : `${kinds.join(" and ")} more only in the log${restCall(calls)}`;
}

/** Failures that are new come first. */
function orderedByDelta<T extends { readonly failures: readonly object[] }>(
  summary: T,
  report: RunReport,
): T {
  const fresh = new Set<object>(report.delta?.fresh.failures);
  if (fresh.size === 0) return summary;
  const failures = [...summary.failures].sort((a, b) => Number(fresh.has(b)) - Number(fresh.has(a)));
  return { ...summary, failures };
}

function noteOf(report: RunReport): string {
  const notes = report.passed ? [] : report.disagreements.map((one) => `! ${one}`);
  return [...hiddenLines(report), ...notes, ...detailOf(report), ...(report.notices ?? [])].join("\n");
}

/** What has to be said beside the outcome, such as that a run was not made where it was meant to be. */
function detailOf({ run }: RunReport): string[] {
  const { cause, detail } = run.end ?? {};
  return detail === undefined || cause === undefined || TOLD_AT_ONCE.has(cause) ? [] : [detail];
}

/** The first line says what there is to say of these. */
const TOLD_AT_ONCE: ReadonlySet<EndCause> = new Set([
  "not_found",
  "not_executable",
  "spawn_failed",
  "interrupted",
  "worker_lost",
]);

/** What programs may want to know of a run. */
export function metaOf({ run, success, passed }: RunReport): Readonly<Record<string, unknown>> {
  const { end } = run;
  return {
    run_id: run.id,
    status: end === undefined ? "running" : "ended",
    ...(end === undefined ? {} : { success, passed, cause: end.cause }),
    ...outcomeFields(run),
    ...(run.findings === undefined ? {} : { diagnostics: run.findings.counts }),
    log: run.log,
  };
}
