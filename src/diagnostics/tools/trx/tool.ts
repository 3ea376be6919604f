import { findExpectation } from "../../parsing/expectation.ts";
import { childNamed, elementsNamed, parseXml } from "../../parsing/xml.ts";
import type { XmlElement } from "../../parsing/xml.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Sink } from "../../tool.ts";
import { firstOwnFrame } from "../../traces/frames.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

export const trx = defineBuildTool({
  id: "trx",
  title: "Visual Studio test results (TRX)",
  url: "https://learn.microsoft.com/dotnet/core/tools/dotnet-test",
  ecosystem: "dotnet",
  kinds: ["test"],
  signatures: [],
  document: {
    matches: (start) => start.includes("<TestRun") && start.includes("TeamTest"),
    parse: parseTrx,
  },
  repeats: "report",
});

const SKIPPED = new Set(["NotExecuted", "Inconclusive", "NotRunnable", "Pending", "Disconnected"]);
const PASSED = new Set(["Passed", "PassedButRunAborted", "Completed", "Warning"]);

/** Matches remarks about the run that only repeat that a test failed. */
const REPEATS = /\[FAIL\]\s*$|^\[xUnit\.net |Exit code indicates failure/;

/** Reads a TRX report: each test's result, and errors outside tests. */
function parseTrx(text: string, sink: Sink): boolean {
  const root = parseXml(text);
  if (root?.name !== "TestRun") return false;
  const counts = { passed: 0, failed: 0, skipped: 0, durationMs: 0, unhandledErrors: 0 };
  for (const result of elementsNamed(root, "UnitTestResult")) {
    // A data-driven test has one result for all rows together, which is skipped, and one per row.
    if (childNamed(result, "InnerResults") !== undefined) continue;
    const outcome = result.attributes["outcome"] ?? "";
    counts.durationMs += milliseconds(result.attributes["duration"]);
    if (PASSED.has(outcome)) counts.passed++;
    else if (SKIPPED.has(outcome)) counts.skipped++;
    else {
      counts.failed++;
      sink.failure(failureOf(result));
    }
  }
  for (const info of elementsNamed(root, "RunInfo")) {
    const message = childNamed(info, "Text")?.text.trim() ?? "";
    if (info.attributes["outcome"] !== "Error" || REPEATS.test(message)) continue;
    counts.unhandledErrors++;
    sink.failure({ name: "test run", kind: "unhandled", message });
  }
  sink.summary({ ...counts, durationMs: Math.round(counts.durationMs) });
  return true;
}

function failureOf(result: XmlElement): TestFailure {
  const output = childNamed(result, "Output");
  const info = output === undefined ? undefined : childNamed(output, "ErrorInfo");
  const message = (info === undefined ? "" : (childNamed(info, "Message")?.text ?? "")).trim();
  const trace = info === undefined ? "" : (childNamed(info, "StackTrace")?.text ?? "");
  return {
    name: result.attributes["testName"] ?? "",
    kind: "test",
    message: message === "" ? (result.attributes["outcome"] ?? "failed") : message,
    ...firstOwnFrame(trace),
    ...findExpectation(message),
  };
}

/** Converts `00:00:01.2345678` to milliseconds. */
function milliseconds(text: string | undefined): number {
  const match = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(text ?? "");
  if (match === null) return 0;
  return (Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3])) * 1000;
}
