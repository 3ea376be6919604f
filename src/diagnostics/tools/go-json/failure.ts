import type { Place } from "../../../model/diagnostic.ts";
import type { TestFailure } from "../../../model/test-summary.ts";
import { firstOwnGoFrame } from "../../traces/go-frames.ts";
import { readTestLines } from "../go-test/message.ts";

const MARKS = /^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:FAIL|PASS|SKIP)|FAIL\b|PASS$|exit status )/;
/** Go 1.14 put the test's name before the place. */
const NAMED = /^\s*[\w/.#-]{1,300}: (?=[\w./\\-]{1,300}\.go:\d)/;

/** The failure that a Go test's output tells of: its `file_test.go:12: message` lines, its panic, or its race. */
export function failureFromOutput(packageName: string, test: string, output: readonly string[]): TestFailure {
  const base = { name: test, kind: "test" as const, rerun: rerunOf(packageName, test) };
  const lines = output.filter((line) => !MARKS.test(line));
  const crash = crashIn(lines);
  if (crash !== undefined) return { ...base, ...crash };
  const details = readTestLines(lines.map((line) => line.replace(NAMED, "")));
  const cutOff = details.message === "failed" && output.length < 2;
  return { ...base, ...details, ...(cutOff ? { message: "did not finish" } : {}) };
}

/** A panic or a data race, at the first frame of the project. */
export function crashIn(lines: readonly string[]): ({ message: string } & Partial<Place>) | undefined {
  const at = lines.findIndex((line) => /^(?:panic: |fatal error: |WARNING: DATA RACE)/.test(line.trim()));
  if (at < 0) return undefined;
  const place = firstOwnGoFrame(lines.slice(at));
  const head = (lines[at] ?? "").trim();
  const message = head.startsWith("WARNING")
    ? "race detected during execution of test"
    : head.replace(/ \[recovered\].*$/, "");
  return { message, ...place };
}

function rerunOf(packageName: string, test: string): string {
  const pattern = test
    .split("/")
    .map((part) => `^${part.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)}$`)
    .join("/");
  return `go test ${packageName} -run '${pattern}'`;
}
