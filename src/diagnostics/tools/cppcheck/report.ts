import type { Severity } from "../../../model/diagnostic.ts";
import { asNumber, defined } from "../../parsing/json.ts";
import type { DocumentParser } from "../../tool.ts";
import { elementsNamed, parseXml } from "../../parsing/xml.ts";

const SEVERITIES: Readonly<Record<string, Severity>> = { error: "error", information: "info" };

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
        severity: SEVERITIES[attributes["severity"] ?? ""] ?? "warning",
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
