import type { Line, LineParser, Sink } from "../../tool.ts";

const PLAIN = /^(\S.{0,1000}?\.kts?):(\d{1,9}):(\d{1,9}):? (.{1,4000}?) \(([a-z][\w:-]{0,120})?\)$/;
const FILE = /^(\S.{0,1000}?\.kts?)$/;
const ROW = /^ {2}(\d{1,9}):(\d{1,9}) (.{1,4000}?) \(([a-z][\w:-]{0,120})?\)$/;
const NOISE =
  /^(?:Summary error count \(descending\) by rule:|.* Lint has found errors tha[nt] can be autocorrected using 'ktlint --format'| {2}[\w:. -]{1,120}: \d+)$/;

/** Reads ktlint's plain reporter, also grouped by file. */
export class KtlintParser implements LineParser {
  readonly #sink: Sink;
  #file: string | undefined;
  #seen = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    const plain = text.endsWith(")") ? PLAIN.exec(text) : null;
    if (plain !== null) {
      const [, file = "", line, column, message = "", code] = plain;
      return this.#report({ file, line: Number(line), column: Number(column) }, message, code);
    }
    const row = this.#file === undefined ? null : ROW.exec(text);
    if (row !== null) {
      const [, line, column, message = "", code] = row;
      return this.#report(
        { file: this.#file ?? "", line: Number(line), column: Number(column) },
        message,
        code,
      );
    }
    this.#file = FILE.exec(text)?.[1];
    return this.#seen && NOISE.test(text);
  }

  end(): void {
    this.#file = undefined;
  }

  #report(place: object, message: string, code: string | undefined): true {
    this.#seen = true;
    const fix = message.replace(/ \(cannot be auto-corrected\)$/, "");
    this.#sink.diagnostic({
      severity: "error",
      ...place,
      ...(code === undefined ? {} : { code }),
      message: fix,
    });
    return true;
  }
}
