import type { Severity } from "../../../model/diagnostic.ts";
import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const ONE_LINE = /^(ERROR|INFO|WARNING): (\w+) - (.{1,1000}?):(\d{1,9}):(\d{1,9}) - (.*)$/;
const EMACS = /^(\S.{0,1000}?\.php):(\d{1,9}):(\d{1,9}):(error|warning|info) - (\w+): (.*)$/;
const HEAD = /^(ERROR|INFO|WARNING): (\w+)$/;
const AT = /^at (.{1,1000}?):(\d{1,9}):(\d{1,9})$/;
const SEE = /^(.*?) ?\(see (https:\/\/psalm\.dev\/\d+)\)$/;
const CLOSING =
  /^(?:\d+ errors? found|No errors found!|-{20,}|Psalm can automatically fix .*|Checks took .*|Psalm was able to infer .*)$/;
const SEVERITIES: Readonly<Record<string, Severity>> = { ERROR: "error", WARNING: "warning", INFO: "info" };

/** Reads Psalm's console output, with the place on the first line (to version 5) or below it. */
export class PsalmParser implements LineParser {
  readonly #drafts;
  #open = false;
  #seen = false;

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const one = ONE_LINE.exec(text);
    if (one !== null) {
      const [, word = "", code = "", file = "", line, column, message = ""] = one;
      const place = { file, line: Number(line), column: Number(column) };
      this.#drafts.open({ severity: SEVERITIES[word] ?? "error", ...place, code });
      this.#message(message);
      return true;
    }
    const emacs = text.includes(" - ") ? EMACS.exec(text) : null;
    if (emacs !== null) {
      const [, file = "", line, column, word = "", code = "", message = ""] = emacs;
      const place = { file, line: Number(line), column: Number(column) };
      this.#drafts.open({ severity: SEVERITIES[word.toUpperCase()] ?? "error", ...place, code }, message);
      this.#drafts.close();
      return true;
    }
    const head = HEAD.exec(text);
    if (head !== null) {
      this.#drafts.open({ severity: SEVERITIES[head[1] ?? ""] ?? "error", code: head[2] ?? "" });
      this.#open = true;
      return true;
    }
    const draft = this.#drafts.current;
    if (draft !== undefined && this.#open) {
      const at = AT.exec(text);
      if (at !== null)
        draft.found = { ...draft.found, file: at[1] ?? "", line: Number(at[2]), column: Number(at[3]) };
      else if (text.trim() !== "") this.#message(text);
      return true;
    }
    if (this.#seen && (text.trim() === "" || /^\s{2,}\S/.test(text))) return true;
    this.#drafts.close();
    const closes = this.#seen && CLOSING.test(text);
    // Its last line: what is indented below is another's.
    if (text.startsWith("Psalm was able to infer")) this.#seen = false;
    return closes;
  }

  end(): void {
    this.#drafts.close();
  }

  #message(text: string): void {
    const draft = this.#drafts.current;
    if (draft === undefined) return;
    const see = SEE.exec(text);
    draft.message.push(see?.[1] ?? text);
    if (see?.[2] !== undefined) draft.found = { ...draft.found, url: see[2] };
    this.#open = false;
    this.#seen = true;
    this.#drafts.close();
  }
}
