import type { Severity } from "../../../model/diagnostic.ts";
import { singleLine } from "../../parsing/single-line.ts";
import type { LineReading } from "../../parsing/single-line.ts";

/** `/app/AndroidManifest.xml:3: Warning: Not targeting the latest version [OldTargetApi]` */
const LINT =
  /^(\S.{0,1000}?\.\w{1,12})(?::(\d{1,9}))?: (Error|Warning|Information|Fatal): (.{1,4000}) \[(\w{2,80})(?: from [^\]]{1,200})?\]$/;
/** The resource compiler: `ERROR:/app/res/values/strings.xml:12:5: AAPT: error: resource not found.` */
const AAPT =
  /^(?:ERROR: ?)?(\S.{0,1000}?\.(?:xml|png|json|9\.png))(?::(\d{1,9})(?::(\d{1,9}))?(?:-\d{1,9}(?::\d{1,9})?)?)?: (?:AAPT: )?error: (.*)$/;
const SEVERITIES: Readonly<Record<string, Severity>> = {
  Error: "error",
  Fatal: "error",
  Warning: "warning",
  Information: "info",
};

/** Reads Android's lint and resource compiler. */
export const androidLintParser = singleLine((text): LineReading => {
  const lint = text.endsWith("]") ? LINT.exec(text) : null;
  if (lint !== null) {
    const [, file = "", line, word = "", message = "", code = ""] = lint;
    const at = line === undefined ? {} : { line: Number(line) };
    return { severity: SEVERITIES[word] ?? "warning", file, ...at, code, message };
  }
  const aapt = text.includes("error: ") ? AAPT.exec(text) : null;
  if (aapt === null) return undefined;
  const [, file = "", line, column, message = ""] = aapt;
  return {
    severity: "error",
    file,
    ...(line === undefined ? {} : { line: Number(line) }),
    ...(column === undefined ? {} : { column: Number(column) }),
    message,
  };
});
