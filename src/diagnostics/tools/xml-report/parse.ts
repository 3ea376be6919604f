import { childNamed, parseXml, type XmlElement } from "../../parsing/xml.ts";
import type { DocumentParser } from "../../tool.ts";
import { complaintsIn } from "../json-report/parse.ts";

const HAS_LINE = /\s(?:line|lineNumber|Line|LineNumber|beginline|startLine)=["']\d/;
const HAS_MESSAGE = /\s(?:message|Message|msg|reason|desc|description)=["']/;
const HAS_FILE = /\s(?:file|File|name|path|filename|fileName)=["']/;

/** Reads the XML of linters that are not known by name: elements with a line, a message and a file of their own or around them. */
export const xmlReport: DocumentParser = {
  matches: (start) => HAS_MESSAGE.test(start) && (HAS_LINE.test(start) || HAS_FILE.test(start)),
  parse(text, sink) {
    const root = parseXml(text);
    const found = root === undefined ? [] : complaintsIn(plain(root, 0), sink);
    for (const one of found) sink.diagnostic(one);
    return found.length > 0;
  },
};

/** Reports nest a few levels. */
const MAX_DEPTH = 12;

/** The attributes as fields; the place that an element holds is one of its fields too. */
function plain(element: XmlElement, depth: number): unknown {
  const location = childNamed(element, "location", "Location", "position");
  return {
    ...element.attributes,
    ...(location === undefined ? {} : { location: location.attributes }),
    children: depth > MAX_DEPTH ? [] : element.children.map((child) => plain(child, depth + 1)),
  };
}
