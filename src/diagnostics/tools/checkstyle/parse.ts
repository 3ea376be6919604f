import type { Severity } from "../../../model/diagnostic.ts";
import { singleLine } from "../../parsing/single-line.ts";
import type { LineReading } from "../../parsing/single-line.ts";

const VIOLATION =
  /^(?:\[ant:checkstyle\] )?\[(ERROR|WARN|INFO)\] (\S.{0,1000}?):(\d{1,9}):(?:(\d{1,9}):)? (.{1,4000}) \[([A-Za-z][\w.]{1,120})\]$/;
/** Before version 6.15. */
const OLD =
  /^(\S.{0,1000}?\.\w{1,12}):(\d{1,9}):(?:(\d{1,9}):)? (?:(warning|info|error): )?(.{1,4000}) \[([A-Z][A-Za-z]{3,80})\]$/;
const NOISE = /^(?:Starting audit\.\.\.|Audit done\.|Checkstyle ends with \d+ errors?\.)$/;
const SEVERITIES: Readonly<Record<string, Severity>> = {
  ERROR: "error",
  WARN: "warning",
  INFO: "info",
  error: "error",
  warning: "warning",
  info: "info",
};

/** Reads Checkstyle's plain format, also as Ant and Gradle pass it on. */
export const checkstyleParser = singleLine((text): LineReading => {
  if (NOISE.test(text)) return "noise";
  if (!text.endsWith("]")) return undefined;
  const match = VIOLATION.exec(text);
  if (match !== null) {
    const [, word = "", file = "", line, column, message = "", code = ""] = match;
    return found({ word, file, line, column, message, code });
  }
  const old = text.includes(".java:") ? OLD.exec(text) : null;
  if (old === null) return undefined;
  const [, file = "", line, column, word = "error", message = "", code = ""] = old;
  return found({ word, file, line, column, message, code });
});

interface Parts {
  readonly word: string;
  readonly file: string;
  readonly line: string | undefined;
  readonly column: string | undefined;
  readonly message: string;
  readonly code: string;
}

function found({ word, file, line, column, message, code }: Parts): LineReading {
  return {
    severity: SEVERITIES[word] ?? "error",
    file,
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
    code,
    message,
  };
}
