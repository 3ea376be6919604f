import { asNumber, asObject, asText, parseJson } from "../../parsing/json.ts";
import type { Sink } from "../../tool.ts";
import { readFailure } from "./block.ts";

const EVENT = /^\{ ?"type": ?"(?:test|suite)", ?"/;

/** Reads a line of libtest's JSON format, which cargo-nextest writes too; false for any other line. */
export function readTestEvent(text: string, sink: Sink): boolean {
  if (!EVENT.test(text)) return false;
  const event = asObject(parseJson(text));
  const what = asText(event?.["event"]);
  if (event === undefined || what === undefined) return false;
  const name = asText(event["name"]) ?? "";
  if (event["type"] === "test" && (what === "failed" || what === "timeout"))
    sink.failure({
      kind: "test",
      name,
      ...readFailure((asText(event["stdout"]) ?? asText(event["reason"]) ?? what).split("\n")),
      rerun: `${name.replace(/^.*\$/, "")} -- --exact`,
    });
  if (event["type"] === "test" && what === "ok") sink.outcome({ name, result: "passed" });
  if (event["type"] === "test" && what === "ignored") sink.outcome({ name, result: "skipped" });
  if (event["type"] === "suite" && (what === "ok" || what === "failed"))
    sink.summary({
      passed: asNumber(event["passed"]) ?? 0,
      failed: asNumber(event["failed"]) ?? 0,
      skipped: asNumber(event["ignored"]) ?? 0,
      durationMs: Math.round((asNumber(event["exec_time"]) ?? 0) * 1000),
    });
  return true;
}
