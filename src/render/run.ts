import { Budget } from "../kernel/budget.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import type { RunReport } from "../model/run-report.ts";
import type { Excerpt } from "../model/run.ts";
import { renderDiagnostics } from "./diagnostics.ts";
import { renderTestFailures } from "./diagnostics-tests.ts";
import { cutExcerpt, cutText } from "./excerpt.ts";
import type { Rendered, View } from "./rendered.ts";
import { endOf, headLine, secondsOf, testLines } from "./run-head.ts";
import { type JsonShape, runJson } from "./run-json.ts";

/** What a reply costs at most beyond the raw output. */
const OVER_RAW = 15;
/** Room for the lines that say what was cut. */
const NOTES = "shown 1000 of 10000 diagnostics; the rest: build action=log runId=12345678 grep=…\n".repeat(2);
/** A success says little; a failure whose reasons are known, some; one without them, all that fits. */
const REST_LIMITS = {
  passed: { tokens: 120, lines: 8 },
  explained: { tokens: 300, lines: 20 },
  unexplained: { tokens: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY },
} as const;

/** A part of a report; markdown gives it a heading. */
interface Section {
  readonly title: string;
  readonly body: string;
}

/** What a run has to say, in the fewest words that say all of it. */
export function renderRun(report: RunReport, view: View, shape: JsonShape = "build"): Rendered {
  const meta = metaOf(report);
  if (view.format === "json") return { text: runJson(report, view.budget, shape), meta };
  if (report.run.end === undefined) return { text: runningText(report, view.budget), meta };
  const short = view.format === "text" ? asRaw(report, view.budget) : undefined;
  const sections = sectionsOf(report, new Budget(view.budget.remainingTokens));
  const text = view.format === "markdown" ? markdown(report, sections) : plain(report, sections);
  if (short === undefined || estimateTokens(text) <= estimateTokens(short)) return { text, meta };
  return { text: short, meta };
}

function plain(report: RunReport, sections: readonly Section[]): string {
  return [headLine(report), ...sections.map((section) => section.body)].join("\n");
}

function markdown(report: RunReport, sections: readonly Section[]): string {
  const parts = sections.map(({ title, body }) => `### ${title}\n\n${fence(body)}`);
  return [`## ${headLine(report)}`, `\`${report.run.command.replaceAll("`", "'")}\``, ...parts].join("\n\n");
}

/** Of a run that goes on: how to follow it, and its last lines. */
function runningText(report: RunReport, budget: Budget): string {
  const { run } = report;
  const head = `running, run ${run.id}, ${secondsOf(run)} s, ${run.log.lines} lines so far`;
  const follow = `follow: build action=log runId=${run.id} wait_ms=40000; end it: build action=stop runId=${run.id}`;
  budget.reserve(`${head}\n${follow}\n`);
  const last = report.output.both;
  const tail =
    last === undefined
      ? ""
      : outputText(last, { runId: run.id, tokens: Math.min(200, budget.remainingTokens), lines: 10 });
  return [head, follow, tail].filter(Boolean).join("\n");
}

/** The raw output under the first line: right where it is shorter than anything made of it. */
function asRaw(report: RunReport, budget: Budget): string | undefined {
  if (report.raw === undefined) return undefined;
  const body = report.raw.map((line) => line.text).join("\n");
  const facts = [endOf(report.run), `run ${report.run.id}`];
  const head = [report.passed ? "ok" : report.success ? "UNCLEAR" : "FAIL", ...facts].join(", ");
  const text = [head, ...report.disagreements.filter(() => report.success), body].filter(Boolean).join("\n");
  const tokens = estimateTokens(text);
  const fits = tokens * 1.1 < budget.remainingTokens && tokens <= estimateTokens(body) + OVER_RAW;
  return fits ? text : undefined;
}

function sectionsOf(report: RunReport, budget: Budget): Section[] {
  const tests = testLines(report);
  const opening = [headLine(report), ...tests, NOTES].join("\n");
  budget.reserve(opening);
  const sections: Section[] = [];
  const add = (title: string, body: string): void => {
    if (body !== "") sections.push({ title, body });
  };
  add("Tests", tests.join("\n"));
  add("Note", noteOf(report));
  add("Delta", deltaLine(report));
  for (const one of report.run.findings?.tests ?? []) {
    const failures = renderTestFailures(orderedByDelta(one, report), budget);
    add(`Failed tests (${one.runner})`, withRest(failures, "failed tests", report));
  }
  addDiagnostics(report, budget, add);
  for (const part of outputSections(report, budget)) add(part.title, part.body);
  return sections;
}

function addDiagnostics(report: RunReport, budget: Budget, add: (title: string, body: string) => void): void {
  const { fresh, others } = report.groups;
  const both = fresh.length > 0 && others.length > 0;
  const heading = (word: string, groups: RunReport["groups"]["fresh"]): string => {
    const count = groups.reduce((sum, group) => sum + group.count, 0);
    return both ? `${word} ${count}:\n` : "";
  };
  for (const [word, groups] of [
    ["new", fresh],
    ["unchanged", others],
  ] as const) {
    if (groups.length === 0) continue;
    const title = heading(word, groups);
    budget.reserve(title);
    const shown = renderDiagnostics(groups, budget);
    add(both ? `Diagnostics (${word})` : "Diagnostics", title + withRest(shown, "diagnostics", report));
  }
}

/** "shown k of n", and the call for the rest. */
function withRest(
  shown: { readonly text: string; readonly shown: number; readonly total: number },
  noun: string,
  { run }: RunReport,
): string {
  if (shown.total === 0) return "";
  const lost =
    noun === "diagnostics" ? (run.findings?.notKept.diagnostics ?? 0) : (run.findings?.notKept.failures ?? 0);
  const total = shown.total + lost;
  if (shown.shown === total) return shown.text;
  return `${shown.text}\nshown ${shown.shown} of ${total} ${noun}; all: more max_tokens, or build action=log runId=${run.id}`;
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

function noteOf({ disagreements, run, success, passed }: RunReport): string {
  const notes = passed ? [] : disagreements.map((one) => `! ${one}`);
  if (run.end?.detail !== undefined && (success || run.end.cause === "exit")) notes.push(run.end.detail);
  return notes.join("\n");
}

function deltaLine({ delta }: RunReport): string {
  if (delta === undefined) return "";
  const count = (part: keyof typeof PARTS): number =>
    delta[part].diagnostics.length + delta[part].failures.length;
  const counts = (["fixed", "fresh", "unchanged"] as const)
    .filter((part) => count(part) > 0)
    .map((part) => `${count(part)} ${PARTS[part]}`);
  if (count("fixed") + count("fresh") === 0) return `no change since run ${delta.previousRun}`;
  const lines = [`since run ${delta.previousRun}: ${counts.join(", ")}`];
  if (count("fixed") > 0 && count("fixed") <= MAX_LISTED)
    lines.push(`fixed: ${placesOf(delta.fixed).join(", ")}`);
  const fresh = delta.fresh.failures;
  if (fresh.length > 0 && fresh.length <= MAX_LISTED)
    lines.push(`newly failing: ${fresh.map((one) => one.name).join(", ")}`);
  return lines.join("\n");
}

const PARTS = { fixed: "fixed", fresh: "new", unchanged: "unchanged" } as const;
/** Beyond this a list says no more than its count. */
const MAX_LISTED = 12;

function placesOf(part: NonNullable<RunReport["delta"]>["fixed"]): string[] {
  const places = part.diagnostics.map((one) => {
    const place = [one.file, one.line].filter((item) => item !== undefined).join(":");
    return [place, one.code].filter(Boolean).join(" ") || one.message.slice(0, 60);
  });
  return [...places, ...part.failures.map((one) => one.name)];
}

function outputSections(report: RunReport, budget: Budget): Section[] {
  const { output, verbosity, run } = report;
  const at = (excerpt: Excerpt | undefined, limits: { tokens: number; lines: number }, share = 1): string => {
    if (excerpt === undefined || excerpt.total === 0) return "";
    const tokens = Math.min(limits.tokens, budget.remainingTokens * share - 40);
    const text = outputText(excerpt, { runId: run.id, tokens, lines: limits.lines });
    budget.reserve(`${text}\n`);
    return text;
  };
  const all = REST_LIMITS.unexplained;
  if (verbosity === "full") return [{ title: "Output", body: at(output.both, all) }];
  const kind = report.passed ? "passed" : isExplained(report) ? "explained" : "unexplained";
  const sections: Section[] = [];
  if (kind === "unexplained")
    sections.push({ title: "Output", body: at(output.both, all, verbosity === "normal" ? 0.5 : 1) });
  else sections.push({ title: "stderr", body: at(run.findings?.unclaimed.stderr, REST_LIMITS[kind]) });
  if (verbosity === "normal") sections.push({ title: "stdout", body: at(output.stdout, all) });
  return sections;
}

/** Whether what was found says why the run failed. */
function isExplained({ disagreements, run }: RunReport): boolean {
  const { findings } = run;
  const reasons =
    (findings?.counts.error ?? 0) +
    (findings?.tests ?? []).reduce((sum, one) => sum + one.failures.length, 0);
  return reasons > 0 && disagreements.length === 0;
}

/** Output cut to a size, the gap marked with its lines and the call that shows them. */
export function outputText(
  excerpt: Excerpt,
  options: { runId: string; tokens: number; lines: number },
): string {
  const cut = cutExcerpt(excerpt, Math.max(20, options.tokens), options.lines);
  return cutText(
    cut,
    (gap) =>
      `… ${gap.lines} lines cut (${gap.from}-${gap.to}): build action=log runId=${options.runId} startLine=${gap.from}`,
  );
}

function metaOf({ run, success, passed }: RunReport): Readonly<Record<string, unknown>> {
  const { end } = run;
  return {
    run_id: run.id,
    status: end === undefined ? "running" : "ended",
    ...(end === undefined ? {} : { success, passed, cause: end.cause }),
    ...(end?.exitCode === undefined ? {} : { exit_code: end.exitCode }),
    ...(run.findings === undefined ? {} : { diagnostics: run.findings.counts }),
    log: run.log,
  };
}

/** A fence longer than any inside. */
function fence(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), (match) => match[0].length));
  const mark = "`".repeat(longest + 1);
  return `${mark}\n${text}\n${mark}`;
}
