import { Budget, TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import { type RunReport, STDOUT_LINES } from "../../model/run-report.ts";
import { describeWaiting } from "../../model/waiting.ts";
import { fence } from "../fence.ts";
import { withCutMark } from "../files/line-page.ts";
import { chooseDensity, type Density } from "../list/density.ts";
import { firstReplyTokens } from "../list/diagnostic-table.ts";
import { maskedNoteSample, withRunMasked } from "../masked-note.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { shortOutcome } from "./disagreements.ts";
import { hiddenLines } from "./hidden-facts.ts";
import { flakyLines } from "./flaky.ts";
import { reusedFields, reusedLines } from "./reused.ts";
import { callsOf, describeFollowing } from "./run-calls.ts";
import { endsWithNotRun, namedDelta, shortDelta } from "./run-delta.ts";
import { headLine, isOneLine, isUnjudged, runName, secondsOf, noOutputNote, stateOf } from "./run-head.ts";
import { type JsonShape, runJson } from "./run-json.ts";
import { outcomeFields } from "./run-outcome.ts";
import { OUTPUT_TITLES, outputText, type Section } from "./run-output.ts";
import { sinceGreenLines } from "./since-green.ts";
import { choiceLines } from "./test-choice.ts";
import { detailOf, listsOf, sectionsOf, showsCausesOf } from "./run-sections.ts";

/** Writes the report on a run in as few tokens as possible. */
export function renderRun(report: RunReport, view: View, shape: JsonShape = "build"): Rendered {
  view.budget.reserve(maskedNoteSample(report.run.findings?.masked));
  const reused =
    view.format === "json" ? [] : [...chosenLines(report, view), ...reusedLines(report, view.reader)];
  view.budget.reserve(reused.map((line) => `${line}\n`).join(""));
  const isRunning = report.run.end === undefined && view.format !== "json";
  const reply = isRunning ? { text: runningText(report, view) } : replyAtLevel(report, view, shape);
  const text = [...reused, reply.text].join("\n");
  return withRunMasked({ ...reply, text, meta: metaOf(report) }, report.run);
}

function chosenLines({ choice, run, success }: RunReport, { reader }: View): string[] {
  if (choice === undefined) return [];
  const hasNoResult = run.end?.cause === "exit" && !success && run.findings?.tests.length === 0;
  // What failed may be a command before the tests, such as a linter.
  return [...choiceLines(choice, reader), ...(hasNoResult ? ["no test reported a result"] : [])];
}

/**
 * Writes the reply at the requested verbosity. If the budget cuts it so far that a lower verbosity would say more, the
 * reply is that of the lower one.
 */
function replyAtLevel(report: RunReport, view: View, shape: JsonShape): Rendered {
  const { isFolded = false, ...reply } =
    view.format === "json" ? { ...jsonReply(runJson(report, view, shape)) } : endedText(report, view);
  // Folded output says in few tokens what a lower verbosity would show a part of.
  if (isFolded || report.run.end === undefined || isSurelyMore(report, reply.text, view)) return reply;
  const lower = atLowerLevel(report);
  if (lower === undefined) return reply;
  const below = replyAtLevel(lower, view, shape);
  return estimateTokens(below.text) > estimateTokens(reply.text) ? below : reply;
}

/** The same report at the next lower verbosity; undefined at the lowest. */
function atLowerLevel(report: RunReport): RunReport | undefined {
  if (report.verbosity === "minimal") return undefined;
  const verbosity = report.verbosity === "full" ? "normal" : "minimal";
  const { stdout, ...output } = report.output;
  if (stdout === undefined) return { ...report, verbosity, output };
  const last = [...stdout.first, ...stdout.last].slice(-STDOUT_LINES[verbosity]);
  return { ...report, verbosity, output: { ...output, stdout: { total: stdout.total, first: [], last } } };
}

/**
 * Checks whether a reply surely says more than one at a lower verbosity. A reply that fills less than half of the
 * budget was not cut, so only `normal` can lack something then: the order of lines across both streams.
 */
function isSurelyMore({ verbosity, output }: RunReport, text: string, { budget }: View): boolean {
  const hasRoom = estimateTokens(text) < budget.remainingTokens / 2;
  return hasRoom && !(verbosity === "normal" && output.both !== undefined);
}

interface EndedText {
  readonly text: string;
  /** True if the output stands for more lines than it shows. */
  readonly isFolded?: boolean;
}

function endedText(report: RunReport, view: View): EndedText {
  let isFolded = false;
  const raw = view.format === "text" ? rawText(report, view) : undefined;
  const causesTokens = firstReplyTokens(view);
  const densities: Density[] = ["whole", "brief", ...(showsCausesOf(report) ? ["table" as const] : [])];
  const text = chooseDensity(densities, (density) => {
    const budget = new Budget(view.budget.remainingTokens);
    if (view.format === "markdown") budget.reserve(markdownFrame(report));
    const calls = callsOf(report.run.id, view.reader);
    const { sections, missing } = sectionsOf(report, { budget, density, calls, causesTokens });
    const written = view.format === "markdown" ? markdown(report, sections) : plain(report, sections);
    isFolded ||= sections.some((section) => section.isFolded === true);
    return { text: written, missing };
  });
  if (raw === undefined) return { text, isFolded };
  const isRawShorter = isOneLine(report) || estimateTokens(raw) < estimateTokens(text);
  return isRawShorter ? { text: raw } : { text, isFolded };
}

function plain(report: RunReport, sections: readonly Section[]): string {
  const parts = sections.map(({ title, body }, index) =>
    // A title separates lines of the command's output from what Pith says about them.
    index > 0 && OUTPUT_TITLES.has(title) ? `${title.toLowerCase()}:\n${body}` : body,
  );
  return [headLine(report), ...parts].join("\n");
}

function markdown(report: RunReport, sections: readonly Section[]): string {
  const parts = sections.map(({ title, body }) => `### ${title}\n\n${fence(body)}`);
  return [`## ${headLine(report)}`, `\`${report.run.command.replaceAll("`", "'")}\``, ...parts].join("\n\n");
}

/** An example of the Markdown headings and fences of a report; its length is reserved in the budget. */
function markdownFrame(report: RunReport): string {
  return `## \n\n\`${report.run.command}\`\n\n${"### Diagnostics (new)\n\n```\n\n```\n\n".repeat(listsOf(report))}`;
}

/** The state of a run that has not ended, how to follow it, and its last lines. */
function runningText(report: RunReport, { budget, reader }: View): string {
  const { run } = report;
  const calls = callsOf(run.id, reader);
  const state =
    report.waiting === undefined
      ? `running, ${runName(report)}, ${secondsOf(run)} s, ${pluralize(run.log.lines, "line")} so far`
      : `${describeWaiting(report.waiting)}, run ${run.id}, ${secondsOf(run)} s`;
  const follow = describeFollowing(calls);
  const notices = report.notices ?? [];
  budget.reserve([state, ...notices, follow, ""].join("\n"));
  const last = report.output.both;
  const tail =
    last === undefined
      ? ""
      : outputText(last, { calls, tokens: Math.min(200, budget.remainingTokens), lines: 10 });
  return [state, ...notices, follow, tail].filter(Boolean).join("\n");
}

/**
 * The raw output below a first line on the outcome. It is the best reply if it is shorter than the summary of the
 * output.
 */
function rawText(report: RunReport, { budget, reader }: View): string | undefined {
  if (report.raw === undefined) return undefined;
  const calls = callsOf(report.run.id, reader);
  const state = stateOf(report);
  // The first line of a success needs no commas, except after "not run": without a comma "not run run 7" would be
  // misread.
  const isGreen = report.passed || isUnjudged(report);
  const comma = isGreen && !endsWithNotRun(report) ? " " : ", ";
  const facts = [shortOutcome(report), noOutputNote(report), shortDelta(report), runName(report)];
  const head = `${state}${state === "" ? "" : " "}${facts.filter(Boolean).join(comma)}`;
  const text = [
    head,
    ...hiddenLines(report),
    ...detailOf(report),
    ...(report.notices ?? []),
    ...namedDelta(report),
    ...flakyLines(report),
    ...sinceGreenLines(report, budget.remainingTokens),
    ...report.raw.map((line) => withCutMark(line, calls.restOf)),
  ].join("\n");
  return estimateTokens(text) * TOKEN_SAFETY_FACTOR < budget.remainingTokens ? text : undefined;
}

/** Facts about a run as metadata beside the reply, for programs. */
export function metaOf(report: RunReport): Readonly<Record<string, unknown>> {
  const { run, success, passed } = report;
  const { end } = run;
  return {
    run_id: run.id,
    status: end === undefined ? "running" : "ended",
    ...(end === undefined ? {} : { success, passed, cause: end.cause }),
    ...outcomeFields(run),
    ...reusedFields(report),
    ...(run.findings === undefined ? {} : { diagnostics: run.findings.counts }),
    log: run.log,
  };
}
