import type { TestFailure } from "../../../model/test-summary.ts";
import { readFrame } from "../../frames.ts";
import { leadingPlace } from "../../place.ts";

const MARKS = /^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:FAIL|PASS|SKIP)|FAIL\b|PASS$|exit status )/;

/** The failure that a Go test's output tells of: its `file_test.go:12: message` lines, or its panic. */
export function failureFromOutput(packageName: string, test: string, output: readonly string[]): TestFailure {
  const lines = output.filter((line) => !MARKS.test(line));
  const panic = lines.findIndex((line) => /^panic: |^fatal error: /.test(line.trim()));
  const base = { name: test, kind: "test" as const, rerun: rerunOf(packageName, test) };
  if (panic >= 0) {
    const frames = lines.slice(panic).map(readFrame);
    const place = frames.find((frame) => frame?.own === true)?.place;
    return { ...base, message: (lines[panic] ?? "").trim().replace(/ \[recovered\]$/, ""), ...place };
  }
  const placed = lines.map((line) => leadingPlace(line.trim()));
  const first = placed.find((one) => one !== undefined && /^[\w./\\-]+\.go$/.test(one.place.file));
  const message = lines
    .map((line) => {
      const one = leadingPlace(line.trim());
      return one !== undefined && one.place.file.endsWith(".go") ? one.rest : line.trimEnd();
    })
    .join("\n")
    .trim();
  return {
    ...base,
    message,
    ...(first === undefined ? {} : { file: first.place.file, line: first.place.line ?? 0 }),
  };
}

function rerunOf(packageName: string, test: string): string {
  const pattern = test
    .split("/")
    .map((part) => `^${part.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)}$`)
    .join("/");
  return `go test ${packageName} -run '${pattern}'`;
}
