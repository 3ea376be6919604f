import type { Line, LineParser, Sink } from "../../tool.ts";

const VIOLATION =
  /^(\S.{0,1000}?\.swift)(?::(\d{1,9}))?(?::(\d{1,9}))?: (warning|error): (.{1,4000}) \((\w{1,100})\)$/;
const NOISE =
  /^(?:Linting '.*' \(\d+\/\d+\)|Linting Swift files .*|Done linting! .*|Loading configuration from .*)$/;

/** Reads SwiftLint's default (Xcode) reporter. */
export class SwiftlintParser implements LineParser {
  readonly #sink: Sink;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    const match = text.endsWith(")") ? VIOLATION.exec(text) : null;
    if (match === null || !/^(?:.* Violation|.*): /.test(match[5] ?? "")) return NOISE.test(text);
    const [, file = "", line, column, severity, message = "", code = ""] = match;
    this.#sink.diagnostic({
      severity: severity === "error" ? "error" : "warning",
      file,
      ...(line === undefined ? {} : { line: Number(line) }),
      ...(column === undefined ? {} : { column: Number(column) }),
      code,
      message,
    });
    return true;
  }

  end(): void {
    // Each violation is one line: nothing is ever pending.
  }
}
