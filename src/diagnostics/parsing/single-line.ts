import type { Found, LineParser, Sink } from "../tool.ts";

/** What a one-line format says of a line: a diagnostic, noise of the tool, or nothing. */
export type LineReading = Found | "noise" | undefined;

/** The parser of a format whose every complaint is one line. */
export function singleLine(read: (text: string) => LineReading): (sink: Sink) => LineParser {
  return (sink) => ({
    take({ text }) {
      const found = read(text);
      if (found === undefined) return false;
      if (found !== "noise") sink.diagnostic(found);
      return true;
    },
    end() {
      // Each complaint is one line: nothing is ever pending.
    },
  });
}
