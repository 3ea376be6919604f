import { childNamed, parseXml } from "../../parsing/xml.ts";
import type { XmlElement } from "../../parsing/xml.ts";
import { defineBuildTool } from "../../tool.ts";
import type { DocumentParser } from "../../tool.ts";
import { diagnosticsIn } from "../json-report/parse.ts";

const HAS_LINE = /\s(?:line|lineNumber|Line|LineNumber|beginline|startLine)=["']\d/;
const HAS_MESSAGE = /\s(?:message|Message|msg|reason|desc|description)=["']/;
const HAS_FILE = /\s(?:file|File|name|path|filename|fileName)=["']/;

/** Reads the XML reports of unknown linters: elements with a line, a message, and a file on this or an enclosing element. */
const xmlDocument: DocumentParser = {
  matches: (start) => HAS_MESSAGE.test(start) && (HAS_LINE.test(start) || HAS_FILE.test(start)),
  parse(text, sink) {
    const root = parseXml(text);
    const found = root === undefined ? [] : diagnosticsIn(plain(root, 0), sink);
    for (const one of found) sink.diagnostic(one);
    return found.length > 0;
  },
};

/** Upper bound on the depth to which nested elements of a report are searched. */
const MAX_DEPTH = 12;

/** Converts an element to an object with its attributes and, as one more field, the location inside it. */
function plain(element: XmlElement, depth: number): unknown {
  const location = childNamed(element, "location", "Location", "position");
  return {
    ...element.attributes,
    ...(location === undefined ? {} : { location: location.attributes }),
    children: depth > MAX_DEPTH ? [] : element.children.map((child) => plain(child, depth + 1)),
  };
}

export const xmlReport = defineBuildTool({
  id: "xml-report",
  title: "XML reports of other linters",
  url: "https://www.w3.org/XML/",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [],
  // The low priority means that all tools that know their own report are asked before this generic parser.
  priority: -500,
  document: xmlDocument,
});
