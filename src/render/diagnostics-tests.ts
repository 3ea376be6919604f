import type { Budget } from "../kernel/budget.ts";
import type { TestFailure, TestSummary } from "../model/test-summary.ts";
import { lineDifference } from "./line-difference.ts";

export interface RenderedTests {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

/** One line a runner: `PASS vitest 485 passed`, or what failed of how many. `passed` is the run's verdict, not the runner's word. */
export function renderTestLine(summary: TestSummary, passed: boolean): string {
  const broken = summary.failed + summary.failedSuites + summary.unhandledErrors > 0;
  const parts: string[] = [];
  if (summary.failed > 0) parts.push(`${summary.failed}/${summary.total} failed`);
  else if (summary.passed > 0) parts.push(`${summary.passed} passed`);
  else parts.push("no test ran");
  if (summary.skipped > 0) parts.push(`${summary.skipped} skipped`);
  if (summary.failedSuites > 0) parts.push(`${plural(summary.failedSuites, "suite")} did not load`);
  if (summary.unhandledErrors > 0) parts.push(`${plural(summary.unhandledErrors, "error")} outside tests`);
  return `${broken || !passed ? "FAIL" : "PASS"} ${summary.runner} ${parts.join(", ")}`;
}

/** The failed tests by file: line, name, what was expected and received, and how to run one again. */
export function renderTestFailures(summary: TestSummary, budget: Budget): RenderedTests {
  const total = summary.failures.length;
  const rerun = rerunPattern(summary.failures);
  const closing = rerun === undefined ? "" : `\nrerun: ${rerun}`;
  budget.reserve(closing);
  const lines: string[] = [];
  let shown = 0;
  let file: string | undefined;
  let message = "";
  for (const failure of byFile(summary.failures)) {
    const head = failure.file !== undefined && failure.file !== file ? `${failure.file}\n` : "";
    const text = head + failureText(failure, { above: message, rerunEach: rerun === undefined });
    if (!budget.take(`${text}\n`)) break;
    lines.push(text);
    shown++;
    file = failure.file;
    message = failure.message;
  }
  return { text: lines.join("\n") + (shown > 0 ? closing : ""), shown, total };
}

/** Failures of one file together, files by first appearance. */
function byFile(failures: readonly TestFailure[]): TestFailure[] {
  const files = new Map<string | undefined, TestFailure[]>();
  for (const failure of failures) {
    const known = files.get(failure.file);
    if (known === undefined) files.set(failure.file, [failure]);
    else known.push(failure);
  }
  return [...files.values()].flat();
}

interface FailureTextOptions {
  /** The message of the failure above. */
  readonly above: string;
  readonly rerunEach: boolean;
}

function failureText(failure: TestFailure, options: FailureTextOptions): string {
  const at = failure.line === undefined ? "" : `:${failure.line} `;
  const kind =
    failure.kind === "suite" ? "did not load: " : failure.kind === "unhandled" ? "outside tests: " : "";
  const name = failure.kind === "suite" && failure.name === failure.file ? "" : failure.name;
  const lines = [` ${at}${kind}${name}`.trimEnd()];
  if (failure.message !== "" && !saysOnlyValues(failure))
    lines.push(indent(options.above === failure.message ? "(as above)" : failure.message));
  lines.push(...valueLines(failure).map((line) => `  ${line}`));
  if (options.rerunEach && failure.rerun !== undefined && failure.rerun !== failure.name)
    lines.push(`  rerun: ${failure.rerun}`);
  return lines.join("\n");
}

/** Expected with a minus, received with a plus; lines that both have stand once. */
function valueLines({ expected, received }: TestFailure): string[] {
  // Two values that read alike differ in what cannot be read: both are shown.
  if (expected !== undefined && received !== undefined && expected !== received)
    return lineDifference(expected.split("\n"), received.split("\n"));
  return [...marked(expected, "-"), ...marked(received, "+")];
}

function marked(text: string | undefined, mark: string): string[] {
  return text === undefined ? [] : text.split("\n").map((line) => `${mark}${line}`);
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}

/** Words that an assertion's message is made of beside the two values. */
const ASSERTION_WORDS = new Set(
  `assert assertion assertionerror error expected received actual expect to be equal equals tobe toequal tostrictequal deeply strictly
  strict deep equality values loosely but got was were is same as left right failed and object objectis expected-to-be a an the of`.split(
    /\s+/,
  ),
);

/** Whether the message says nothing beyond the expected and received values, however it writes them. */
function saysOnlyValues({ message, expected, received }: TestFailure): boolean {
  if (expected === undefined || received === undefined || expected === received) return false;
  const known = new Set([...wordsOf(expected), ...wordsOf(received)]);
  return wordsOf(message).every((word) => ASSERTION_WORDS.has(word) || known.has(word));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** One pattern for all failures where their commands differ by test and file only. */
function rerunPattern(failures: readonly TestFailure[]): string | undefined {
  const patterns = new Set<string>();
  for (const failure of failures) {
    if (failure.rerun === undefined || failure.rerun === failure.name) continue;
    // Runners that take a name as a pattern join its parts with spaces.
    let pattern = failure.rerun
      .replaceAll(failure.name, "NAME")
      .replaceAll(failure.name.replaceAll(" > ", " "), "NAME");
    if (failure.file !== undefined) pattern = pattern.replaceAll(failure.file, "FILE");
    if (failure.line !== undefined) pattern = pattern.replaceAll(`:${failure.line}`, ":LINE");
    patterns.add(pattern);
  }
  const [only] = patterns;
  return patterns.size === 1 && only !== undefined && failures.length > 1 ? only : undefined;
}

function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
