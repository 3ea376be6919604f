import type { Severity } from "../../../model/diagnostic.ts";
import { colonPlace } from "../../parsing/place.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const RULE_MARK = "━";
const TAG = / {1,2}(?:FIXABLE|INTERNAL|DEPRECATED|VERBOSE|FATAL|FIXED)$/;
const CATEGORY = /^[a-z][A-Za-z]*(?:\/[A-Za-z][\w-]*){0,4}$/;
const SAID = /^ {2}(×|✖|✕|x|!|⚠|i|ℹ) (\S.*)$/;
const SEVERITIES: Readonly<Record<string, Severity>> = {
  "!": "warning",
  "⚠": "warning",
  i: "info",
  ℹ: "info",
};
/** Closing remarks that only repeat that there were errors. */
const REPEATS = /^(?:Some (?:errors|warnings) were emitted|Biome exited (?:because|as) )/;
const CLOSING =
  /^(?:(?:Checked|Formatted|Linted) \d+ files? in |Found \d+ (?:errors?|warnings?|infos?)\.|Skipped \d+ suggested fix|Fixed \d+ file)/;

interface Header {
  readonly category: string;
  readonly path: string | undefined;
}

interface Pending extends Header {
  severity: Severity | undefined;
  readonly message: string[];
  readonly help: string[];
  part: "head" | "message" | "help" | "frame";
}

/** Reads the reports of `biome lint`, `check`, `ci` and `format`. */
export function biomeParser(sink: Sink): LineParser {
  let pending: Pending | undefined;

  function close(): void {
    const last = pending;
    pending = undefined;
    if (last?.severity === undefined) return;
    const message = last.message.join("\n");
    if (last.path === undefined && REPEATS.test(message)) return;
    sink.diagnostic({
      severity: last.severity,
      ...(last.path === undefined ? {} : (colonPlace(last.path) ?? { file: last.path })),
      code: last.category,
      message,
      ...(last.help.length > 0 ? { help: last.help } : {}),
    });
  }

  return {
    take({ text }: Line): boolean {
      const header = readHeader(text);
      if (header !== undefined) {
        close();
        pending = { ...header, severity: undefined, message: [], help: [], part: "head" };
        return true;
      }
      if (pending !== undefined && goesOn(pending, text)) return true;
      close();
      return CLOSING.test(text);
    },
    end: close,
  };
}

/** `src/a.ts:1:22 lint/suspicious/noExplicitAny  FIXABLE  ━━━`; the path may be absent and may hold blanks. */
function readHeader(text: string): Header | undefined {
  if (!text.endsWith(RULE_MARK) || text.length > 4_000 || text.startsWith(" ")) return undefined;
  let head = text.slice(0, text.indexOf(RULE_MARK)).trimEnd();
  while (TAG.test(head)) head = head.replace(TAG, "");
  const blank = head.lastIndexOf(" ");
  const category = head.slice(blank + 1);
  // The summary reporter lists files and rules, not what is wrong where.
  if (!CATEGORY.test(category) || category.startsWith("reporter/")) return undefined;
  return { category, path: blank < 0 ? undefined : head.slice(0, blank) };
}

/** All that is indented or blank belongs to the report: message, code frame, advice, difference. */
function goesOn(pending: Pending, text: string): boolean {
  if (text.trim() === "") {
    if (pending.part !== "head") pending.part = "frame";
    return true;
  }
  if (!text.startsWith(" ")) return false;
  const [, mark = "", said = ""] = text.length < 20_000 ? (SAID.exec(text) ?? []) : [];
  if (mark !== "" && pending.severity === undefined) {
    pending.severity = SEVERITIES[mark] ?? "error";
    pending.message.push(said.trimEnd());
    pending.part = "message";
  } else if (mark !== "") {
    // Text that ends with a colon only leads to a list.
    if (!said.trimEnd().endsWith(":")) pending.help.push(said.trimEnd());
    pending.part = "help";
  } else if (pending.part === "message" && !/[│┃]/.test(text)) pending.message.push(text.trim());
  return true;
}
