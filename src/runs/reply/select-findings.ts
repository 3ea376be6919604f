import { groupDiagnostics } from "../../diagnostics/summarize/group.ts";
import { PithError } from "../../kernel/errors.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { RunFindings } from "../../model/run.ts";
import { type BoundedPattern, BoundedPatterns } from "../../security/untrusted-regex.ts";

/**
 * Reduces a report to the diagnostics and failed tests of one file, rule, name or message: those that match a regular
 * expression. The output and the comparison with other runs are left out, because they are about the whole run.
 */
export function selectFindings(report: RunReport, pattern: string): RunReport {
  const { delta: _delta, sinceGreen: _sinceGreen, raw: _raw, view: _view, ...rest } = report;
  const all = report.run.findings;
  if (all === undefined) return report;
  const bounded = new BoundedPatterns({ callMs: PATTERN_BUDGET_MS, totalMs: PATTERN_BUDGET_MS });
  const findings = matchingFindings(all, compile(pattern, bounded));
  bounded.close();
  if (bounded.isExhausted)
    throw new PithError("timed_out", `grep takes more than ${PATTERN_BUDGET_MS} ms`, {
      suggestion: "Simplify it: avoid a repetition inside a repetition.",
      timeout_ms: PATTERN_BUDGET_MS,
    });
  return {
    ...rest,
    run: { ...report.run, findings },
    groups: { fresh: [], others: groupDiagnostics(findings.diagnostics) },
    output: {},
    selection: {
      pattern,
      diagnostics: sizesOf(findings, all, diagnosticsIn),
      failures: sizesOf(findings, all, failuresIn),
    },
  };
}

function matchingFindings(findings: RunFindings, pattern: BoundedPattern): RunFindings {
  const matches = (...texts: (string | undefined)[]): boolean =>
    texts.some((text) => text !== undefined && pattern.exec(text) !== undefined);
  return {
    ...findings,
    diagnostics: findings.diagnostics.filter(({ file, code, message }) => matches(file, code, message)),
    tests: findings.tests.map((summary) => ({
      ...summary,
      failures: summary.failures.filter(({ file, name, message }) => matches(file, name, message)),
    })),
    advice: [],
    unclaimed: { stdout: NO_LINES, stderr: NO_LINES },
    suspects: [],
  };
}

const NO_LINES = { total: 0, first: [], last: [] } as const;

/** The time that a caller's pattern may take, if it can take more than linear time. */
const PATTERN_BUDGET_MS = 1_000;

function compile(pattern: string, bounded: BoundedPatterns): BoundedPattern {
  try {
    return bounded.compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PithError("invalid_input", `grep is not a valid regular expression: ${reason}`, {
      suggestion: "Escape characters that are meant literally with a backslash.",
    });
  }
}

function sizesOf(
  some: RunFindings,
  all: RunFindings,
  sizeOf: (findings: RunFindings) => number,
): { readonly shown: number; readonly total: number } {
  return { shown: sizeOf(some), total: sizeOf(all) };
}

function diagnosticsIn({ diagnostics }: RunFindings): number {
  return diagnostics.length;
}

function failuresIn({ tests }: RunFindings): number {
  return tests.reduce((sum, { failures }) => sum + failures.length, 0);
}
