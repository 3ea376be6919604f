import { drafting } from "../../parsing/draft.ts";
import { leadingPlace } from "../../parsing/place.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const FILE = /^FILE: (.{1,1000}?)\s*$/;
const ROW = /^ {1,9}(\d{1,9}) \| (ERROR|WARNING) {0,3}\| (?:\[([ x])\] )?(.*)$/;
/** The code report puts the code below, and a message that is too long on more lines. */
const CODE_ROW = /^LINE {1,9}(\d{1,9}): (ERROR|WARNING) {1,3}(?:\[([ x])\] )?(.*)$/;
const CODE_MORE = /^ {16,40}(\S.*)$/;
const QUOTED = /^(?:>>| {2}) {1,9}\d{1,9}:(?: |$)/;
const MORE = /^ {1,12}\| {3,12}\| {1,6}(\S.*)$/;
const EMACS = /^(error|warning) - (.*)$/;
const SNIFF = /^([\s\S]*?) ?\((\w+(?:\.\w+){2,4})\)$/;
/** Javadoc writes the same shape for its own files. */
const SNIFFED = /\.(?:php\d?|phtml|inc|js|css|module|install|theme|profile|tpl)$/i;
const NOISE =
  /^(?:-{20,}|FOUND \d+ (?:ERROR|WARNING).*|PHPCBF CAN FIX .*|NO (?:FIXABLE )?ERRORS.*|Time: [\d.]+.*; Memory: .*|[.EWS]{1,60} {1,60}\d+ \/ \d+ \(\d+%\))$/;

/** Reads PHP_CodeSniffer's full, code and emacs reports. */
export class PhpcsParser implements LineParser {
  readonly #sink: Sink;
  readonly #drafts;
  #file: string | undefined;

  constructor(sink: Sink) {
    // The sniff's name, shown with -s, closes the message, which may have been wrapped before it.
    this.#sink = {
      ...sink,
      diagnostic(found) {
        const sniff = SNIFF.exec(found.message);
        sink.diagnostic(sniff === null ? found : { ...found, message: sniff[1] ?? "", code: sniff[2] ?? "" });
      },
    };
    this.#drafts = drafting(this.#sink);
  }

  take({ text }: Line): boolean {
    const file = text.startsWith("FILE: ") ? FILE.exec(text)?.[1] : undefined;
    if (file !== undefined) {
      this.#drafts.close();
      this.#file = file;
      return true;
    }
    if (this.#file !== undefined && this.#row(this.#file, text)) return true;
    this.#drafts.close();
    return this.#emacs(text) || NOISE.test(text);
  }

  end(): void {
    this.#drafts.close();
  }

  #row(file: string, text: string): boolean {
    const row = ROW.exec(text) ?? CODE_ROW.exec(text);
    if (row !== null) {
      const [, line, word, fixable, message = ""] = row;
      const severity = word === "ERROR" ? "error" : "warning";
      const draft = this.#drafts.open({ severity, file, line: Number(line) }, message);
      if (fixable === "x") draft.help.push("fixable with phpcbf");
      return true;
    }
    const more = (MORE.exec(text) ?? CODE_MORE.exec(text))?.[1];
    const draft = this.#drafts.current;
    if (draft === undefined) return QUOTED.test(text);
    if (more === undefined) return false;
    draft.message.push(`${draft.message.pop() ?? ""} ${more}`);
    return true;
  }

  #emacs(text: string): boolean {
    const placed = / (?:error|warning) - /.test(text) ? leadingPlace(text) : undefined;
    const match = placed === undefined ? null : EMACS.exec(placed.rest);
    if (placed === undefined || match === null || !SNIFFED.test(placed.place.file)) return false;
    this.#sink.diagnostic({
      severity: match[1] === "error" ? "error" : "warning",
      ...placed.place,
      message: match[2] ?? "",
    });
    return true;
  }
}
