import { readNodeError } from "../../javascript/node-error.ts";
import { quotedPattern } from "../../javascript/runner-output.ts";
import { asNumber, asObject, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import type { Sink } from "../../tool.ts";

const EVENT = /^\["(?:start|pass|fail|end)",\{/;

/** Reads one event of Mocha's `json-stream` reporter; false for any other line. */
export function readStreamEvent(text: string, sink: Sink): boolean {
  const event = EVENT.test(text) ? parseJson(text) : undefined;
  if (!Array.isArray(event) || event.length !== 2) return false;
  const [kind, told]: unknown[] = event;
  const data = asObject(told);
  if (data === undefined) return false;
  if (kind === "fail") return readFailure(data, sink);
  if (kind === "end") return readEnd(data, sink);
  return kind === "start" ? asNumber(data["total"]) !== undefined : asText(data["fullTitle"]) !== undefined;
}

function readFailure(test: JsonObject, sink: Sink): boolean {
  const name = asText(test["fullTitle"]);
  if (name === undefined) return false;
  const stack = readNodeError((asText(test["stack"]) ?? "").split("\n"));
  const isHook = /"(?:before|after) (?:all|each)" hook\b/.test(asText(test["title"]) ?? "");
  sink.failure({
    name,
    kind: isHook ? "suite" : "test",
    message: stack.message === "" ? (asText(test["err"]) ?? "") : stack.message,
    ...defined({ file: asText(test["file"]) }),
    ...stack.place,
    rerun: `-g ${quotedPattern(name)}`,
  });
  return true;
}

function readEnd(stats: JsonObject, sink: Sink): boolean {
  const passed = asNumber(stats["passes"]);
  const failed = asNumber(stats["failures"]);
  if (passed === undefined || failed === undefined) return false;
  const rest = { skipped: asNumber(stats["pending"]), durationMs: asNumber(stats["duration"]) };
  sink.summary({ passed, failed, ...defined(rest) });
  return true;
}
