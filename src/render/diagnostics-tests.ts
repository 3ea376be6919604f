import type { Budget } from "../kernel/budget.ts";
import type { TestFailure, TestSummary } from "../model/test-summary.ts";
import { lineDifference } from "./line-difference.ts";
import { rerunsOf } from "./rerun.ts";

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
export function renderTestFailures(
  summary: TestSummary,
  budget: Budget,
  options: { readonly brief?: boolean } = {},
): RenderedTests {
  const total = summary.failures.length;
  const reruns = rerunsOf(summary.failures);
  const closing = reruns.patterns.map((pattern) => `\nrerun: ${pattern}`).join("");
  budget.reserve(closing);
  const lines: string[] = [];
  let shown = 0;
  let file: string | undefined;
  let message = "";
  for (const failure of byFile(summary.failures)) {
    const head = failure.file !== undefined && failure.file !== file ? `${failure.file}\n` : "";
    const text =
      head +
      failureText(failure, { above: message, rerun: reruns.of(failure), brief: options.brief === true });
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
  readonly rerun: string | undefined;
  readonly brief: boolean;
}

function failureText(failure: TestFailure, options: FailureTextOptions): string {
  const at = failure.line === undefined ? "" : `:${failure.line} `;
  const kind =
    failure.kind === "suite" ? "did not load: " : failure.kind === "unhandled" ? "outside tests: " : "";
  const name = failure.kind === "suite" && failure.name === failure.file ? "" : failure.name;
  const lines = [` ${at}${kind}${name}`.trimEnd()];
  if (failure.message !== "" && !saysOnlyValues(failure))
    lines.push(
      indent(
        options.above === failure.message
          ? "(as above)"
          : clippedMessage(failure.message, options.brief ? BRIEF : WHOLE),
      ),
    );
  lines.push(...valueLines(failure).map((line) => `  ${line}`));
  if (options.rerun !== undefined) lines.push(`  rerun: ${options.rerun}`);
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

/** A test that prints hundreds of lines says what matters at their beginning or at their end. */
const WHOLE = { first: 14, last: 6 };
/** In a list so long that nobody reads it through. */
const BRIEF = { first: 5, last: 1 };

function clippedMessage(message: string, size: typeof WHOLE): string {
  const lines = message.split("\n");
  const hidden = lines.length - size.first - size.last;
  if (hidden < 2) return message;
  const gap = `… ${hidden} lines, in the log`;
  return [...lines.slice(0, size.first), gap, ...lines.slice(-size.last)].join("\n");
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

function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
