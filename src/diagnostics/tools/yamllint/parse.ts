import { leadingPlace } from "../../parsing/place.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const ROW = /^ {0,2}(\d{1,9}):(\d{1,9}) {1,12}(error|warning) {1,4}(.*?) {1,2}\(([\w-]+)\)$/;
const PARSABLE = /^\[(error|warning)\] (.*?)(?: \(([\w-]+)\))?$/;

/** Reads yamllint's standard format, in which a file's complaints stand below its name, and its parsable one. */
export class YamllintParser implements LineParser {
  readonly #sink: Sink;
  #candidate: string | undefined;
  #file: string | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    const row = /^ {0,2}\d/.test(text) ? ROW.exec(text) : null;
    if (row !== null) return this.#row(row);
    const placed = / \[(?:error|warning)\] /.test(text) ? leadingPlace(text) : undefined;
    const match = placed === undefined ? null : PARSABLE.exec(placed.rest);
    if (placed !== undefined && match !== null) {
      const [, word, message = "", code] = match;
      this.#report(word, message, code, placed.place);
      return true;
    }
    if (text === "") return false;
    this.#file = undefined;
    // The file's name alone on a line is only known by what follows it.
    this.#candidate = /^\S/.test(text) && text.length < 1000 ? text : undefined;
    return /^[^:]{1,300}\.ya?ml$/.test(text) && !/ [-/]/.test(text);
  }

  end(): void {
    this.#candidate = undefined;
  }

  #row(match: RegExpExecArray): boolean {
    const file = this.#file ?? this.#candidate;
    if (file === undefined) return false;
    this.#file = file;
    const [, line, column, word, message = "", code] = match;
    this.#report(word, message, code, { file, line: Number(line), column: Number(column) });
    return true;
  }

  #report(word: string | undefined, message: string, code: string | undefined, place: object): void {
    const severity = word === "error" ? "error" : "warning";
    this.#sink.diagnostic({
      severity,
      ...place,
      ...(code === undefined ? {} : { code }),
      message: message.trim(),
    });
  }
}
