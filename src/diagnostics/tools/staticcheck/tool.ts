import { asNumber, asObject, asText, defined, parseJson } from "../../parsing/json.ts";
import { leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";

export const staticcheck = defineBuildTool({
  id: "staticcheck",
  title: "Staticcheck",
  url: "https://staticcheck.dev",
  ecosystem: "go",
  kinds: ["lint"],
  signatures: [
    " (SA",
    " (ST1",
    " (S1",
    " (U1000)",
    " (QF1",
    " (compile)",
    '{"code":"',
    "  SA",
    "  S1",
    "  ST1",
    "  U1000",
    "  QF1",
  ],
  priority: 6,
  parser: staticcheckParser,
  commands: [
    {
      name: "staticcheck.check",
      description: "Lint all packages",
      detect: (folder) =>
        folder.nearest("staticcheck.conf") === undefined ? undefined : "staticcheck.conf is here",
      argv: () => ["staticcheck", "./..."],
    },
  ],
});

const CODE = / \(((?:SA|ST|S|QF|U)\d{4}|compile)\)$/;
const STYLISH = /^ {2}\((\d{1,7}), (\d{1,7})\) +((?:SA|ST|S|QF|U)\d{4}|compile) +(.+)$/;
const STYLISH_FILE = /^(\S.*\.go)$/;

/** Reads staticcheck's text, stylish and JSON formats. */
function staticcheckParser(sink: Sink): LineParser {
  let file = "";
  let open: (Found & { readonly lines: string[] }) | undefined;

  function finish(text: string): boolean {
    const code = CODE.exec(text);
    if (open === undefined || code === null) return false;
    const { lines, ...found } = open;
    open = undefined;
    sink.diagnostic({
      ...found,
      message: [...lines, text.slice(0, code.index)].join("\n"),
      ...(code[1] === undefined ? {} : { code: code[1] }),
    });
    return true;
  }

  return {
    take({ text }: Line): boolean {
      if (text.startsWith('{"code":"')) return jsonLine(text, sink);
      const stylish = STYLISH.exec(text);
      if (stylish !== null) {
        const [, line, column, code = "", message = ""] = stylish;
        sink.diagnostic({
          severity: "error",
          file,
          line: Number(line),
          column: Number(column),
          code,
          message,
        });
        return true;
      }
      // A message may span several indented lines; the last one ends with the code of the check.
      if (open !== undefined && /^\s/.test(text)) {
        if (!finish(text)) open.lines.push(text);
        return true;
      }
      open = undefined;
      const placed = /^\s/.test(text) ? undefined : leadingPlace(text);
      if (placed !== undefined && placed.place.file.endsWith(".go")) {
        open = { severity: "error", ...placed.place, message: "", lines: [] };
        if (finish(placed.rest)) return true;
        open = undefined;
        return false;
      }
      const name = STYLISH_FILE.exec(text);
      if (name !== null) file = name[1] ?? "";
      return / ✖ \d+ problems? \(/.test(text);
    },
    end: () => undefined,
  };
}

function jsonLine(text: string, sink: Sink): boolean {
  const issue = asObject(parseJson(text));
  const location = asObject(issue?.["location"]);
  const message = asText(issue?.["message"]);
  if (issue === undefined || location === undefined || message === undefined) return false;
  const end = asObject(issue["end"]) ?? {};
  const known = (value: unknown): number | undefined => (asNumber(value) === 0 ? undefined : asNumber(value));
  sink.diagnostic({
    severity: asText(issue["severity"]) === "warning" ? "warning" : "error",
    message,
    ...defined({
      file: asText(location["file"]),
      line: known(location["line"]),
      column: known(location["column"]),
      endLine: known(end["line"]),
      endColumn: known(end["column"]),
      code: asText(issue["code"]),
    }),
  });
  return true;
}
