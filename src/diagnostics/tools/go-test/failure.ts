import type { Place } from "../../../model/diagnostic.ts";
import type { TestFailure } from "../../../model/test-summary.ts";
import { firstOwnGoFrame } from "../../traces/go-frames.ts";
import { readTestLines } from "./message.ts";

export interface Test {
  readonly name: string;
  status: "running" | "FAIL" | "PASS" | "SKIP";
  readonly lines: string[];
}

/** A crash in the form of a log line, so that it is read as the test's first complaint. */
export function crashLine(message: string, place: Place | undefined): string {
  return place === undefined
    ? `panic: ${message}`
    : `    ${place.file}:${place.line ?? 0}: panic: ${message}`;
}

/** The failure of one test, with the package it is in. */
export function toFailure(
  test: Test,
  pack: string | undefined,
  race: readonly string[] | undefined,
): TestFailure {
  const details = test.name.startsWith("Example") ? exampleDetails(test.lines) : readTestLines(test.lines);
  const raced =
    race !== undefined && test.lines.some((line) => line.includes("race detected during execution of test"));
  const place = raced ? firstOwnGoFrame(race) : undefined;
  return {
    kind: "test",
    name: test.name,
    ...details,
    ...(raced ? { message: ["race detected during execution of test", ...race.slice(0, 1)].join("\n") } : {}),
    ...(place === undefined ? {} : { file: place.file }),
    ...(place?.line === undefined ? {} : { line: place.line }),
    rerun: rerunOf(test.name, pack),
  };
}

/** An example's output is compared as a whole. */
function exampleDetails(lines: readonly string[]): Pick<TestFailure, "message" | "expected" | "received"> {
  const got = lines.indexOf("got:");
  const want = lines.findIndex((line) => /^want(?: \(unordered\))?:$/.test(line));
  if (got < 0 || want < got) return readTestLines(lines);
  return {
    message: "output differs",
    received: lines.slice(got + 1, want).join("\n"),
    expected: lines
      .slice(want + 1)
      .join("\n")
      .trimEnd(),
  };
}

function rerunOf(name: string, pack: string | undefined): string {
  const pattern = name
    .split("/")
    .map((part) => `^${part}$`)
    .join("/");
  return `go test ${pack === undefined ? "" : `${pack} `}-run '${pattern}'`;
}
