import type { Found } from "../../tool.ts";
import { childNamed } from "../../parsing/xml.ts";
import type { XmlElement } from "../../parsing/xml.ts";

const PLACED = /^line (\d{1,7}), col(?:umn)? (\d{1,7}), (?:(Error|Warning|Info) - )?([\s\S]*)$/;

/** Linters that write JUnit XML put each finding into a test case of its own, with the place in words. */
export function lintFinding(suite: XmlElement, test: XmlElement): Found | undefined {
  const cause = childNamed(test, "failure", "error");
  const match = PLACED.exec(cause?.text.trim() ?? "");
  const file = suite.attributes["name"];
  if (cause === undefined || match === null || file === undefined) return undefined;
  const [, line, column, word, text = ""] = match;
  const code = (test.attributes["name"] ?? "").replace(/^org\.eslint\./, "");
  return {
    tool: suite.attributes["package"] === "org.eslint" ? "eslint" : "junit",
    severity: word === "Warning" ? "warning" : word === "Info" ? "info" : "error",
    file,
    line: Number(line),
    column: Number(column),
    ...(code === "" ? {} : { code }),
    message: cause.attributes["message"] ?? text,
  };
}
