import type { Severity } from "../../../model/diagnostic.ts";
import { colonPlace } from "../../parsing/place.ts";
import { asNumber, defined } from "../../parsing/json.ts";
import type { DocumentParser, Line, LineParser, Sink } from "../../tool.ts";
import { elementsNamed, parseXml } from "../../parsing/xml.ts";

const NOISE =
  /^(?:Checking .+ \.{3}$|Checking .+: .+\.{3}$|\d{1,7}\/\d{1,7} files checked \d{1,3}% done|Defines:|Undefines:|Includes:|Platform:|Active checkers: )/;
/** The default of old versions: `[src/main.c:18] -> [src/b.c:3]: (style) …`. */
const OLD =
  /^\[([^\]]+)\](?: -> .*)?: \((error|warning|style|performance|portability|information)(?:, ?inconclusive)?\) (.+)$/;
const EDIT = /^(\S.*) \+(\d{1,7}): (error|warning|style|performance|portability|information): (.+)$/;
/** The template many projects use: `{file}:{line}:{severity}:{id}:{message}`. */
const FIELDS =
  /^(.+):(\d{1,7})(?::(\d{1,7}))?:(error|warning|style|performance|portability|information):([A-Za-z_]\w{2,60}): ?(.+)$/;
const PLACELESS =
  /^(?:nofile(?::0:0|\(0\)|:0)?: |\()(information|error|warning)(?:: |\) )(.+?)(?: \[(\w+)\])?$/;

const SEVERITIES: Readonly<Record<string, Severity>> = { error: "error", information: "info" };

/** Reads the templates of cppcheck that no compiler prints; its default looks like GCC's and is read there. */
export function cppcheckParser(sink: Sink): LineParser {
  return {
    take({ text }: Line): boolean {
      if (NOISE.test(text)) return true;
      const old = OLD.exec(text);
      const place = old === null ? undefined : colonPlace(old[1] ?? "");
      if (old !== null) {
        sink.diagnostic({
          severity: severityOf(old[2]),
          message: old[3] ?? "",
          ...(place ?? { file: old[1] ?? "" }),
        });
        return true;
      }
      const edit = EDIT.exec(text);
      if (edit !== null) {
        sink.diagnostic({
          severity: severityOf(edit[3]),
          message: edit[4] ?? "",
          ...placeOf(edit[1] ?? "", edit[2]),
        });
        return true;
      }
      return fields(text, sink) || placeless(text, sink);
    },
    end: () => undefined,
  };
}

function fields(text: string, sink: Sink): boolean {
  const match = FIELDS.exec(text);
  if (match === null) return false;
  const [, file = "", line, column, word, code = "", message = ""] = match;
  sink.diagnostic({
    severity: severityOf(word),
    message,
    ...placeOf(file, line),
    ...(column === undefined ? {} : { column: Number(column) }),
    code,
  });
  return true;
}

function placeless(text: string, sink: Sink): boolean {
  const match = PLACELESS.exec(text);
  if (match === null) return false;
  sink.diagnostic({
    severity: severityOf(match[1]),
    message: match[2] ?? "",
    ...(match[3] === undefined ? {} : { code: match[3] }),
  });
  return true;
}

function severityOf(word: string | undefined): Severity {
  return SEVERITIES[word ?? ""] ?? "warning";
}

function placeOf(file: string, line: string | undefined): { readonly file?: string; readonly line?: number } {
  return file === "nofile" ? {} : { file, line: Number(line) };
}

/** The report of `--xml`. */
export const cppcheckDocument: DocumentParser = {
  matches: (start) => start.includes("<results") && start.includes("<cppcheck"),
  parse(text, sink) {
    const root = parseXml(text);
    if (root?.name !== "results") return false;
    for (const { attributes, children } of elementsNamed(root, "error")) {
      const [first, ...others] = children
        .filter((child) => child.name === "location")
        .map((child) => location(child.attributes));
      sink.diagnostic({
        severity: severityOf(attributes["severity"]),
        message: attributes["msg"] ?? "",
        ...first,
        ...defined({ code: attributes["id"] }),
        ...(others.length > 0 ? { related: others } : {}),
      });
    }
    return true;
  },
};

function location(attributes: Readonly<Record<string, string>>): {
  file: string;
  line?: number;
  column?: number;
} {
  return {
    file: attributes["file"] ?? "",
    ...defined({ line: asNumber(attributes["line"]), column: asNumber(attributes["column"]) }),
  };
}
