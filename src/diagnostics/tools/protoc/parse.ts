import { singleLine } from "../../parsing/single-line.ts";
import type { LineReading } from "../../parsing/single-line.ts";

/** protoc writes a blank after the place, buf none. */
const COMPLAINT = /^(\S.{0,1000}?\.proto):(\d{1,9}):(\d{1,9}):( ?)(?:(warning|error): )?(\S.*)$/;
const PROTOLINT = /^\[(\S.{0,1000}?\.proto):(\d{1,9}):(\d{1,9})\] (.*)$/;
const MISSING = /^(\S.{0,1000}?\.proto): (File not found\.|Import .*|.* had errors\.?)$/;
const FAILURE = /^Failure: (.*)$/;

/** Reads protoc and buf. */
export const protocParser = singleLine((text): LineReading => {
  const match = text.includes(".proto:") ? COMPLAINT.exec(text) : null;
  if (match !== null) {
    const [, file = "", line, column, blank, word, message = ""] = match;
    return {
      severity: word === "warning" ? "warning" : "error",
      ...(blank === "" ? { tool: "buf" } : {}),
      file,
      line: Number(line),
      column: Number(column),
      message,
    };
  }
  const protolint = text.startsWith("[") ? PROTOLINT.exec(text) : null;
  if (protolint !== null) {
    const [, file = "", line, column, message = ""] = protolint;
    const place = { file, line: Number(line), column: Number(column) };
    return { severity: "error", tool: "protolint", ...place, message };
  }
  const missing = text.includes(".proto: ") ? MISSING.exec(text) : null;
  if (missing !== null) return { severity: "error", file: missing[1] ?? "", message: missing[2] ?? "" };
  const failure = text.includes(".proto") ? FAILURE.exec(text)?.[1] : undefined;
  return failure === undefined ? undefined : { severity: "error", tool: "buf", message: failure };
});
