import type { Severity } from "../../../model/diagnostic.ts";
import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const HINT =
  /^(\S.{0,1000}?\.l?hs):(?:(\d{1,9}):(\d{1,9})(?:-(\d{1,9}))?|\((\d{1,9}),(\d{1,9})\)-\((\d{1,9}),(\d{1,9})\)): (Error|Warning|Suggestion|Ignore): (.*)$/;
const PART = /^(?:Found|Perhaps|Why not|Note):(.*)$/;
const SEVERITIES: Readonly<Record<string, Severity>> = { Error: "error", Warning: "warning" };

/** Reads HLint's hints: the header, what was found, what to write instead. */
export class HlintParser implements LineParser {
  readonly #drafts;
  #suggesting = false;

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const hint = text.includes("hs:") ? HINT.exec(text) : null;
    if (hint !== null) return this.#open(hint);
    const draft = this.#drafts.current;
    if (draft === undefined) return /^(?:No hints|\d+ hints?)$/.test(text);
    const part = PART.exec(text);
    if (part !== null) {
      this.#suggesting = !text.startsWith("Found");
      return true;
    }
    if (/^ {2}/.test(text)) {
      if (this.#suggesting) draft.help.push(text.slice(2));
      return true;
    }
    this.#drafts.close();
    return text.trim() === "";
  }

  end(): void {
    this.#drafts.close();
  }

  #open(hint: RegExpExecArray): true {
    const [
      ,
      file = "",
      line,
      column,
      endColumn,
      fromLine,
      fromColumn,
      toLine,
      toColumn,
      word = "",
      message = "",
    ] = hint;
    const end = endColumn === undefined ? {} : { endLine: Number(line), endColumn: Number(endColumn) + 1 };
    const span =
      fromLine === undefined
        ? { line: Number(line), column: Number(column), ...end }
        : {
            line: Number(fromLine),
            column: Number(fromColumn),
            endLine: Number(toLine),
            endColumn: Number(toColumn) + 1,
          };
    this.#drafts.open({ severity: SEVERITIES[word] ?? "info", file, ...span }, message);
    this.#suggesting = false;
    return true;
  }
}
