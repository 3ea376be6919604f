import { parseXml } from "../../parsing/xml.ts";
import type { XmlElement } from "../../parsing/xml.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

export const checkstyleXml = defineBuildTool({
  id: "checkstyle-xml",
  title: "Checkstyle XML report",
  url: "https://checkstyle.org",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [],
  document: { matches: (start) => /<checkstyle[\s>/]/.test(start), parse: parseCheckstyleXml },
});

const SEVERITIES: Record<string, Severity> = {
  error: "error",
  fatal: "error",
  warning: "warning",
  warn: "warning",
  info: "info",
  style: "info",
};

/** Reads Checkstyle's XML format, which many other linters write too. */
function parseCheckstyleXml(text: string, sink: Sink): boolean {
  const root = parseXml(text);
  if (root?.name !== "checkstyle") return false;
  for (const file of root.children.filter((child) => child.name === "file"))
    for (const error of file.children.filter((child) => child.name === "error"))
      sink.diagnostic(finding(file.attributes["name"] ?? "", error, sink));
  return true;
}

function finding(file: string, error: XmlElement, sink: Sink): Found {
  const { line, column, severity, message, source } = error.attributes;
  const { tool, code } = origin(source ?? "", sink);
  return {
    ...(tool === undefined ? {} : { tool }),
    ...(code === undefined ? {} : { code }),
    severity: SEVERITIES[(severity ?? "").toLowerCase()] ?? "error",
    ...(file === "" ? {} : { file }),
    ...positive("line", line),
    ...positive("column", column),
    message: withoutRule(message ?? "", code),
  };
}

/** Derives the tool and the rule from `source`, which each tool writes differently. */
function origin(source: string, { toolOfRule }: Sink): { tool?: string; code?: string } {
  if (source === "") return {};
  const eslint = /^eslint\.rules\.(.+)$/.exec(source);
  if (eslint !== null) return { tool: "eslint", code: eslint[1] ?? source };
  const shellcheck = /^ShellCheck\.(SC\d+)$/.exec(source);
  if (shellcheck !== null) return { tool: "shellcheck", code: shellcheck[1] ?? source };
  const checkstyle = /^com\.puppycrawl\.[\w.]+\.(\w+?)(?:Check)?$/.exec(source);
  if (checkstyle !== null) return { tool: "checkstyle", code: checkstyle[1] ?? source };
  const tool = toolOfRule(source);
  return tool === undefined ? { code: source } : { tool, code: source };
}

/** Removes the rule that ESLint appends to the message. */
function withoutRule(message: string, code: string | undefined): string {
  return code !== undefined && message.endsWith(` (${code})`) ? message.slice(0, -code.length - 3) : message;
}

function positive(key: "line" | "column", text: string | undefined): { line?: number; column?: number } {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? { [key]: number } : {};
}
