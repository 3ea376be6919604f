import { SaxesParser } from "saxes";

/** An XML element with its content. Namespace prefixes are removed from names. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  /** All text directly inside the element, including CDATA sections. */
  text: string;
}

/** Maximum depth of nested elements. Reports nest only a few levels; deeper nesting is hostile or accidental. */
const MAX_DEPTH = 100;
/** Upper bound on the elements of a document; more would exceed the memory that a report may use. */
const MAX_ELEMENTS = 500_000;

/**
 * Parses a document, or returns undefined if it is not XML or exceeds the limits. Only the five entities of XML itself are expanded, because the
 * parser ignores document type declarations.
 */
export function parseXml(text: string): XmlElement | undefined {
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open: XmlElement[] = [root];
  let elements = 0;
  const state = { broken: false };
  const parser = new SaxesParser();
  parser.on("error", () => {
    // Control characters and unescaped ampersands are common in reports, so parsing continues with what could be read.
  });
  parser.on("opentag", (tag) => {
    if (++elements > MAX_ELEMENTS || open.length > MAX_DEPTH) state.broken = true;
    if (state.broken) return;
    const element: XmlElement = {
      name: localName(tag.name),
      attributes: tag.attributes,
      children: [],
      text: "",
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const addText = (piece: string): void => {
    const element = open.at(-1);
    // Carriage returns are removed, because reports contain Windows line ends as character references, which XML
    // parsers do not normalize.
    if (element !== undefined) element.text += piece.replaceAll("\r", "");
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    if (!state.broken && open.length > 1) open.pop();
  });
  for (let from = 0; from < text.length && !state.broken; from += CHUNK)
    parser.write(text.slice(from, from + CHUNK));
  if (!state.broken) parser.close();
  return state.broken ? undefined : root.children[0];
}

/** The document is parsed in parts, so that parsing a hostile one stops soon after it exceeds a limit. */
const CHUNK = 256 * 1024;

/** Yields all elements of a name, at any depth. */
export function* elementsNamed(element: XmlElement, name: string): Generator<XmlElement> {
  for (const child of element.children) {
    if (child.name === name) yield child;
    yield* elementsNamed(child, name);
  }
}

/** Returns the first child element with one of these names. */
export function childNamed(element: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  return element.children.find((child) => names.includes(child.name));
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
