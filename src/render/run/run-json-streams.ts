import type { RunReport } from "../../model/run-report.ts";
import type { Fields, OutputText, Room } from "../json-room.ts";
import { isOneLine } from "./run-head.ts";

/** A success says little on stderr; stdout as the only evidence of a failure is short too. */
const STDERR_TOKENS = { passed: 120, failed: 400 } as const;
const EVIDENCE_TOKENS = 400;

/** Streams as the verbosity asks; a failure that nothing explains brings the end of stdout in any case. */
export function addStreams(fields: Fields, report: RunReport, room: Room): void {
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
    // What the parsers left is counted over both streams.
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
