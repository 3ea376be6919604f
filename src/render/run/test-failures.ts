import { pluralize } from "../../kernel/pluralize.ts";
import type { Budget } from "../../kernel/budget.ts";
import { RARE_COUNTS, testsRun } from "../../model/test-summary.ts";
import type { TestFailure, TestSummary } from "../../model/test-summary.ts";
import { blocksOf } from "./failure-blocks.ts";
import type { Density } from "../list/density.ts";
import { rerunsOf } from "./rerun.ts";

export interface RenderedTests {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

/** One line per runner: `PASS vitest 485 passed`, or how many of how many failed. `passed` is the verdict on the run, not the runner's own. */
export function renderTestLine(summary: TestSummary, passed: boolean, passWord = "PASS"): string {
  const broken = summary.failed + summary.failedSuites + summary.unhandledErrors > 0;
  const parts: string[] = [];
  if (summary.failed > 0) parts.push(`${summary.failed}/${summary.total} failed`);
  else if (summary.passed > 0) parts.push(`${summary.passed} passed`);
  else if (testsRun(summary) === 0) parts.push("no test ran");
  if (summary.skipped > 0) parts.push(`${summary.skipped} skipped`);
  for (const name of RARE_COUNTS) if ((summary[name] ?? 0) > 0) parts.push(`${summary[name]} ${name}`);
  if (summary.failedSuites > 0) parts.push(`${pluralize(summary.failedSuites, "suite")} did not load`);
  if (summary.unhandledErrors > 0) parts.push(`${pluralize(summary.unhandledErrors, "error")} outside tests`);
  const word = broken || !passed ? "FAIL" : passWord;
  return `${word}${word === "" ? "" : " "}${summary.runner} ${parts.join(", ")}`;
}

/** The failed tests by file: line, name, what was expected and received, and how to run one again. */
export function renderTestFailures(
  summary: TestSummary,
  budget: Budget,
  density: Density = "easy",
): RenderedTests {
  const total = summary.failures.length;
  const reruns = rerunsOf(summary.failures);
  const closing = reruns.patterns.map((pattern) => `\nrerun: ${pattern}`).join("");
  budget.reserve(closing);
  const lines: string[] = [];
  let shown = 0;
  let file: string | undefined;
  let above = "";
  for (const block of byFile(summary.failures).flatMap((failures) => blocksOf(failures, reruns, density))) {
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

/** Failures of one file together, files by first appearance. */
function byFile(failures: readonly TestFailure[]): TestFailure[][] {
  const files = new Map<string | undefined, TestFailure[]>();
  for (const failure of failures) {
    const known = files.get(failure.file);
    if (known === undefined) files.set(failure.file, [failure]);
    else known.push(failure);
  }
  return [...files.values()];
}
