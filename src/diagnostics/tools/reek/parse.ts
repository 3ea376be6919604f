import type { Line, LineParser, Sink } from "../../tool.ts";

const FILE = /^(\S.{0,1000}?) -- (?:\d+) warnings?:$/;
/** `  [13, 15]:TooManyStatements: text [link]`; with single lines the file's name comes before each number. */
const SMELL =
  /^ {2}(?:\[(\d{1,9})(?:, [\d, ]{1,400})?\]:|(\S.{0,1000}?):(\d{1,9}): )([A-Z]\w{3,60}): (.*?)(?: \[(https?:\/\/[^\]\s]{1,400})\])?$/;

/** Reads Reek's text reports. */
export class ReekParser implements LineParser {
  readonly #sink: Sink;
  #file: string | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    const file = FILE.exec(text)?.[1];
    if (file !== undefined) {
      this.#file = file;
      return true;
    }
    const smell = this.#file === undefined ? null : SMELL.exec(text);
    if (smell === null) {
      if (text.trim() !== "") this.#file = undefined;
      return false;
    }
    const [, line, named, namedLine, code = "", message = "", url] = smell;
    this.#sink.diagnostic({
      severity: "warning",
      file: named ?? this.#file ?? "",
      line: Number(line ?? namedLine),
      code,
      message,
      ...(url === undefined ? {} : { url }),
    });
    return true;
  }

  end(): void {
    this.#file = undefined;
  }
}
