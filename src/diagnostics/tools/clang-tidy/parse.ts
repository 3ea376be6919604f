import type { Line, LineParser } from "../../tool.ts";

const NOISE =
  /^(?:\[\d{1,6}\/\d{1,6}\] (?:Processing file|\(\d+\/\d+\))|Suppressed \d+ warnings|Use -header-filter=|Use -system-headers|\d+ warnings? treated as errors?|Error while processing |Found compiler error|Enabled checks:|Running clang-tidy|clang-tidy(?:-\d+)? -)/;

/** Takes clang-tidy's lines between its diagnostics, which are printed as Clang's are and read there. */
export function clangTidyParser(): LineParser {
  return {
    take: ({ text }: Line) => NOISE.test(text),
    end: () => undefined,
  };
}
