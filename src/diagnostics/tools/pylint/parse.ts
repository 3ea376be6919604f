import type { Severity } from "../../../model/diagnostic.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { DocumentParser, Line, LineParser, Sink } from "../../tool.ts";

const TEXT = /^(.+?):(\d{1,7}):(\d{1,7}): ([CRWEFI]\d{4}): (.*)$/;
const SYMBOL = / \(([a-z][a-z0-9-]+)\)$/;
/** Old versions may name the module between file and line. */
const PARSEABLE =
  /^(.+?\.pyi?)(?::[A-Za-z_][\w.]*)?:(\d{1,7}): \[([CRWEFI](?:\d{4})?)(?:\(([a-z0-9-]+)\))?(?:, ?[^\]]*)?\] (.*)$/;
const MSVS = /^(.+)\((\d{1,7})\): \[([CRWEFI]\d{4})(?:\(([a-z0-9-]+)\))?[^\]]*\] ?(.*)$/;
/** Until version 1.9: no file, only the module's name above. */
const OLD = /^([CRWEFI]): {0,6}(\d{1,7}), {0,3}(\d{1,7}): (.+)$/;
const MODULE = /^\*{6,} Module (.+)$/;
const NOISE = /^(?:\*{6,} Module |-{20,}$|Your code has been rated at )/;
const OWN = /^pylint: error: (.+)$/;
const SEVERITIES: Readonly<Record<string, Severity>> = { E: "error", F: "error", W: "warning" };

/** Reads pylint's text formats. Its columns count from 0. */
export function pylintParser(sink: Sink): LineParser {
  let seen = false;
  let module: string | undefined;

  function old([, letter = "", line, column, text = ""]: RegExpExecArray): boolean {
    const symbol = SYMBOL.exec(text);
    sink.diagnostic({
      severity: SEVERITIES[letter] ?? "info",
      message: symbol === null ? text : text.slice(0, symbol.index),
      ...(module === undefined ? {} : { file: module }),
      line: Number(line),
      column: Number(column) + 1,
      ...(symbol?.[1] === undefined ? {} : { code: symbol[1] }),
    });
    return true;
  }

  function found(match: RegExpExecArray, column: number | undefined): boolean {
    const code = (column === undefined ? match[3] : match[4]) ?? "";
    const message = match[5] ?? "";
    seen = true;
    sink.diagnostic({
      severity: SEVERITIES[code.charAt(0)] ?? "info",
      message: column === undefined ? message : message.replace(SYMBOL, ""),
      file: match[1] ?? "",
      line: Number(match[2]),
      ...(column === undefined ? {} : { column: column + 1 }),
      ...(code.length > 1 ? { code } : {}),
    });
    return true;
  }

  return {
    take({ text }: Line): boolean {
      const plain = TEXT.exec(text);
      if (plain !== null) return found(plain, Number(plain[3]));
      const other = PARSEABLE.exec(text) ?? MSVS.exec(text);
      // `[F401]` alone is flake8 in this style; pylint names the rule too.
      if (other !== null && (other[4] !== undefined || /\[[CRWEFI](?:\d{4},|,|\])/.test(text)))
        return found(other, undefined);
      module = MODULE.exec(text)?.[1] ?? module;
      const bare = module === undefined ? null : OLD.exec(text);
      if (bare !== null) return old(bare);
      const own = OWN.exec(text);
      if (own !== null) sink.diagnostic({ severity: "error", message: own[1] ?? "" });
      if (NOISE.test(text)) return seen || !text.startsWith("-");
      return own !== null;
    },
    end: () => undefined,
  };
}

/** The reports of `--output-format=json` and `json2`. */
export const pylintDocument: DocumentParser = {
  matches: (start) => /"message-?[iI]d": ?"[CRWEFI]\d{4}"/.test(start),
  parse(text, sink) {
    const report = parseJson(text);
    const list = Array.isArray(report) ? report : asObject(report)?.["messages"];
    if (!Array.isArray(list)) return false;
    for (const item of asObjects(list)) {
      const code = asText(item["message-id"]) ?? asText(item["messageId"]);
      const column = asNumber(item["column"]);
      const end = asNumber(item["endColumn"]);
      sink.diagnostic({
        severity: SEVERITIES[code?.charAt(0) ?? ""] ?? "info",
        message: asText(item["message"]) ?? "",
        ...defined({
          file: asText(item["path"]),
          line: asNumber(item["line"]),
          column: column === undefined ? undefined : column + 1,
          endLine: asNumber(item["endLine"]),
          endColumn: end === undefined ? undefined : end + 1,
          code,
        }),
      });
    }
    return true;
  },
};
