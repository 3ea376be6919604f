import type { Place, Severity } from "../../../model/diagnostic.ts";
import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

/** Matches the compiler's own format: `Cart.kt:6:23: error: message`. */
const PLAIN = /^(?:file:\/\/)?(.{1,4000}?\.kts?):(\d{1,9}):(\d{1,9}): (error|warning|exception|info): (.*)$/;
/** Matches Gradle's format: `e: file:///app/Cart.kt:6:23 message`, before Kotlin 1.7 `e: /app/Cart.kt: (6, 23): message`. */
const GRADLE = /^([ew]): (?:\[ksp\] )?(.*)$/;
const GRADLE_PLACE =
  /^(?:file:\/\/)?(.{1,4000}?\.(?:kts?|java)):(?: \((\d{1,9}), (\d{1,9})\):?|(\d{1,9}):(?:(\d{1,9}):?)?) (?:(?:error|warning): )?(.*)$/;
const CARET = /^\s*\^+\s*$/;
const DECLARATION =
  /^(?:@|(?:public|private|protected|internal|open|abstract|final|override|inline|suspend|operator|infix|fun|val|var|constructor|class|object|interface) ?\b|- )/;

/** Reads the Kotlin compiler's output, directly or through Gradle. */
export function kotlinParser(sink: Sink): LineParser {
  const drafts = drafting(sink);
  let inFrame = false;
  let held: string | undefined;

  function header(text: string): boolean {
    const match = text.startsWith("e: ") || text.startsWith("w: ") ? GRADLE.exec(text) : null;
    if (match === null) return plainHeader(text);
    const [, letter, rest = ""] = match;
    const { place, message } = readGradlePlace(rest);
    if (message.trim() === "") return false;
    drafts.open({ severity: letter === "e" ? "error" : "warning", ...place }, message);
    inFrame = false;
    return true;
  }

  function plainHeader(text: string): boolean {
    const plain = text.includes(".kt") ? PLAIN.exec(text) : null;
    if (plain === null) return false;
    const [, file = "", line, column, word, message = ""] = plain;
    const place = { file, line: Number(line), column: Number(column) };
    drafts.open({ severity: severityOf(word), ...place }, message);
    inFrame = true;
    held = undefined;
    return true;
  }

  /** Reads the lines below the compiler's header: more of the message, the source line, and carets. */
  function frameLine(text: string): boolean {
    const draft = drafts.current;
    if (draft === undefined) return false;
    if (CARET.test(text)) {
      const from = text.indexOf("^") + 1;
      const length = text.trim().length;
      if (draft.found.column === from && length > 1)
        draft.found = { ...draft.found, endLine: draft.found.line ?? 1, endColumn: from + length };
      held = undefined;
      drafts.close();
      return true;
    }
    if (held !== undefined) draft.message.push(held);
    // Upper bound on the lines of a message. Long messages list candidates for an overload; anything longer is not this
    // compiler's.
    if (text.trim() === "" || draft.message.length > 60) return false;
    held = text;
    return true;
  }

  function continues(text: string): boolean {
    const draft = drafts.current;
    if (draft === undefined) return false;
    if (inFrame) return frameLine(text);
    const last = draft.message.at(-1) ?? "";
    if (text.trim() === "" || !(last.trimEnd().endsWith(":") || DECLARATION.test(text))) return false;
    draft.message.push(text);
    return true;
  }

  return {
    take({ text }: Line): boolean {
      if (header(text)) return true;
      if (continues(text)) return true;
      drafts.close();
      return false;
    },
    end: () => drafts.close(),
  };
}

function severityOf(word: string | undefined): Severity {
  return word === "warning" ? "warning" : word === "info" ? "info" : "error";
}

function readGradlePlace(rest: string): { place?: Place; message: string } {
  const match = GRADLE_PLACE.exec(rest);
  if (match === null) return { message: rest };
  const [, file = "", oldLine, oldColumn, line, column, message = ""] = match;
  return {
    place: {
      file: localPath(file, rest),
      line: Number(oldLine ?? line),
      // The column is missing in messages of javac that kapt passes on.
      ...((oldColumn ?? column) === undefined ? {} : { column: Number(oldColumn ?? column) }),
    },
    message,
  };
}

/** Converts a file URL to a path: a drive letter follows the third slash, and blanks are `%20`. */
function localPath(file: string, rest: string): string {
  if (!rest.startsWith("file://")) return file;
  const path = /^\/[A-Za-z]:\//.test(file) ? file.slice(1) : file;
  return path.replaceAll("%20", " ");
}
