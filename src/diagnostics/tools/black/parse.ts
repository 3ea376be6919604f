import type { Line, LineParser, Sink } from "../../tool.ts";

const WOULD = /^would reformat (.+)$/;
const FAILED = /^error: cannot format (.+?): (.+)$/;
const PARSE = /^(Cannot parse(?: for target version [^:]+)?): (\d{1,7}):(\d{1,7}): (.*)$/;
const NOISE =
  /^(?:Oh no! |All done! |reformatted \S|\d{1,7} files? (?:would be (?:reformatted|left unchanged)|reformatted|left unchanged|would fail|failed to reformat)|No Python files are present)/;

/** Reads `black --check`. */
export function blackParser(sink: Sink): LineParser {
  return {
    take({ text }: Line): boolean {
      const would = WOULD.exec(text);
      if (would !== null) {
        sink.diagnostic({
          severity: "error",
          message: "would reformat",
          file: would[1] ?? "",
          help: ["black"],
        });
        return true;
      }
      const failed = FAILED.exec(text);
      if (failed === null) return NOISE.test(text);
      const parse = PARSE.exec(failed[2] ?? "");
      sink.diagnostic({
        severity: "error",
        file: failed[1] ?? "",
        message: parse === null ? (failed[2] ?? "") : `${parse[1] ?? ""}: ${parse[4] ?? ""}`,
        // Black counts columns from 0.
        ...(parse === null ? {} : { line: Number(parse[2]), column: Number(parse[3]) + 1 }),
      });
      return true;
    },
    end: () => undefined,
  };
}
