import type { Line, LineParser, Sink } from "../../tool.ts";

const ERROR = /^ERROR: (.+\.(?:pyi?|pyx)) (Imports are incorrectly sorted and\/or formatted\.)$/;
const NOISE = /^(?:SUCCESS: .+ Everything Looks Good!|Skipped \d{1,7} files)/;
const DIFF = /^(?:--- .*:before\t|\+\+\+ .*:after\t|@@ |[-+ ]|$)/;

/** Reads `isort --check`. */
export function isortParser(sink: Sink): LineParser {
  let diff = false;
  return {
    take({ text }: Line): boolean {
      const error = ERROR.exec(text);
      if (error !== null) {
        diff = true;
        sink.diagnostic({
          severity: "error",
          file: error[1] ?? "",
          message: error[2] ?? "",
          help: ["isort"],
        });
        return true;
      }
      diff &&= DIFF.test(text);
      return diff || NOISE.test(text);
    },
    end: () => undefined,
  };
}
