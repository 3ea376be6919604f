import { pluralize } from "../../kernel/pluralize.ts";
import type { Budget } from "../../kernel/budget.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { isAroundTest, RARE_COUNTS, testsRun } from "../../model/test-summary.ts";
import type { TestFailure, TestSummary } from "../../model/test-summary.ts";
import { failureBody } from "./failure-body.ts";
import type { Density } from "../list/density.ts";
import { type Reruns, rerunsOf } from "./rerun.ts";

export interface RenderedTests {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

/**
 * Writes one line per test runner: `PASS vitest 485 passed`, or how many of its tests failed. `passed` is the verdict
 * on the whole run, not on this runner.
 */
export function renderTestLine(summary: TestSummary, passed: boolean, passWord = "PASS"): string {
  const broken = summary.failed + summary.failedSuites + summary.unhandledErrors > 0;
  const parts: string[] = [];
  parts.push(...failedAndPassed(summary));
  if (testsRun(summary) === 0) parts.push("no test ran");
  if (summary.skipped > 0) parts.push(`${summary.skipped} skipped`);
  for (const name of RARE_COUNTS) if ((summary[name] ?? 0) > 0) parts.push(`${summary[name]} ${name}`);
  parts.push(...suiteCounts(summary));
  if (summary.unhandledErrors > 0) parts.push(`${pluralize(summary.unhandledErrors, "error")} outside tests`);
  // A runner without a test has not passed, even if another one of the same run has.
  const isPass = passWord !== "PASS" || testsRun(summary) > 0;
  const word = broken || !passed ? "FAIL" : isPass ? passWord : "";
  return `${word}${word === "" ? "" : " "}${summary.runner} ${parts.join(", ")}`;
}

/**
 * Says how many suites did not load. pytest counts a test whose setup or teardown fails in the same way; its file was
 * loaded.
 */
function suiteCounts({ failedSuites, failures }: TestSummary): string[] {
  const aroundTests = Math.min(failedSuites, failures.filter(isAroundTest).length);
  const notLoaded = failedSuites - aroundTests;
  return [
    ...(notLoaded > 0 ? [`${pluralize(notLoaded, "suite")} did not load`] : []),
    ...(aroundTests > 0 ? [`${pluralize(aroundTests, "error")} in setup or teardown`] : []),
  ];
}

function failedAndPassed({ failed, passed, total, passedArePackages }: TestSummary): string[] {
  if (passedArePackages !== true) {
    if (failed > 0) return [`${failed}/${total} failed`];
    return passed > 0 ? [`${passed} passed`] : [];
  }
  return [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(passed > 0 ? [`${pluralize(passed, "package")} passed`] : []),
  ];
}

/** Writes the failed tests by file: line, name, expected and received values, and how to run one again. */
export function renderTestFailures(
  summary: TestSummary,
  budget: Budget,
  density: Density = "whole",
): RenderedTests {
  const total = summary.failures.length;
  const reruns = rerunsOf(summary.failures);
  const closing = reruns.patterns.map((pattern) => `\nrerun: ${pattern}`).join("");
  budget.reserve(closing);
  const lines: string[] = [];
  let shown = 0;
  let file: string | undefined;
  let above = "";
  const files = [...groupBy(summary.failures, (failure) => failure.file).values()];
  for (const block of files.flatMap((failures) => blocksOf(failures, reruns, density))) {
    const head = block.file !== undefined && block.file !== file ? `${block.file}\n` : "";
    const body = block.body !== "" && block.body === above ? "\n  (as above)" : block.body;
    const text = head + block.names + body;
    if (!budget.take(`${text}\n`)) break;
    lines.push(text);
    shown += block.failures;
    file = block.file;
    above = block.body;
  }
  return { text: lines.join("\n") + (shown > 0 ? closing : ""), shown, total };
}

/** A block: failed tests of one file with the same message, which are shown together or not at all. */
interface FailureBlock {
  readonly file?: string;
  readonly names: string;
  /** The lines of the message, each after a line end; empty for tests without a message. */
  readonly body: string;
  readonly failures: number;
}

/** The most tests in one block. */
const TESTS_PER_BLOCK = 40;

/** Groups the failed tests of a file by message. Tests with the same message are named together above it: `:9 Suite > one; Suite > other`. */
function blocksOf(failures: readonly TestFailure[], reruns: Reruns, density: Density): FailureBlock[] {
  const byBody = groupBy(failures, (failure) => {
    const rerun = reruns.of(failure);
    const lines = [...failureBody(failure, density), ...(rerun === undefined ? [] : [`rerun: ${rerun}`])];
    return lines.map((line) => `\n  ${line}`).join("");
  });
  // Tests without a message come last, so that their names are not followed by the message of other tests.
  const bodies = [...byBody].sort(([one], [other]) => Number(one === "") - Number(other === ""));
  return bodies.flatMap(([body, same]) => blocksWith(body, same, failures.length > 1));
}

function blocksWith(body: string, failures: readonly TestFailure[], isOneOfSeveral: boolean): FailureBlock[] {
  const blocks: FailureBlock[] = [];
  for (let from = 0; from < failures.length; from += TESTS_PER_BLOCK) {
    const some = failures.slice(from, from + TESTS_PER_BLOCK);
    const file = some[0]?.file;
    blocks.push({
      ...(file === undefined ? {} : { file }),
      names: namesOf(some, isOneOfSeveral),
      body,
      failures: some.length,
    });
  }
  return blocks;
}

/** Writes the names of tests, those of one source line together. */
function namesOf(failures: readonly TestFailure[], isOneOfSeveral: boolean): string {
  let text = "";
  let above: TestFailure | undefined;
  for (const failure of failures) {
    const name = nameOf(failure, isOneOfSeveral);
    const joins = above !== undefined && above.line === failure.line && !/;|\n/.test(name);
    const at = failure.line === undefined ? "" : `:${failure.line} `;
    const start = text === "" ? "" : "\n";
    text += joins ? `; ${name}` : `${start} ${at}${kindOf(failure)}${name}`.trimEnd();
    above = failure;
  }
  return text;
}

function kindOf(failure: TestFailure): string {
  if (failure.kind === "suite") return isAroundTest(failure) ? "setup or teardown: " : "did not load: ";
  return failure.kind === "unhandled" ? "outside tests: " : "";
}

/**
 * The name of a test without its file, which is already written above. The only test of a file keeps its full name, so
 * that the name can be copied.
 */
function nameOf({ kind, name, file }: TestFailure, isOneOfSeveral: boolean): string {
  if (kind === "suite" && name === file) return "";
  return isOneOfSeveral && file !== undefined && name.startsWith(`${file}::`)
    ? name.slice(file.length + 2)
    : name;
}
