import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const FILE = /^== \[(.{1,1000})\] (FAIL|PASS)$/;
const ROW = /^L: {1,6}(\d{1,9}) \| P: {1,6}(\d{1,9}) \| {1,4}([A-Z]{2,4}\d{0,4}|[A-Z]\d{3}) \| (.*)$/;
const MORE = /^ {10,40}\| (.*)$/;
const RULE_NAME = /^(.*?) ?\[([a-z_.]+)\]$/;

/** Reads SQLFluff's human format. */
export class SqlfluffParser implements LineParser {
  readonly #drafts;
  #file: string | undefined;

  constructor(sink: Sink) {
    this.#drafts = drafting({
      ...sink,
      diagnostic(found) {
        // Since version 2 the rule's name closes the message.
        const named = RULE_NAME.exec(found.message);
        sink.diagnostic(named === null ? found : { ...found, message: named[1] ?? "" });
      },
    });
  }

  take({ text }: Line): boolean {
    const file = FILE.exec(text);
    if (file !== null) {
      this.#drafts.close();
      this.#file = file[1];
      return true;
    }
    const row = this.#file === undefined ? null : ROW.exec(text);
    if (row !== null) {
      const [, line, column, code = "", message = ""] = row;
      const place = { file: this.#file ?? "", line: Number(line), column: Number(column) };
      this.#drafts.open({ severity: "error", ...place, code }, message);
      return true;
    }
    const more = MORE.exec(text)?.[1];
    const draft = this.#drafts.current;
    if (draft !== undefined && more !== undefined) {
      draft.message.push(`${draft.message.pop() ?? ""} ${more}`.trim());
      return true;
    }
    this.#drafts.close();
    return this.#file !== undefined && text.startsWith("All Finished");
  }

  end(): void {
    this.#drafts.close();
  }
}
