import type { RunReport } from "../../model/run-report.ts";
import type { Fields, OutputText, JsonBudget } from "./json-budget.ts";
import { isOneLine } from "./run-head.ts";

/** The most tokens of stderr in a reply with the verbosity `minimal`, by the outcome of the run. */
const STDERR_TOKENS = { passed: 120, failed: 400 } as const;
/** The most tokens of stdout in a reply where the end of stdout is the only evidence of a failure. */
const EVIDENCE_TOKENS = 400;

/**
 * Adds stdout and stderr to a JSON reply as far as the verbosity asks for them. A failure without an explanation always
 * includes the end of stdout.
 */
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
    // Lines that no parser recognised carry line numbers over both streams, so no stream is named for them.
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
