import { NO_REASON, fileFailure } from "../../javascript/node-error.ts";
import { findExpectation } from "../../parsing/expectation.ts";
import { childNamed, elementsNamed, parseXml } from "../../parsing/xml.ts";
import type { XmlElement } from "../../parsing/xml.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Sink } from "../../tool.ts";
import { firstOwnFrame } from "../../traces/frames.ts";
import type { Place } from "../../../model/diagnostic.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

export const junit = defineBuildTool({
  id: "junit",
  title: "JUnit XML report",
  url: "https://github.com/testmoapp/junitxml",
  ecosystem: "general",
  kinds: ["test"],
  signatures: [],
  document: { matches: (start) => /<testsuites?[\s>/]/.test(start), parse: parseJunit },
  rerun: "pytest",
  repeats: "report",
});

/** Reads a JUnit XML report in the dialects of surefire, gradle, pytest, jest-junit, vitest, phpunit, gotestsum, mocha and others. */
function parseJunit(text: string, sink: Sink): boolean {
  const root = parseXml(text);
  if (root === undefined || !/^testsuites?$/.test(root.name)) return false;
  const counts = { passed: 0, failed: 0, skipped: 0, failedSuites: 0, durationMs: 0 };
  const brokenSuites = new Set<string>();
  let linted = 0;
  for (const suite of suitesOf(root)) {
    addUnlisted(suite, counts);
    for (const test of suite.children.filter((child) => child.name === "testcase")) {
      const finding = lintFinding(suite, test);
      if (finding !== undefined) {
        sink.diagnostic(finding);
        linted++;
        continue;
      }
      counts.durationMs += milliseconds(test.attributes["time"]);
      const failure = failureOf(suite, test);
      if (failure !== undefined) {
        // A suite that did not load is reported once; jest-junit lists it a second time, with the error's fields as
        // JSON.
        if (brokenSuites.has(failure.name)) continue;
        if (failure.kind === "suite") {
          brokenSuites.add(failure.name);
          counts.failedSuites++;
        } else counts.failed++;
        sink.failure(failure);
      } else if (
        childNamed(test, "skipped", "disabled") !== undefined ||
        test.attributes["status"] === "skipped"
      ) {
        counts.skipped++;
        sink.outcome({ name: nameOf(suite, test, test.attributes["file"]), result: "skipped" });
      } else {
        counts.passed++;
        sink.outcome({ name: nameOf(suite, test, test.attributes["file"]), result: "passed" });
      }
    }
    for (const error of suite.children.filter(
      (child) => child.name === "error" || child.name === "failure",
    )) {
      counts.failedSuites++;
      sink.failure(brokenSuite(suite, error));
    }
  }
  if (linted === 0) sink.summary({ ...counts, durationMs: Math.round(counts.durationMs) });
  return true;
}

interface SuiteCounts {
  passed: number;
  failed: number;
  skipped: number;
  failedSuites: number;
}

/** Adds the counts of a suite whose tests are not listed, as some tools report them. */
function addUnlisted(suite: XmlElement, counts: SuiteCounts): void {
  if (childNamed(suite, "testcase", "testsuite", "error", "failure") !== undefined) return;
  const [tests = 0, failures = 0, errors = 0, skipped = 0] = ["tests", "failures", "errors", "skipped"].map(
    (name) => Math.max(0, Number(suite.attributes[name]) || 0),
  );
  // If a suite has errors but no tests, it did not load.
  if (tests === 0) counts.failedSuites += failures + errors;
  else counts.failed += failures + errors;
  counts.skipped += skipped;
  counts.passed += Math.max(0, tests - failures - errors - skipped);
}

function* suitesOf(root: XmlElement): Generator<XmlElement> {
  if (root.name === "testsuite") yield root;
  yield* elementsNamed(root, "testsuite");
  // Some tools omit the suite element and put the test cases directly below the root.
  if (root.name === "testsuites" && childNamed(root, "testcase") !== undefined) yield root;
}

function failureOf(suite: XmlElement, test: XmlElement): TestFailure | undefined {
  const cause = childNamed(test, "failure", "error");
  if (cause === undefined) return undefined;
  const message = messageOf(cause) || printedBy(test);
  const isFile = didNotLoad(test, cause);
  const named =
    findPath(test.attributes["classname"]) ??
    findPath(suite.attributes["name"]) ??
    (isFile ? findPath(test.attributes["name"]) : undefined);
  const place = placeOf(test, cause, test.attributes["file"] ?? named);
  const name = nameOf(suite, test, place.file);
  return {
    name,
    kind: isFile ? "suite" : "test",
    message: message.replace(`${name}\n`, ""),
    ...place,
    ...(findExpectation(cause.text) ?? findExpectation(message)),
    ...(name.includes("::") && place.file?.endsWith(".py") === true ? { rerun: name } : {}),
  };
}

/**
 * Returns what a failed test printed; it serves as the message because Rust's own reporter leaves the failure element
 * empty.
 */
function printedBy(test: XmlElement): string {
  const lines = (childNamed(test, "system-out", "system-err")?.text ?? "").trim().split("\n");
  const end = lines.findIndex((line) => /^(?:stack backtrace:|\s+at \S)/.test(line));
  return lines.slice(0, end > 0 ? Math.min(end, MAX_MESSAGE_LINES) : MAX_MESSAGE_LINES).join("\n");
}

function brokenSuite(suite: XmlElement, error: XmlElement): TestFailure {
  return {
    name: suite.attributes["name"] ?? "",
    kind: "suite",
    message: messageOf(error),
    ...firstOwnFrame(error.text),
  };
}

/**
 * Returns the failure's message: the `message` attribute with the line ends that it has in the element's text, because
 * attributes lose them. Without the attribute, it is the text up to the stack trace.
 */
function messageOf(cause: XmlElement): string {
  const attribute = cause.attributes["message"]?.trim() ?? "";
  const lines = cause.text
    .trim()
    .replace(/^● Test suite failed to run\s+/, "")
    .split("\n");
  if (attribute === "collection failure" || attribute.startsWith("failed on setup with"))
    return pythonErrors(lines) ?? attribute;
  if (attribute === NO_REASON)
    return fileFailure(/exitCode: (\d+)/.exec(cause.text)?.[1], /signal: '(\w+)'/.exec(cause.text)?.[1]);
  if (attribute !== "" && !(EMPTY_MESSAGE.test(attribute) && lines.join("").trim() !== ""))
    return asWritten(attribute, lines) ?? withType(attribute, cause.attributes["type"] ?? "");
  const end = lines.findIndex((line) => /^\s+at \S|^\s*❯ |^\/\S+:\d+$|^\s*> \d+ \|/.test(line));
  return (end > 0 ? lines.slice(0, end) : lines.slice(0, MAX_MESSAGE_LINES)).join("\n").trim();
}

const MAX_MESSAGE_LINES = 20;
/** Matches a message attribute without information; the text is used instead. */
const EMPTY_MESSAGE = /^exception$/i;
/** Upper bound on the length of the error type that may precede the message in the element's text. */
const MAX_TYPE = 60;

function asWritten(attribute: string, lines: readonly string[]): string | undefined {
  const wanted = attribute.replaceAll(/\s/g, "");
  let squeezed = "";
  for (const [index, line] of lines.slice(0, MAX_MESSAGE_LINES).entries()) {
    squeezed += line.replaceAll(/\s/g, "");
    if (squeezed.length > wanted.length + MAX_TYPE) return undefined;
    if (squeezed.endsWith(wanted))
      return lines
        .slice(0, index + 1)
        .join("\n")
        .replace(/^Error \[ERR_TEST_FAILURE\]: /, "");
  }
  return undefined;
}

function withType(message: string, type: string): string {
  return /^[\w.\\]+(?:Error|Exception)$/.test(type) && !message.includes(type)
    ? `${type}: ${message}`
    : message;
}

/** Returns the lines that pytest marks with `E`, which contain the exception's message. */
function pythonErrors(lines: readonly string[]): string | undefined {
  const marked = lines.filter((line) => line.startsWith("E  ")).map((line) => line.slice(1).trim());
  return marked.length > 0 ? marked.join("\n") : undefined;
}

/** Finds the failure's location: the first frame inside the project, preferably in the test's own file, otherwise what the report names. */
function placeOf(test: XmlElement, cause: XmlElement, file: string | undefined): Partial<Place> {
  const frame = firstOwnFrame(cause.text) ?? firstOwnFrame(cause.attributes["message"] ?? "");
  if (frame !== undefined) return frame;
  // Without stack frames, the first line is used, where C++ frameworks print the assertion's location.
  const [, above, number] =
    /^\s*(\S[^\n:]{0,400}\.(?:c|cc|cpp|cxx|h|hpp)):(\d{1,9}):?\s*\n/.exec(cause.text) ?? [];
  if (above !== undefined) return { file: above, line: Number(number) };
  // The report's line number is used only here, for failures without stack frames; Python's reporter counts lines from
  // 0, but its failures have frames.
  const line = Number(test.attributes["line"]);
  if (file === undefined) return {};
  return Number.isInteger(line) && line > 0 ? { file, line } : { file };
}

/** Returns whether the failure is a file that did not load. pytest, jest-junit, vitest and node:test report one as a test with the file's name. */
function didNotLoad(test: XmlElement, cause: XmlElement): boolean {
  const { name = "", classname = "" } = test.attributes;
  return (
    cause.attributes["message"] === "collection failure" ||
    classname === "Test suite failed to run" ||
    ((name === classname || cause.attributes["message"] === NO_REASON) && findPath(name) !== undefined)
  );
}

/** Builds the test's name in the notation of its language: `com.acme.CartTest.adds`, `test_cart.py::test_adds`, `cart > adds`. */
function nameOf(suite: XmlElement, test: XmlElement, file: string | undefined): string {
  const { name = "", classname = "" } = test.attributes;
  if (suite.attributes["name"] === "pytest")
    return pytestId(name, classname, test.attributes["file"] ?? file);
  if (classname === "test")
    return suite.name === "testsuite" ? `${suite.attributes["name"] ?? ""} > ${name}` : name;
  if (classname === "" || name.startsWith(classname) || findPath(classname) !== undefined) return name;
  if (classname.includes(" › ") && !name.includes(" › ")) return `${classname} › ${name}`;
  if (!/^[\w$]+(?:[.\\/:$][\w$]+)*$/.test(classname)) return name;
  return file?.endsWith(".php") === true
    ? `${test.attributes["class"] ?? classname}::${name}`
    : `${classname}.${name}`;
}

/** Builds pytest's own id from `tests.test_cart.TestCart` and `test_adds`; the module's file is the one that the report or the trace names. */
function pytestId(name: string, classname: string, file: string | undefined): string {
  const parts = classname.split(".").filter(Boolean);
  const upTo = parts.findIndex((part) => /^Test[A-Z_]|^[A-Z]/.test(part));
  const modules = upTo < 0 ? parts : parts.slice(0, upTo);
  const classes = upTo < 0 ? [] : parts.slice(upTo);
  if (modules.length === 0) return file ?? name;
  return [`${modules.join("/")}.py`, ...classes, name].join("::");
}

function findPath(text: string | undefined): string | undefined {
  return text !== undefined && /^[^\s]*\.[cm]?[jt]sx?$|\.py$|\.php$|_spec\.rb$/.test(text) ? text : undefined;
}

function milliseconds(seconds: string | undefined): number {
  const value = Number(seconds ?? 0);
  return Number.isFinite(value) ? value * 1000 : 0;
}

const PLACED = /^line (\d{1,7}), col(?:umn)? (\d{1,7}), (?:(Error|Warning|Info) - )?([\s\S]*)$/;

/** Reads a linter's finding. Linters that write JUnit XML put each one into a test case, with the location in words. */
function lintFinding(suite: XmlElement, test: XmlElement): Found | undefined {
  const cause = childNamed(test, "failure", "error");
  const match = PLACED.exec(cause?.text.trim() ?? "");
  const file = suite.attributes["name"];
  if (cause === undefined || match === null || file === undefined) return undefined;
  const [, line, column, word, text = ""] = match;
  const code = (test.attributes["name"] ?? "").replace(/^org\.eslint\./, "");
  return {
    tool: suite.attributes["package"] === "org.eslint" ? "eslint" : "junit",
    severity: word === "Warning" ? "warning" : word === "Info" ? "info" : "error",
    file,
    line: Number(line),
    column: Number(column),
    ...(code === "" ? {} : { code }),
    message: cause.attributes["message"] ?? text,
  };
}
