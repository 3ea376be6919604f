import type { CodeSymbol, Outline, SymbolKind, Visibility } from "../../model/symbol.ts";

/**
 * A symbol as it is stored. Lines and parents are relative to the symbols before, and texts refer to the name and to the
 * parent, because repeated texts would make up most of an outline. Empty texts at the end are left out.
 */
type PackedSymbol = readonly [
  kind: number,
  name: string,
  lines: number,
  length: number,
  parentDistance: number,
  /** The qualified name, the signature, the visibility and the doc comment. */
  ...texts: Shortened[],
];

/** A text in which marks stand for the name of the symbol and for its parent; in a list, a text without marks. */
type Shortened = string | readonly [string];

/** Stands for the name of the symbol. */
const NAME = "\u007f";
/** Stands for the qualified name of the parent. */
const PARENT = "\u0080";

/** Encodes the outline of a record; an empty result means that there is no grammar for the file. */
export function encodeOutline(outline: Outline | undefined): Buffer {
  if (outline === undefined) return Buffer.alloc(0);
  const { symbols, imports } = outline;
  const packed = symbols.map((symbol, at) => packSymbol(symbol, at, symbols));
  const whole = { language: outline.language, errors: outline.hasErrors, symbols: packed, imports };
  return Buffer.from(JSON.stringify(whole));
}

function packSymbol(symbol: CodeSymbol, at: number, symbols: readonly CodeSymbol[]): PackedSymbol {
  const {
    kind,
    name,
    qualifiedName,
    signature,
    lineStart,
    lineEnd,
    parent,
    visibility = "",
    doc = "",
  } = symbol;
  const around = parent === undefined ? undefined : symbols[parent];
  const texts: Shortened[] = [
    qualifiedName === name ? "" : shorten(qualifiedName, name, around?.qualifiedName),
    shorten(signature, name),
    visibility,
    doc,
  ];
  while (texts.at(-1) === "") texts.pop();
  return [
    Math.max(0, KINDS.indexOf(kind)),
    name,
    lineStart - (symbols[at - 1]?.lineStart ?? 0),
    lineEnd - lineStart,
    parent === undefined ? 0 : at - parent,
    ...texts,
  ];
}

function shorten(text: string, name: string, parent = ""): Shortened {
  if (text.includes(NAME) || text.includes(PARENT)) return [text];
  const hasParent = parent !== "" && text.startsWith(parent);
  const rest = hasParent ? text.slice(parent.length) : text;
  const at = name === "" ? -1 : rest.lastIndexOf(name);
  const marked = at < 0 ? rest : `${rest.slice(0, at)}${NAME}${rest.slice(at + name.length)}`;
  return hasParent ? `${PARENT}${marked}` : marked;
}

function restore(text: Shortened, name: string, parent = ""): string {
  if (typeof text !== "string") return text[0];
  return text.replace(NAME, () => name).replace(PARENT, () => parent);
}

/** Decodes the outline of a record. */
export function decodeOutline(text: Buffer): Outline {
  // The JSON was written by encodeOutline of the same version; the store returns no records of other versions.
  const whole = JSON.parse(text.toString("utf8")) as {
    language: string;
    errors: boolean;
    symbols: PackedSymbol[];
    imports: Outline["imports"];
  };
  const symbols: CodeSymbol[] = [];
  for (const packed of whole.symbols) symbols.push(unpackSymbol(packed, symbols));
  return { language: whole.language, hasErrors: whole.errors, imports: whole.imports, symbols };
}

function unpackSymbol(packed: PackedSymbol, before: readonly CodeSymbol[]): CodeSymbol {
  const [kind, name, lines, length, distance, qualifiedName = "", signature = "", visibility = "", doc = ""] =
    packed;
  const parent = before.length - distance;
  const lineStart = lines + (before.at(-1)?.lineStart ?? 0);
  const around = distance === 0 ? undefined : before[parent];
  return {
    kind: KINDS[kind] ?? "section",
    name,
    qualifiedName: qualifiedName === "" ? name : restore(qualifiedName, name, around?.qualifiedName),
    signature: restore(signature, name),
    lineStart,
    lineEnd: lineStart + length,
    ...(distance !== 0 && { parent }),
    ...(isVisibility(visibility) && { visibility }),
    ...(typeof doc === "string" && doc !== "" && { doc }),
  };
}

function isVisibility(text: Shortened): text is Visibility {
  return text === "public" || text === "protected" || text === "private" || text === "internal";
}

/** The symbol kinds in the order of their numbers in stored records; new ones must be appended. */
export const KINDS: readonly SymbolKind[] = [
  "module",
  "namespace",
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "type",
  "impl",
  "fn",
  "method",
  "constructor",
  "property",
  "field",
  "variant",
  "const",
  "var",
  "macro",
  "import",
  "heading",
  "key",
  "rule",
  "table",
  "stage",
  "section",
  "prototype",
  "suite",
  "test",
];
