import { stripEscapes } from "../../clean/escapes.ts";
import { readJestError } from "../../javascript/jest-error.ts";
import type { JsonObject } from "../../parsing/json.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { Sink } from "../../tool.ts";

export function isPlaywrightReport(start: string): boolean {
  return (
    /"(?:config|stats|suites)"/.test(start) &&
    (start.includes('"rootDir"') || start.includes('"specs"') || start.includes('"unexpected"'))
  );
}

/** Reads Playwright's JSON reporter. */
export function readPlaywrightReport(text: string, sink: Sink): boolean {
  const report = asObject(parseJson(text));
  if (report === undefined || !Array.isArray(report["suites"])) return false;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const suite of asObjects(report["suites"])) readSuite(suite, [], { sink, counts });
  for (const error of asObjects(report["errors"])) {
    const { message, place } = readError(error);
    sink.failure({ name: place?.file ?? "Playwright", kind: "suite", message, ...place });
  }
  const stats = asObject(report["stats"]);
  const of = (key: string): number => asNumber(stats?.[key]) ?? 0;
  const counted = stats === undefined ? counts : undefined;
  sink.summary(
    defined({
      passed: counted?.passed ?? of("expected") + of("flaky"),
      failed: counted?.failed ?? of("unexpected"),
      skipped: counted?.skipped ?? of("skipped"),
      durationMs: stats === undefined ? undefined : Math.round(of("duration")),
    }),
  );
  return true;
}

interface Reading {
  readonly sink: Sink;
  readonly counts: { passed: number; failed: number; skipped: number };
}

function readSuite(suite: JsonObject, above: readonly string[], reading: Reading): void {
  const title = asText(suite["title"]) ?? "";
  // The outermost suite is the file.
  const path = above.length === 0 ? [""] : [...above, title];
  for (const spec of asObjects(suite["specs"])) readSpec(spec, path.filter(Boolean), reading);
  for (const inner of asObjects(suite["suites"])) readSuite(inner, path, reading);
}

function readSpec(spec: JsonObject, path: readonly string[], { sink, counts }: Reading): void {
  for (const test of asObjects(spec["tests"])) {
    const results = asObjects(test["results"]);
    const status = asText(test["status"]) ?? asText(results.at(-1)?.["status"]) ?? "";
    if (status === "skipped") counts.skipped++;
    else if (status === "unexpected" || status === "failed" || status === "timedOut") counts.failed++;
    else counts.passed++;
    if (!/^(?:unexpected|failed|timedOut)$/.test(status)) continue;
    const result = results[0];
    const errors = asObjects(result?.["errors"]);
    const { message, place, sides } = readError(errors[0] ?? asObject(result?.["error"]) ?? {});
    const project = asText(test["projectName"]);
    const names = [...(project === undefined || project === "" ? [] : [`[${project}]`]), ...path];
    const file = asText(spec["file"]);
    const line = asNumber(spec["line"]);
    sink.failure({
      name: [...names, asText(spec["title"]) ?? ""].join(" › "),
      kind: "test",
      message,
      ...(place ?? defined({ file, line, column: asNumber(spec["column"]) })),
      ...sides,
      ...(file === undefined || line === undefined ? {} : { rerun: `${file}:${line}` }),
    });
  }
}

function readError(error: JsonObject): ReturnType<typeof readJestError> {
  const text = asText(error["stack"]) ?? asText(error["message"]) ?? asText(error["value"]) ?? "";
  return readJestError(
    stripEscapes(text)
      .replace(/^Error: (?=expect)/, "")
      .split("\n"),
  );
}
