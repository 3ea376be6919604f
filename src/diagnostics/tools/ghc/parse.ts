import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

/** `Cart.hs:4:9-12: warning: [GHC-66111] [-Wunused-matches]`, a span of lines as `(3,1)-(5,10)`. */
const HEAD =
  /^(\S.{0,1000}?\.l?hs(?:-boot|c)?):(?:(\d{1,9}):(\d{1,9})(?:-(\d{1,9}))?|\((\d{1,9}),(\d{1,9})\)-\((\d{1,9}),(\d{1,9})\)): (error|warning):(.*)$/;
const GHC_CODE = /\[(GHC-\d{4,6})\]/;
const FLAG = /\[(-W[\w-]{1,80})(?:, .*?| \(.*?\))?\]/;
const FRAME = /^ {0,8}\d{0,7} \||^ {0,8}\|/;

/** Reads GHC, also below cabal and stack. */
export class GhcParser implements LineParser {
  readonly #drafts;
  #indent = "";

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take(line: Line): boolean {
    const head = line.text.includes("hs:") ? HEAD.exec(line.text.trimStart()) : null;
    if (head !== null) {
      // Stack shows the log of a package that it could not build indented.
      this.#indent = line.text.slice(0, line.text.length - line.text.trimStart().length);
      return this.#open(head);
    }
    const text = line.text.startsWith(this.#indent) ? line.text.slice(this.#indent.length) : line.text;
    const draft = this.#drafts.current;
    if (draft !== undefined && FRAME.test(text)) return true;
    if (draft !== undefined && /^ {4}\s*\S/.test(text)) {
      draft.message.push(text.slice(4));
      return true;
    }
    this.#drafts.close();
    return false;
  }

  end(): void {
    this.#drafts.close();
  }

  #open(head: RegExpExecArray): boolean {
    const [, file = "", line, column, endColumn, fromLine, fromColumn, toLine, toColumn, word, rest = ""] =
      head;
    const span =
      fromLine === undefined
        ? {
            line: Number(line),
            column: Number(column),
            // GHC names the last column of the span, not the one after it.
            ...(endColumn === undefined ? {} : { endLine: Number(line), endColumn: Number(endColumn) + 1 }),
          }
        : {
            line: Number(fromLine),
            column: Number(fromColumn),
            endLine: Number(toLine),
            endColumn: Number(toColumn) + 1,
          };
    const code = FLAG.exec(rest)?.[1] ?? GHC_CODE.exec(rest)?.[1];
    const message = rest.replace(GHC_CODE, "").replace(FLAG, "").trim();
    const severity = word === "warning" ? "warning" : "error";
    this.#drafts.open({ severity, file, ...span, ...(code === undefined ? {} : { code }) });
    if (message !== "") this.#drafts.current?.message.push(message);
    return true;
  }
}
