import { type RunReport, STDOUT_LINES } from "../../model/run-report.ts";

/** The same run as the next lower verbosity would report it. */
export function nextLower(report: RunReport): RunReport | undefined {
  if (report.verbosity === "minimal") return undefined;
  const verbosity = report.verbosity === "full" ? "normal" : "minimal";
  const { stdout, ...output } = report.output;
  if (stdout === undefined) return { ...report, verbosity, output };
  const last = [...stdout.first, ...stdout.last].slice(-STDOUT_LINES[verbosity]);
  return { ...report, verbosity, output: { ...output, stdout: { total: stdout.total, first: [], last } } };
}
