import { readSides } from "./comparison.ts";
import { nativeFrame, projectFrame } from "../../traces/python-trace.ts";
import type { Place } from "../../../model/diagnostic.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

type Details = Pick<TestFailure, "message" | "file" | "line" | "source" | "expected" | "received">;

/** Matches `tests/test_cart.py:15: AssertionError`, `shop/cart.py:10: in discount`, `conftest.py:3:`. */
const PLACE = /^([^\s>](?:.*\S)?):(\d{1,7}):?(?: (?:in .+|[\w.<>]+)?)?$/;
const FIXTURE = /^file (.+), line (\d{1,7})$/;
const CHAINED = /^(?:During handling of the above exception|The above exception was the direct cause)/;
const CAPTURED = /^-+ Captured .+ -+$/;
const GROUP = /^ *\+ Exception Group Traceback \(/;
const MAX_MESSAGE_LINES = 60;

/** Reads the lines below the heading of one failed test, fixture or module. */
export function readBlock(lines: readonly string[]): Details {
  const report = beforeCaptured(lines);
  if (report.some((line) => GROUP.test(line))) return readGroup(report);
  const own = lastException(report);
  const all = errorLines(own);
  const errors = withoutSource(all);
  const native = errors.length === 0 ? nativeError(own) : [];
  const example = own.findLast((line) => /^\d{3,} +>>> /.test(line));
  const plain = example === undefined ? plainMessage(own) : [example.replace(/^\d+ +/, "")];
  const message = errors.length > 0 ? errors : native.length > 0 ? native : plain;
  const place = syntaxPlace(all) ?? projectFrame(frames(own));
  const sides = readSides(errors.length > 0 ? errors : native);
  const doctest = sides ?? doctestSides(own);
  const source = place === undefined || example !== undefined ? undefined : sourceAt(own, place);
  const isNew = source !== undefined && !message.some((line) => line.includes(source));
  return {
    message: (sides === undefined ? message : withoutDiff(message))
      .slice(0, MAX_MESSAGE_LINES)
      .join("\n")
      .trimEnd(),
    ...(place === undefined ? {} : { file: place.file }),
    ...(place?.line === undefined ? {} : { line: place.line }),
    ...(isNew ? { source } : {}),
    ...doctest,
  };
}

/** Reads an exception group, in which each exception is an indented tree with a margin. */
function readGroup(lines: readonly string[]): Details {
  const inside = lines.filter((line) => /^ *\|/.test(line)).map((line) => line.replace(/^ *\| ?/, ""));
  const content = inside.filter((line) => /^\S/.test(line) && !line.startsWith("Traceback ("));
  const place = projectFrame(frames(inside));
  return { message: content.slice(0, MAX_MESSAGE_LINES).join("\n"), ...place };
}

function beforeCaptured(lines: readonly string[]): readonly string[] {
  const at = lines.findIndex((line) => CAPTURED.test(line));
  return at < 0 ? lines : lines.slice(0, at);
}

/** Returns the lines of the exception raised last, which failed the test; its causes are printed before it. */
function lastException(lines: readonly string[]): readonly string[] {
  const at = lines.findLastIndex((line) => CHAINED.test(line));
  return at < 0 ? lines : lines.slice(at + 1);
}

/** Returns the text of the `E` lines without their common indentation. */
function errorLines(lines: readonly string[]): string[] {
  const marked = lines.filter((line) => /^E(?: |$)/.test(line)).map((line) => line.slice(1));
  const indents = marked.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const shared = indents.length === 0 ? 0 : Math.min(...indents.slice(0, 500));
  return marked.map((line) => line.slice(shared).trimEnd());
}

/** Reads the exception of `--tb=native`, which is printed unindented after the frames. */
function nativeError(lines: readonly string[]): string[] {
  const last = lines.findLastIndex((line) => nativeFrame(line) !== undefined);
  if (last < 0) return [];
  const from = lines.findIndex((line, index) => index > last && /^\S/.test(line));
  return from < 0 ? [] : lines.slice(from).map((line) => line.trimEnd());
}

function plainMessage(lines: readonly string[]): string[] {
  return lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !PLACE.test(line) && !/^\[gw\d+\] /.test(line));
}

function frames(lines: readonly string[]): Place[] {
  return lines.flatMap((line) => {
    const native = nativeFrame(line);
    if (native !== undefined) return [native];
    const match = FIXTURE.exec(line) ?? (/^[E>] /.test(line) ? null : PLACE.exec(line.trimEnd()));
    return match === null ? [] : [{ file: match[1] ?? "", line: Number(match[2]) }];
  });
}

/** Returns the location of a syntax error, which the error itself names. */
function syntaxPlace(errors: readonly string[]): Place | undefined {
  return errors.map((line) => nativeFrame(line)).find((place) => place !== undefined);
}

/** Removes the quoted source of a syntax error; the last line is its message. */
function withoutSource(errors: readonly string[]): readonly string[] {
  const last = errors.findLastIndex((line) => /^\w*(?:SyntaxError|IndentationError|TabError): /.test(line));
  return last > 0 && syntaxPlace(errors) !== undefined ? errors.slice(last) : errors;
}

function withoutDiff(message: readonly string[]): string[] {
  return message.filter(
    (line, index) => index === 0 || /^(?: \+ {2,}where|assert |[A-Z]\w*(?:Error|Exception): )/.test(line),
  );
}

/** Reads a doctest's `Expected:` and `Got:`. */
function doctestSides(lines: readonly string[]): { expected: string; received: string } | undefined {
  const expected = lines.indexOf("Expected:");
  const got = lines.indexOf("Got:");
  if (expected < 0 || got < expected) return undefined;
  const end = lines.findIndex((line, index) => index > got && (line.trim() === "" || PLACE.test(line)));
  return {
    expected: dedented(lines.slice(expected + 1, got)),
    received: dedented(lines.slice(got + 1, end < 0 ? undefined : end)),
  };
}

function dedented(lines: readonly string[]): string {
  return lines.map((line) => line.replace(/^ {4}/, "").trimEnd()).join("\n");
}

/** Upper bound on the kept lines of the statement that failed; the first ones identify it. */
const MAX_LINES = 3;
const MAX_CHARACTERS = 300;

/**
 * Returns the statement that failed at a location. The long style marks it with `>` above the location; the short and native styles print it below.
 */
function sourceAt(lines: readonly string[], { file, line }: Place): string | undefined {
  const at = lines.findLastIndex(
    (text) => text.startsWith(`${file}:${line}:`) || isNativeAt(text, file, line),
  );
  if (at < 0) return undefined;
  const below = joined(lines.slice(at + 1));
  const marked = lines.findLastIndex((text, index) => index < at && text.startsWith(">"));
  const mine = lines.slice(marked, at).every((text) => !/^\S.*:\d+: (?:in )?\w/.test(text));
  const above =
    marked >= 0 && mine
      ? joined([lines[marked]?.replace(">", " ") ?? "", ...lines.slice(marked + 1, at)])
      : "";
  return (above || below).slice(0, MAX_CHARACTERS) || undefined;
}

function isNativeAt(text: string, file: string, line: number | undefined): boolean {
  const place = nativeFrame(text);
  return place?.file === file && place.line === line;
}

/**
 * Joins the indented lines of a statement, up to the next error or stack frame, and removes the indentation of the
 * first line.
 */
function joined(lines: readonly string[]): string {
  const end = lines.findIndex((text) => !/^\s+\S/.test(text) || nativeFrame(text) !== undefined);
  const own = (end < 0 ? lines : lines.slice(0, end)).filter((text) => !/^[\s^~]+$/.test(text));
  const margin = own[0]?.search(/\S/) ?? 0;
  return own
    .slice(0, MAX_LINES)
    .map((text) => text.slice(Math.min(margin, text.search(/\S/))).trimEnd())
    .join("\n");
}
