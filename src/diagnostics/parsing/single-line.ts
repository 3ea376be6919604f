import type { Found, LineParser, Sink } from "../tool.ts";

/** How a one-line format reads a line: as a diagnostic, as the tool's noise, or as foreign text (undefined). */
export type LineReading = Found | "noise" | undefined;

/** Creates a parser for a format in which every diagnostic is one line. */
export function singleLine(read: (text: string) => LineReading): (sink: Sink) => LineParser {
  return (sink) => ({
    take({ text }) {
      const found = read(text);
      if (found === undefined) return false;
      if (found !== "noise") sink.diagnostic(found);
      return true;
    },
    end() {
      // Nothing is ever pending, because every diagnostic is one line.
    },
  });
}
