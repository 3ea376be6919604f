import type { TestFailure } from "../../model/test-summary.ts";
import { colonPlace, parenPlace } from "../parsing/place.ts";

/** A failed assertion in a C or C++ test: its location and the lines that the framework prints for it. */
export interface Assertion {
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly lines: string[];
}

/** Reads the location of an assertion: `t.cpp:5`, or `t.cpp(5)` if the test was built with Microsoft's compiler. */
export function assertionAt(at: string, ...lines: string[]): Assertion | undefined {
  const place = colonPlace(at) ?? parenPlace(at);
  return place === undefined ? undefined : { file: place.file, line: place.line, lines };
}

/** Matches glibc's format, ``prog: a.c:12: main: Assertion `x' failed.``; the C++ library prints it without the program. */
const GLIBC = /^(?:[^\s:]{1,200}: )?(\S.{0,300}?:\d{1,7}): (?:.{1,2000}: )?(Assertion [`'].*' failed\.)$/;
/** Matches the format of the BSDs, macOS, Windows and musl: `Assertion failed: (x), function main, file a.c, line 12.` */
const FAILED =
  /^(Assertion failed: .{1,2000}?)(?:, function .{1,500})?(?:, file (.{1,300}), line (\d{1,7})\.?| \((.{1,300}?): .{1,500}: (\d{1,7})\))$/;
/** Matches newlib's format: `assertion "x" failed: file "a.c", line 12, function: main`. */
const NEWLIB = /^(assertion ".{1,2000}" failed): file "(.{1,300})", line (\d{1,7})/;

/** Reads the line that C's `assert` prints before the program aborts. */
export function readAssert(text: string): (Assertion & { readonly message: string }) | undefined {
  if (!/^[Aa]ssertion |: Assertion /.test(text) || text.length > 4_000) return undefined;
  const glibc = GLIBC.exec(text);
  const place = colonPlace(glibc?.[1] ?? "");
  if (glibc !== null && place !== undefined)
    return { file: place.file, line: place.line, lines: [glibc[2] ?? ""], message: glibc[2] ?? "" };
  const [, message, file, line, file2, line2] = FAILED.exec(text) ?? NEWLIB.exec(text) ?? [];
  if (message === undefined) return undefined;
  return { file: file ?? file2, line: Number(line ?? line2), lines: [message], message };
}

/** Returns the location of an assertion as fields of a test failure. */
export function placeOfAssertion(assertion: Assertion | undefined): Pick<TestFailure, "file" | "line"> {
  return {
    ...(assertion?.file === undefined ? {} : { file: assertion.file }),
    ...(assertion?.line === undefined ? {} : { line: assertion.line }),
  };
}
