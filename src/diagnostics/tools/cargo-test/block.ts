import { addPanicLine, beginPanic, isPanicEnd } from "../cargo/panic.ts";
import type { Panic } from "../cargo/panic.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

type Details = Pick<TestFailure, "message" | "file" | "line" | "column" | "expected" | "received">;

const FRAME = /^\s+at (.+):(\d{1,7}):(\d{1,7})$/;
const FOREIGN = /^\/rustc\/|[/\\]\.cargo[/\\]registry[/\\]|[/\\]rustlib[/\\]/;
const NOT_PANICKED = /^note: test did not panic as expected(?: at (.+):(\d{1,7}):(\d{1,7}))?$/;
const RUSTC_ERROR = /^error(?:\[E\d{4}\])?: /;

/**
 * Reads the output of one failed Rust test: the panic's message and location, and the two values that its assertion
 * compared.
 */
export function readFailure(lines: readonly string[]): Details {
  const panics = readPanics(lines);
  // The last panic is the test's own; panics of helper threads are printed before it.
  const panic = panics.at(-1);
  if (panic === undefined) return withoutPanic(lines);
  const place = isForeign(panic) ? (projectFrame(lines) ?? panic) : panic;
  const note = lines.find((line) => line.startsWith("note: panic did not contain expected string"));
  const message = [
    panic.message.join("\n").trim(),
    ...(note === undefined ? [] : [expectedPanic(lines)]),
  ].join("\n");
  const equal = !/!=/.test(panic.message[0] ?? "");
  return {
    message: equal ? message || "panicked" : [message, ...sides(panic)].join("\n"),
    ...(place.file === undefined ? {} : { file: place.file }),
    ...(place.line === undefined ? {} : { line: place.line }),
    ...(place.column === undefined ? {} : { column: place.column }),
    ...(equal && panic.expected !== undefined ? { expected: panic.expected } : {}),
    ...(equal && panic.received !== undefined ? { received: panic.received } : {}),
  };
}

function sides(panic: Panic): string[] {
  return [`  left: ${panic.received ?? ""}`, ` right: ${panic.expected ?? ""}`];
}

function readPanics(lines: readonly string[]): Panic[] {
  const panics: Panic[] = [];
  let open: Panic | undefined;
  for (const line of lines) {
    const begun = beginPanic(line);
    if (begun !== undefined) panics.push((open = begun));
    else if (open !== undefined && (isPanicEnd(line) || line.startsWith("note: "))) open = undefined;
    else if (open !== undefined) addPanicLine(open, line);
  }
  return panics;
}

function isForeign(panic: Panic): boolean {
  return panic.file === undefined || FOREIGN.test(panic.file);
}

function projectFrame(lines: readonly string[]): { file: string; line: number; column: number } | undefined {
  for (const text of lines) {
    const frame = FRAME.exec(text);
    const [, file = "", line, column] = frame ?? [];
    if (frame !== null && !FOREIGN.test(file))
      return { file: file.replace(/^\.\//, ""), line: Number(line), column: Number(column) };
  }
  return undefined;
}

function expectedPanic(lines: readonly string[]): string {
  const from = lines.findIndex((line) => line.startsWith("note: panic did not contain expected string"));
  return lines
    .slice(from, from + 3)
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Reads a test that returned an error or did not panic as expected, or a doc test that did not compile. */
function withoutPanic(lines: readonly string[]): Details {
  const missing = lines.map((line) => NOT_PANICKED.exec(line)).find((match) => match !== null);
  if (missing?.[1] !== undefined)
    return {
      message: "test did not panic as expected",
      file: missing[1],
      line: Number(missing[2]),
      column: Number(missing[3]),
    };
  const compile = lines.find((line) => RUSTC_ERROR.test(line));
  if (compile !== undefined) return { message: compile, ...arrowPlace(lines) };
  const words = lines.filter((line) => line.trim() !== "").map((line) => line.trimEnd());
  // The message is taken from the last `Error: `, because the error that a test returns is printed last.
  const error = words.findLastIndex((line) => line.startsWith("Error: "));
  return { message: (error < 0 ? words : words.slice(error)).join("\n") || "failed" };
}

function arrowPlace(lines: readonly string[]): { file: string; line: number; column: number } | undefined {
  for (const text of lines) {
    const arrow = /^ *--> (.+):(\d{1,7}):(\d{1,7})$/.exec(text);
    if (arrow !== null) return { file: arrow[1] ?? "", line: Number(arrow[2]), column: Number(arrow[3]) };
  }
  return undefined;
}
