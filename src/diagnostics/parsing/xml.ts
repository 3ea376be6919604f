import { SaxesParser } from "saxes";

/** An element with what is inside it. Prefixes of namespaces are gone. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  /** All text directly inside, CDATA included. */
  text: string;
}

/** Reports nest a few levels; deeper is an attack or an accident. */
const MAX_DEPTH = 100;
/** More elements than this do not fit the memory a report may take. */
const MAX_ELEMENTS = 500_000;

/**
 * Reads a document into its elements, or undefined where it is not XML or goes beyond the bounds. Entities other than the five of
 * XML itself are not expanded: the parser does not read a document type's declarations.
 */
export function parseXml(text: string): XmlElement | undefined {
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open: XmlElement[] = [root];
  let elements = 0;
  const state = { broken: false };
  const parser = new SaxesParser();
  parser.on("error", () => {
    // Control characters and stray ampersands are common in reports: read on, and let what was read decide.
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
    // Reports carry line ends of Windows as character references, which no parser normalises.
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

/** Written in pieces, so that a hostile document is left at the first bound it breaks. */
const CHUNK = 256 * 1024;

/** All elements of a name, at any depth. */
export function* elementsNamed(element: XmlElement, name: string): Generator<XmlElement> {
  for (const child of element.children) {
    if (child.name === name) yield child;
    yield* elementsNamed(child, name);
  }
}

/** The first child of one of these names. */
export function childNamed(element: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  return element.children.find((child) => names.includes(child.name));
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
