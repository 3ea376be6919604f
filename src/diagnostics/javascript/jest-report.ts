import { shellWord } from "../parsing/shell-word.ts";
import { stripEscapes } from "../clean/escapes.ts";
import { trimBlank } from "./diff.ts";
import { readJestError } from "./jest-error.ts";
import type { JestError } from "./jest-error.ts";
import { quotedPattern } from "./runner-output.ts";
import { asArray, asNumber, asObject, asObjects, asText, defined, parseJson } from "../parsing/json.ts";
import type { JsonObject } from "../parsing/json.ts";
import type { Sink } from "../tool.ts";
import type { Place } from "../../model/diagnostic.ts";

/** Returns whether a document with this beginning is Jest's report, by keys that Vitest does not write. */
export function isJestReport(start: string): boolean {
  return (
    isReport(start) && /"(?:numRuntimeErrorTestSuites|openHandles|wasInterrupted|testFilePath)"/.test(start)
  );
}

export function isVitestReport(start: string): boolean {
  return isReport(start) && !isJestReport(start);
}

function isReport(start: string): boolean {
  return start.includes('"numTotalTests"') || start.includes('"numFailedTestSuites"');
}

/** Reads the JSON report format of Jest, which Vitest writes too. Returns false if the text is not such a report. */
export function readJestReport(text: string, sink: Sink): boolean {
  const report = asObject(parseJson(text));
  if (report === undefined || asNumber(report["numTotalTests"]) === undefined) return false;
  const files = asObjects(report["testResults"]);
  let suites = 0;
  for (const file of files) suites += readFile(file, sink);
  const number = (key: string): number => asNumber(report[key]) ?? 0;
  const failed = number("numFailedTests");
  const loadFailures = Math.max(number("numRuntimeErrorTestSuites"), suites);
  const start = asNumber(report["startTime"]);
  const ends = files.map((file) => asNumber(file["endTime"])).filter((end) => end !== undefined);
  sink.summary(
    defined({
      passed: number("numPassedTests"),
      failed,
      skipped: number("numPendingTests") + number("numTodoTests"),
      total: number("numTotalTests"),
      // If the report says that the run failed but contains no failed test, the run failed for another reason, which
      // counts as a failed suite.
      failedSuites: loadFailures === 0 && failed === 0 && report["success"] === false ? 1 : loadFailures,
      durationMs:
        start === undefined || ends.length === 0
          ? undefined
          : Math.max(0, Math.round(Math.max(...ends) - start)),
    }),
  );
  return true;
}

/** Reports the failures of one file, and returns 1 if the file itself failed without a failed test. */
function readFile(file: JsonObject, sink: Sink): number {
  const path = asText(file["name"]) ?? asText(file["testFilePath"]);
  const tests = [...asObjects(file["assertionResults"]), ...asObjects(file["testResults"])];
  const failed = tests.filter((test) => test["status"] === "failed");
  for (const test of tests) {
    if (test["status"] === "passed") sink.outcome({ name: nameOf(test), result: "passed" });
    else if (test["status"] !== "failed") sink.outcome({ name: nameOf(test), result: "skipped" });
  }
  for (const test of failed) {
    const text = asArray(test["failureMessages"]).map(asText).filter(isText).join("\n\n");
    const { message, place, sides } = readMessage(text);
    const name = nameOf(test);
    sink.failure({
      name,
      kind: "test",
      message,
      ...defined({ file: path, rerun: path === undefined ? undefined : rerunOf(path, test) }),
      ...(place ?? location(test)),
      ...sides,
    });
  }
  if (failed.length > 0 || file["status"] !== "failed" || path === undefined) return 0;
  const { message, place } = readMessage(asText(file["message"]) ?? "");
  sink.failure({ name: path, kind: "suite", message, file: path, ...place, rerun: shellWord(path) });
  return 1;
}

function nameOf(test: JsonObject): string {
  const title = asText(test["title"]);
  const suites = asArray(test["ancestorTitles"]).map(asText).filter(isText).filter(Boolean);
  if (title !== undefined && suites.length > 0) return [...suites, title].join(" > ");
  return title ?? asText(test["fullName"]) ?? "";
}

function rerunOf(path: string, test: JsonObject): string {
  return `${shellWord(path)} -t ${quotedPattern((asText(test["fullName"]) ?? nameOf(test)).replaceAll(" > ", " "))}`;
}

function location(test: JsonObject): Omit<Place, "file"> {
  const place = asObject(test["location"]);
  return defined({ line: asNumber(place?.["line"]), column: asNumber(place?.["column"]) });
}

const SUITE_BULLET = /^ {2}● Test suite failed to run$/;

/**
 * Reads the failure of a suite in the report. Its text is what Jest prints on the terminal, with the bullet and the
 * indentation.
 */
function readMessage(raw: string): JestError {
  const lines = stripEscapes(raw)
    .replace(/^Error: (?=expect|thrown: )/, "")
    .split("\n");
  if (!SUITE_BULLET.test(lines[0] ?? "")) return readJestError(lines);
  return readJestError(trimBlank(lines.slice(1).map((line) => line.replace(/^ {1,4}/, ""))));
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}
