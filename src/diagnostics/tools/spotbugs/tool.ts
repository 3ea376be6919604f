import { childNamed, parseXml } from "../../parsing/xml.ts";
import type { XmlElement } from "../../parsing/xml.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Sink } from "../../tool.ts";

export const spotbugs = defineBuildTool({
  id: "spotbugs",
  title: "SpotBugs",
  url: "https://spotbugs.github.io",
  ecosystem: "java",
  kinds: ["lint"],
  signatures: [":[line ", ":[lines ", ".java"],
  priority: 5,
  format: {
    // The letter at the start of a line is SpotBugs' confidence: high, medium or low.
    severities: { H: "error", M: "warning", L: "info" },
    complaints: [
      // Matches a bug, for example: H C NP: Null pointer dereference of x in Cart.add(int)  Dereferenced at
      // Cart.java:[line 12]
      /^(?<severity>[HML]) [A-Z] (?<code>[A-Za-z0-9_]{1,40}): (?<message>.{1,2000}?) {1,2}(?:[A-Z]\w* )?(?:[Aa]t|[Ii]n) (?<file>[\w$-]{1,200}\.\w{1,12}):\[lines? (?<line>\d{1,9})(?:-(?<endLine>\d{1,9}))?\]$/,
      /^(?<severity>[HML]) [A-Z] (?<code>[A-Za-z0-9_]{1,40}): (?<message>.{1,2000}?) {2}(?:In|At) (?<file>[\w$-]{1,200}\.\w{1,12})$/,
    ],
  },
  document: { matches: (start) => /<BugCollection[\s>]/.test(start), parse: parseReport },
});

/** Reads SpotBugs' XML report. */
function parseReport(text: string, sink: Sink): boolean {
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
}

/**
 * Builds the diagnostic of a bug. Priority 1 is high, 2 is normal, 3 and above are low. The bug's last source location
 * is its own; those before it are of its class and method.
 */
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
