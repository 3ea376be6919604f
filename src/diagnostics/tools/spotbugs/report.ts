import type { DocumentParser, Found, Sink } from "../../tool.ts";
import { childNamed, parseXml } from "../../parsing/xml.ts";
import type { XmlElement } from "../../parsing/xml.ts";

/** SpotBugs' own XML. */
export const spotbugsReport: DocumentParser = {
  matches: (start) => /<BugCollection[\s>]/.test(start),
  parse(text: string, sink: Sink): boolean {
    const root = parseXml(text);
    if (root?.name !== "BugCollection") return false;
    const patterns = new Map<string, string>();
    for (const pattern of root.children.filter((child) => child.name === "BugPattern"))
      patterns.set(
        pattern.attributes["type"] ?? "",
        childNamed(pattern, "ShortDescription")?.text.trim() ?? "",
      );
    for (const bug of root.children.filter((child) => child.name === "BugInstance"))
      sink.diagnostic(finding(bug, patterns));
    return true;
  },
};

/** Priority 1 is high, 2 normal, 3 and more low. The place of the bug itself stands last, behind those of its class and method. */
function finding(bug: XmlElement, patterns: ReadonlyMap<string, string>): Found {
  const { type = "", priority } = bug.attributes;
  const long = childNamed(bug, "LongMessage", "ShortMessage")?.text.trim();
  const place = bug.children.findLast((child) => child.name === "SourceLine") ?? classLine(bug);
  const { sourcepath, sourcefile, start, end } = place?.attributes ?? {};
  const file = sourcepath ?? sourcefile;
  return {
    severity: priority === "1" ? "error" : priority === "2" ? "warning" : "info",
    code: type,
    message: long ?? patterns.get(type) ?? type,
    ...(file === undefined ? {} : { file }),
    ...(start === undefined ? {} : { line: Number(start) }),
    ...(end === undefined || end === start ? {} : { endLine: Number(end) }),
  };
}

function classLine(bug: XmlElement): XmlElement | undefined {
  const owner = childNamed(bug, "Method") ?? childNamed(bug, "Class");
  return owner === undefined ? undefined : childNamed(owner, "SourceLine");
}
