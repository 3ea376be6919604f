import type { Severity } from "../../../model/diagnostic.ts";
import { asNumber, defined } from "../../parsing/json.ts";
import { elementsNamed, parseXml } from "../../parsing/xml.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Sink } from "../../tool.ts";

export const cppcheck = defineBuildTool({
  id: "cppcheck",
  title: "Cppcheck",
  url: "https://cppcheck.sourceforge.io",
  ecosystem: "c-cpp",
  kinds: ["lint"],
  signatures: [
    "files checked ",
    "Checking ",
    "style",
    "portability",
    "performance",
    "information",
    "(error) ",
    "(warning) ",
  ],
  priority: 3,
  format: {
    // These patterns match the output templates that no compiler prints. The default template looks like GCC's output
    // and is read by the parser of GCC.
    severity: "warning",
    severities: { style: "warning" },
    complaints: [
      // Matches the default template of old versions: [src/main.c:18] -> [src/b.c:3]: (style) text
      /^\[(?<file>[^\]]+?)(?::(?<line>\d+)(?::(?<column>\d+))?)?\](?: -> .*)?: \((?<severity>error|warning|style|performance|portability|information)(?:, ?inconclusive)?\) (?<message>.+)$/,
      /^(?:nofile|(?<file>\S.*)) \+(?<line>\d{1,7}): (?<severity>error|warning|style|performance|portability|information): (?<message>.+)$/,
      // Matches the template {file}:{line}:{severity}:{id}:{message}, which many projects use.
      /^(?<file>(?!nofile:).+):(?<line>\d{1,7})(?::(?<column>\d{1,7}))?:(?<severity>error|warning|style|performance|portability|information):(?<code>[A-Za-z_]\w{2,60}): ?(?<message>.+)$/,
      /^nofile:\d{1,7}(?::\d{1,7})?:(?<severity>error|warning|style|performance|portability|information):(?<code>[A-Za-z_]\w{2,60}): ?(?<message>.+)$/,
      /^(?:nofile(?::0:0|\(0\)|:0)?: |\()(?<severity>information|error|warning)(?:: |\) )(?<message>.+?)(?: \[(?<code>\w+)\])?$/,
    ],
    noise:
      /^(?:Checking .+ \.{3}$|Checking .+: .+\.{3}$|\d{1,7}\/\d{1,7} files checked \d{1,3}% done|Defines:|Undefines:|Includes:|Platform:|Active checkers: )/,
  },
  document: {
    matches: (start) => start.includes("<results") && start.includes("<cppcheck"),
    parse: parseReport,
  },
});

const SEVERITIES: Readonly<Record<string, Severity>> = { error: "error", information: "info" };

/** Reads the report that the option --xml asks for. */
function parseReport(text: string, sink: Sink): boolean {
  const root = parseXml(text);
  if (root?.name !== "results") return false;
  for (const { attributes, children } of elementsNamed(root, "error")) {
    const [first, ...others] = children
      .filter((child) => child.name === "location")
      .map((child) => location(child.attributes));
    sink.diagnostic({
      severity: SEVERITIES[attributes["severity"] ?? ""] ?? "warning",
      message: attributes["msg"] ?? "",
      ...first,
      ...defined({ code: attributes["id"] }),
      ...(others.length > 0 ? { related: others } : {}),
    });
  }
  return true;
}

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
