import type { TestFailure } from "../model/test-summary.ts";
import { colonPlace, parenPlace } from "./place.ts";

/** An assertion that failed in a C++ test: where it stands, and what the framework printed below its head. */
export interface Assertion {
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly lines: string[];
}

/** The assertion at `t.cpp:5`, or at `t.cpp(5)` as it is printed where Microsoft's compiler built the test. */
export function assertionAt(at: string, ...lines: string[]): Assertion | undefined {
  const place = colonPlace(at) ?? parenPlace(at);
  return place === undefined ? undefined : { file: place.file, line: place.line, lines };
}

/** The place of an assertion as a failure carries it. */
export function placeOfAssertion(assertion: Assertion | undefined): Pick<TestFailure, "file" | "line"> {
  return {
    ...(assertion?.file === undefined ? {} : { file: assertion.file }),
    ...(assertion?.line === undefined ? {} : { line: assertion.line }),
  };
}
