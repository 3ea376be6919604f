import type { Line, LineParser, Sink } from "../../tool.ts";

const FILE = /^(\S.{0,1000}):$/;
const ROW = /^\t(?:(\d{1,9})(?:-(\d{1,9}))?: )?(.*)$/;
const TEXT =
  /^(?:Wrong (?:indentation|line endings|amount of|charset|indent)|Trailing whitespace|Final newline|Wrong |Line too long|No final newline|.* not all lines have the correct end of line)/;

/** Reads editorconfig-checker, whose complaints stand below the file's name. */
export class EditorconfigParser implements LineParser {
  readonly #sink: Sink;
  #file: string | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    const row = this.#file === undefined ? null : ROW.exec(text);
    if (row !== null && TEXT.test(row[3] ?? "")) {
      const [, line, endLine, message = ""] = row;
      this.#sink.diagnostic({
        severity: "error",
        file: this.#file ?? "",
        ...(line === undefined ? {} : { line: Number(line) }),
        ...(endLine === undefined ? {} : { endLine: Number(endLine) }),
        message,
      });
      return true;
    }
    this.#file = FILE.exec(text)?.[1];
    return false;
  }

  end(): void {
    this.#file = undefined;
  }
}
