import { findExpectation } from "../../parsing/expectation.ts";
import { childNamed, elementsNamed, parseXml } from "../../parsing/xml.ts";
import type { XmlElement } from "../../parsing/xml.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Sink } from "../../tool.ts";
import { dotnetFramePlace } from "../../traces/dotnet-trace.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

export const nunit = defineBuildTool({
  id: "nunit",
  title: "NUnit XML report",
  url: "https://docs.nunit.org/articles/nunit/technical-notes/usage/Test-Result-XML-Format.html",
  ecosystem: "dotnet",
  kinds: ["test"],
  signatures: [],
  document: { matches: (start) => /<test-(?:run|results)[\s>]/.test(start), parse: parseNunit },
});

/** Result words of NUnit 3, and of NUnit 2, which uses `Success` and `Failure`. */
const PASSED = new Set(["Passed", "Success", "Warning"]);
const FAILED = new Set(["Failed", "Failure", "Error", "Cancelled", "NotRunnable"]);

/** Reads the report of NUnit 3 (`<test-run>`) or of NUnit 2 (`<test-results>`). */
function parseNunit(text: string, sink: Sink): boolean {
  const root = parseXml(text);
  if (root?.name !== "test-run" && root?.name !== "test-results") return false;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const test of elementsNamed(root, "test-case")) {
    const result =
      test.attributes["result"] ?? (test.attributes["success"] === "False" ? "Failed" : "Passed");
    if (FAILED.has(result)) {
      counts.failed++;
      sink.failure(failureOf(test, "test"));
    } else if (PASSED.has(result) && test.attributes["executed"] !== "False") counts.passed++;
    else counts.skipped++;
  }
  for (const suite of elementsNamed(root, "test-suite"))
    if (failedItself(suite)) sink.failure(failureOf(suite, "suite"));
  // NUnit 2 gives the duration only for suites; that of the outermost suite, which contains all others, is used.
  const seconds = Number(root.attributes["duration"] ?? childNamed(root, "test-suite")?.attributes["time"]);
  sink.summary({
    ...counts,
    ...(Number.isFinite(seconds) ? { durationMs: Math.round(seconds * 1000) } : {}),
  });
  return true;
}

/** Returns whether a suite failed by itself, because it could not be loaded or set up, rather than because of its tests. */
function failedItself(suite: XmlElement): boolean {
  const { result = "", site = "" } = suite.attributes;
  if (!FAILED.has(result) || site === "Child" || site === "Parent") return false;
  const message = messageOf(suite);
  return message !== "" && !message.startsWith("One or more child tests had errors");
}

function failureOf(element: XmlElement, kind: TestFailure["kind"]): TestFailure {
  const { fullname, name = "", label } = element.attributes;
  const trace = childNamed(childNamed(element, "failure") ?? element, "stack-trace")?.text ?? "";
  const place = trace
    .split("\n")
    .map(dotnetFramePlace)
    .find((one) => one !== undefined);
  const message = messageOf(element);
  return {
    name: fullname ?? name,
    kind,
    message: message === "" ? (label ?? "failed") : message,
    ...place,
    ...findExpectation(message),
  };
}

function messageOf(element: XmlElement): string {
  const cause = childNamed(element, "failure", "reason");
  return (cause === undefined ? "" : (childNamed(cause, "message")?.text ?? ""))
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}
