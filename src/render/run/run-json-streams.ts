import type { RunReport } from "../../model/run-report.ts";
import type { Fields, OutputText, JsonBudget } from "./json-budget.ts";
import { isOneLine } from "./run-head.ts";

/** Tokens of stderr in a reply of the minimal verbosity. */
const STDERR_TOKENS = { passed: 120, failed: 400 } as const;
/** Tokens of stdout where its end is the only evidence of a failure. */
const EVIDENCE_TOKENS = 400;

/** Adds the output streams that the verbosity asks for. An unexplained failure always brings the end of stdout. */
export function addStreams(fields: Fields, report: RunReport, room: JsonBudget): void {
  const { output, verbosity, run, view } = report;
  const put = (name: "stdout" | "stderr" | "tail", text: OutputText): void => {
    const written = room.fitText(name, text);
    if (written !== undefined) fields[name] = written;
  };
  if (view !== undefined) {
    put("stderr", { excerpt: view.stderr, stream: "view", tokens: room.tokens * 0.4 });
    put("stdout", { excerpt: view.stdout, stream: "view", tokens: room.tokens });
    return;
  }
  if (verbosity === "full") {
    put("stderr", { excerpt: output.stderr, stream: "stderr", tokens: room.tokens * 0.4 });
    put("stdout", { excerpt: output.stdout, stream: "stdout", tokens: room.tokens });
    return;
  }
  const unclaimed = run.findings?.unclaimed.stderr;
  put("stderr", {
    // The lines that no parser claimed are numbered over both streams.
    ...(unclaimed === undefined ? { excerpt: output.stderr, stream: "stderr" } : { excerpt: unclaimed }),
    tokens: STDERR_TOKENS[report.passed ? "passed" : "failed"],
  });
  const end = { excerpt: output.stdout, stream: "stdout", endOnly: true } as const;
  if (verbosity === "normal") put("stdout", { ...end, tokens: room.tokens });
  else if (isUnexplained(report)) put("tail", { ...end, tokens: EVIDENCE_TOKENS });
  else if (isOneLine(report) && run.log.stdoutLines === 1)
    put("tail", { ...end, excerpt: { total: 1, first: report.raw ?? [], last: [] }, tokens: room.tokens });
}

function isUnexplained({ disagreements, passed }: RunReport): boolean {
  return disagreements.length > 0 && !passed;
}
