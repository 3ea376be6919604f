import type { Line, LineParser, Sink } from "../../tool.ts";

const TAGGED = /^lerna (ERR!|WARN|info|notice|success|verb|http|timing) ?(.*)$/;
const CODE = /^(E[A-Z]{3,}) (\S.*)$/;
/** What stands before the output of the package that failed. */
const OUTPUT = /(?:stdout|stderr):$/;

/** Reads Lerna's own errors and warnings; the packages' output goes to their tools. */
export function lernaParser(sink: Sink): LineParser {
  return {
    take({ text }: Line): boolean {
      const [, tag, said = ""] = text.length < 20_000 ? (TAGGED.exec(text) ?? []) : [];
      if (tag === undefined) return false;
      const severity = tag === "ERR!" ? "error" : "warning";
      if ((tag !== "ERR!" && tag !== "WARN") || said === "" || OUTPUT.test(said)) return true;
      const [, code, message = said] = CODE.exec(said) ?? [];
      sink.diagnostic({ severity, message, ...(code === undefined ? {} : { code }) });
      return true;
    },
    end: () => undefined,
  };
}
