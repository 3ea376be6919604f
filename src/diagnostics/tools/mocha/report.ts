import { readNodeError } from "../../javascript/node-error.ts";
import { quotedPattern } from "../../javascript/runner-output.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import type { Sink } from "../../tool.ts";

export function isMochaReport(start: string): boolean {
  return start.includes('"stats"') && start.includes('"suites"') && start.includes('"passes"');
}

/** Reads Mocha's JSON reporter. */
export function readMochaReport(text: string, sink: Sink): boolean {
  const report = asObject(parseJson(text));
  const stats = asObject(report?.["stats"]);
  if (report === undefined || stats === undefined || !Array.isArray(report["failures"])) return false;
  for (const test of asObjects(report["failures"])) readFailure(test, sink);
  sink.summary(
    defined({
      passed: asNumber(stats["passes"]),
      failed: asNumber(stats["failures"]),
      skipped: asNumber(stats["pending"]),
      total: asNumber(stats["tests"]),
      durationMs: asNumber(stats["duration"]),
    }),
  );
  return true;
}

function readFailure(test: JsonObject, sink: Sink): void {
  const error = asObject(test["err"]);
  const stack = readNodeError((asText(error?.["stack"]) ?? "").split("\n"));
  const name = asText(test["fullTitle"]) ?? asText(test["title"]) ?? "";
  const sides = { expected: valueOf(error?.["expected"]), received: valueOf(error?.["actual"]) };
  sink.failure({
    name,
    kind: "test",
    message: stack.message === "" ? (asText(error?.["message"]) ?? "") : stack.message,
    ...defined({ file: asText(test["file"]), ...sides }),
    ...stack.place,
    rerun: `-g ${quotedPattern(name)}`,
  });
}

function valueOf(value: unknown): string | undefined {
  return value === undefined ? undefined : (asText(value) ?? JSON.stringify(value));
}
