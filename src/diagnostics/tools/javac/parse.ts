import type { Severity } from "../../../model/diagnostic.ts";
import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

/** Severity words of javac in all its languages. */
const SEVERITIES: Readonly<Record<string, Severity>> = {
  error: "error",
  エラー: "error",
  错误: "error",
  Fehler: "error",
  warning: "warning",
  警告: "warning",
  Warnung: "warning",
};
/** Matches the severity behind a location. javadoc before Java 9 writes `warning - `. */
const HEADER = /^(\S{1,10})(?:: | - )(?:\[([\w.:-]{1,60})\] )?/;
/** Matches a message of javadoc about the run as a whole. */
const JAVADOC = /^javadoc: (error|warning)(?:: | - )(.*)$/;
const PLACELESS =
  /^(error: (?=invalid flag|file not found|warnings found and -Werror|release version |invalid (?:source|target) release|no source files|Class names, |error (?:reading|writing|while writing) |module not found|Source option |Target option |Annotation processor |cannot find symbol)|warning: (?=\[[a-z-]+\] ))(?:\[([a-z-]+)\] )?(.*)$/;
const CLOSING = /^(?:\d+ (?:errors?|warnings?)|Note: .*|Usage: javac .*|use --?help for .*)$/;
const CARET = /^\s*\^\s*$/;
const SEE = /^\s*\(see (https?:\/\/\S+)\)$/;
/** Matches the task's name that Gradle's old console prints on the same line as the first error. */
const TASK_BEFORE_PATH = /^:[\w:.-]{0,200}?(?=\/|[A-Za-z]:\\)/;

/** What the next line is expected to be: the source line, the caret below it, or more of the message. */
type Part = "source" | "caret" | "details";

/** Reads javac's output, also when Ant or Gradle run it. */
export function javacParser(sink: Sink): LineParser {
  const drafts = drafting(sink);
  let part: Part = "source";
  let held = "";

  function header(text: string): boolean {
    const found = readHeader(text);
    if (found === undefined) return false;
    drafts.open(found.fields, found.message);
    part = found.fields.file === undefined ? "details" : "source";
    return true;
  }

  function continues(text: string): boolean {
    const draft = drafts.current;
    if (draft === undefined) return false;
    if (part === "source") {
      held = text;
      part = "caret";
      return text.trim() !== "" && !CLOSING.test(text);
    }
    if (part === "caret") {
      part = "details";
      if (CARET.test(text)) {
        draft.found = { ...draft.found, column: text.indexOf("^") + 1 };
        return true;
      }
      // If no caret follows, the presumed source line was part of the message.
      if (/^\s/.test(held)) draft.message.push(held);
    }
    if (!/^\s+\S/.test(text) || draft.found.file === undefined) return false;
    const see = SEE.exec(text);
    if (see?.[1] !== undefined) draft.found = { ...draft.found, url: see[1] };
    else if (/^\s+Did you mean /.test(text)) draft.help.push(text.trim());
    else draft.message.push(text);
    return true;
  }

  return {
    take(line: Line): boolean {
      const text = unwrapped(line.text);
      if (header(text)) return true;
      if (continues(text)) return true;
      drafts.close();
      return CLOSING.test(text);
    },
    end: () => drafts.close(),
  };
}

function unwrapped(text: string): string {
  if (text.startsWith(":")) return text.replace(TASK_BEFORE_PATH, "");
  return text.includes("[javac] ") ? text.slice(text.indexOf("[javac] ") + 8) : text;
}

interface Header {
  readonly fields: {
    readonly severity: Severity;
    readonly file?: string;
    readonly line?: number;
    readonly code?: string;
  };
  readonly message: string;
}

function readHeader(text: string): Header | undefined {
  const at = text.indexOf(".java:");
  if (at <= 0) return readPlaceless(text);
  const number = /^\d{1,9}(?=: )/.exec(text.slice(at + 6, at + 17))?.[0];
  if (number === undefined) return undefined;
  const rest = text.slice(at + 8 + number.length);
  const match = HEADER.exec(rest);
  const severity = SEVERITIES[match?.[1] ?? ""];
  if (match === null || severity === undefined) return undefined;
  const code = match[2];
  return {
    fields: {
      severity,
      file: text.slice(0, at + 5).trimStart(),
      line: Number(number),
      ...(code === undefined ? {} : { code }),
    },
    message: rest.slice(match[0].length),
  };
}

function readPlaceless(text: string): Header | undefined {
  const [, word, message = ""] = text.startsWith("javadoc: ") ? (JAVADOC.exec(text) ?? []) : [];
  if (word !== undefined) return { fields: { severity: word === "error" ? "error" : "warning" }, message };
  const match = PLACELESS.exec(text);
  if (match === null) return undefined;
  const code = match[2];
  return {
    fields: {
      severity: text.startsWith("error") ? "error" : "warning",
      ...(code === undefined ? {} : { code }),
    },
    message: match[3] ?? "",
  };
}
