import { parseXml } from "../../parsing/xml.ts";
import type { XmlElement } from "../../parsing/xml.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Sink } from "../../tool.ts";
import type { RelatedPlace, Severity } from "../../../model/diagnostic.ts";

export const pmd = defineBuildTool({
  id: "pmd",
  title: "PMD",
  url: "https://docs.pmd-code.org/latest/pmd_userdocs_report_formats.html#xml",
  ecosystem: "java",
  kinds: ["lint"],
  signatures: [],
  document: { matches: (start) => /<pmd(?:-cpd)?[\s>]/.test(start), parse: parsePmd },
});

/** Severities of PMD's five priorities: 1 and 2 must be changed, 3 should, 4 and 5 may. */
const SEVERITIES: readonly Severity[] = ["error", "error", "warning", "info", "info"];

/** Reads the XML reports of PMD and of its copy detector CPD. */
function parsePmd(text: string, sink: Sink): boolean {
  const root = parseXml(text);
  if (root?.name !== "pmd" && root?.name !== "pmd-cpd") return false;
  for (const element of root.children) {
    if (element.name === "file")
      for (const violation of element.children.filter((child) => child.name === "violation"))
        sink.diagnostic(violationOf(element.attributes["name"] ?? "", violation));
    else if (element.name === "error" || element.name === "configerror") sink.diagnostic(faultOf(element));
    else if (element.name === "duplication") sink.diagnostic(duplicationOf(element));
  }
  return true;
}

function violationOf(file: string, { attributes, text }: XmlElement): Found {
  const { rule, priority, externalInfoUrl } = attributes;
  return {
    severity: SEVERITIES[Number(priority) - 1] ?? "warning",
    ...(file === "" ? {} : { file }),
    ...numbered({
      line: attributes["beginline"],
      column: attributes["begincolumn"],
      endLine: attributes["endline"],
      endColumn: attributes["endcolumn"],
    }),
    ...(rule === undefined ? {} : { code: rule }),
    message: text
      .trim()
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .join(" "),
    ...(externalInfoUrl === undefined ? {} : { url: externalInfoUrl }),
  };
}

/** Reads a file that could not be processed, or a rule that could not be used. */
function faultOf({ attributes, text }: XmlElement): Found {
  const { filename, rule, msg } = attributes;
  return {
    severity: "error",
    ...(filename === undefined ? {} : { file: filename }),
    ...(rule === undefined ? {} : { code: rule }),
    message: msg ?? text.trim().split("\n", 1)[0] ?? "",
  };
}

function duplicationOf(element: XmlElement): Found {
  const places = element.children
    .filter((child) => child.name === "file")
    .map(({ attributes }): RelatedPlace => ({
      file: attributes["path"] ?? "",
      ...numbered({ line: attributes["line"] }),
    }));
  const [first, ...others] = places;
  const { lines = "?", tokens = "?" } = element.attributes;
  return {
    severity: "warning",
    ...(first === undefined ? {} : first),
    code: "cpd",
    message: `Found a ${lines} line (${tokens} tokens) duplication`,
    ...(others.length === 0 ? {} : { related: others }),
  };
}

/** Returns those fields whose value is a positive number. */
function numbered<K extends string>(
  fields: Readonly<Record<K, string | undefined>>,
): { [Key in K]?: number } {
  const numbers: { [Key in K]?: number } = {};
  for (const key in fields) {
    const number = Number(fields[key]);
    if (Number.isInteger(number) && number > 0) numbers[key] = number;
  }
  return numbers;
}
