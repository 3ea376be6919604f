import { countsFromTotal } from "../../parsing/counts.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import { isForeignRuby, rubyFrame } from "../../traces/ruby-trace.ts";
import type { DocumentParser, Sink } from "../../tool.ts";

/** RSpec's JSON formatter. */
export const rspecReport: DocumentParser = {
  matches: (start) => start.startsWith("{") && start.includes('"examples"') && start.includes('"version"'),
  parse(text, sink) {
    const report = asObject(parseJson(text));
    const summary = asObject(report?.["summary"]);
    if (report === undefined || summary?.["example_count"] === undefined) return false;
    for (const example of asObjects(report["examples"]))
      if (example["status"] === "failed") fail(example, sink);
    const total = asNumber(summary["example_count"]) ?? 0;
    const failed = asNumber(summary["failure_count"]) ?? 0;
    const skipped = asNumber(summary["pending_count"]) ?? 0;
    const seconds = asNumber(summary["duration"]);
    sink.summary({
      ...countsFromTotal(total, { failed, skipped }),
      unhandledErrors: asNumber(summary["errors_outside_of_examples_count"]) ?? 0,
      ...(seconds === undefined ? {} : { durationMs: Math.round(seconds * 1000) }),
    });
    return true;
  },
};

function fail(example: JsonObject, sink: Sink): void {
  const exception = asObject(example["exception"]);
  const backtrace = Array.isArray(exception?.["backtrace"]) ? exception["backtrace"] : [];
  const frame = backtrace
    .map((line) => rubyFrame(asText(line) ?? ""))
    .find((one) => one !== undefined && !isForeignRuby(one));
  const message = asText(exception?.["message"]) ?? "";
  const sides = /(?:^|\n)\s*expected: ?(.*)\n\s*got: ?(.*)/.exec(message);
  const file = asText(example["file_path"]);
  const line = asNumber(example["line_number"]);
  sink.failure(
    defined({
      name: asText(example["full_description"]) ?? asText(example["description"]) ?? "",
      kind: "test" as const,
      message: message.trim(),
      file: frame?.file ?? file,
      line: frame?.line ?? line,
      expected: sides?.[1],
      received: sides?.[2],
      rerun: file === undefined ? undefined : line === undefined ? file : `${file}:${line}`,
    }),
  );
}
