import { codeUnitsOf } from "../../languages/code-units.ts";
import { TEST_KINDS, type CodeSymbol, type Outline, type SymbolKind } from "../../model/symbol.ts";
import { createByteReader, createByteWriter, type ByteReader } from "./bytes.ts";
import { encodeOutline, KINDS } from "./stored-outline.ts";
import { encodeUses } from "./stored-uses.ts";
import { usesOf } from "../../languages/uses/extract.ts";
import { termsOfText, type TextTerms } from "../text/word-count.ts";

/**
 * Everything the index stores about one blob (the content of a file), independent of its path and ref. A search reads
 * the `features` of every blob; an outline is read for one file at a time. The text is not stored: it is in the working
 * tree or in git.
 */
export interface BlobRecord {
  readonly features: Uint8Array;
  /** The outline of the text; empty if there is no grammar for its language. */
  readonly outlineText: Uint8Array;
  /** The uses of names in the text; empty if there are none. They are read only for files that contain a certain name. */
  readonly useText: Uint8Array;
  /** Number of chunks (parts of a fixed number of lines) in the text. */
  readonly chunks: number;
}

/** The part of a symbol that a search needs. */
export interface SymbolBrief {
  readonly kind: SymbolKind;
  readonly name: string;
  readonly lineStart: number;
  readonly lineEnd: number;
  /** Position of the enclosing definition in the list of symbols; -1 at the top level. */
  readonly parent: number;
  /** True for private, protected and package-internal symbols. */
  readonly isHidden: boolean;
  /**
   * Name of the type that the symbol belongs to without being enclosed by it: the receiver of a Go method, or the class
   * of a C++ member defined outside the class.
   */
  readonly owner?: string;
}

/** The part of an index record that precedes its words. */
export interface BlobHeader {
  readonly lineCount: number;
  /** Number of words in each chunk of the text, including repetitions. */
  readonly chunkLengths: readonly number[];
  readonly generated: boolean;
  readonly parsed: boolean;
  readonly symbols: readonly SymbolBrief[];
  /** Names of imported modules and paths of imported files, as written in the source. */
  readonly imports: readonly string[];
}

/**
 * Creates the index record of a text. If there is no outline, for lack of a grammar, the record contains only words.
 */
export function recordOf(text: string, outline: Outline | undefined): BlobRecord {
  const characters = codeUnitsOf(text);
  const terms = termsOfText(text, characters);
  return {
    features: encodeFeatures(text, terms, outline),
    outlineText: encodeOutline(outline),
    useText: outline === undefined ? NO_BYTES : encodeUses(usesOf(text, outline, characters)),
    chunks: terms.chunkLengths.length,
  };
}

const NO_BYTES = Buffer.alloc(0);

const GENERATED = 1;
const PARSED = 2;

function encodeFeatures(text: string, terms: TextTerms, outline: Outline | undefined): Buffer {
  const out = createByteWriter(terms.names.length + terms.postings.length * 2 + 4_096);
  out.number((looksGenerated(text) ? GENERATED : 0) | (outline === undefined ? 0 : PARSED));
  out.number(terms.lineCount);
  out.number(terms.chunkLengths.length);
  for (const length of terms.chunkLengths) out.number(length);
  const symbols = outline?.symbols ?? [];
  out.text(symbols.map((symbol) => nameAndOwner(symbol, symbols)).join("\n"));
  out.number(symbols.length);
  for (const symbol of symbols) {
    const parent = TEST_KINDS.has(symbol.kind) ? symbol.parent : definitionAround(symbol, symbols);
    const kind = Math.max(0, KINDS.indexOf(isAlias(symbol) ? "import" : symbol.kind));
    out.number(kind * 2 + (symbol.visibility === undefined || symbol.visibility === "public" ? 0 : 1));
    out.number((parent ?? -1) + 1);
    out.number(symbol.lineStart);
    out.number(Math.max(0, symbol.lineEnd - symbol.lineStart));
  }
  const imports = new Set(outline?.imports.map((entry) => entry.source.replaceAll("\n", " ")));
  out.number(imports.size);
  out.text([...imports].join("\n"));
  out.number(terms.termCount);
  out.number(terms.names.length);
  out.append(terms.names);
  out.numbers(terms.postings);
  return out.bytes();
}

/** Returns the position of the nearest enclosing definition; a test around a definition does not qualify its name. */
function definitionAround({ parent }: CodeSymbol, symbols: readonly CodeSymbol[]): number | undefined {
  let around = parent;
  while (around !== undefined && TEST_KINDS.has(symbols[around]?.kind ?? "import"))
    around = symbols[around]?.parent;
  return around;
}

/** Returns the name of a symbol, followed by a tab and the type it belongs to if that does not enclose the symbol. */
function nameAndOwner(symbol: CodeSymbol, symbols: readonly CodeSymbol[]): string {
  const { name, qualifiedName, kind } = symbol;
  const plain = name.replaceAll(/[\n\t]/g, " ");
  // The title of a test is in its outline; here it would make up a third of the record.
  if (TEST_KINDS.has(kind)) return "";
  const parent = definitionAround(symbol, symbols);
  const before = qualifiedName.endsWith(name) ? qualifiedName.slice(0, -name.length) : "";
  const around = parent === undefined ? undefined : symbols[parent];
  // What the parent's own name says is no part of the owner: `A::B` is one of `A::B::c` in a namespace `n`.
  const below =
    around !== undefined && before.startsWith(around.qualifiedName)
      ? before.slice(around.qualifiedName.length).replace(/^[.:#/\\]+/, "")
      : before;
  const owner = /((?:[^\s.:#/\\]+::)*[^\s.:#/\\]+)[.:#/\\]+$/.exec(below)?.[1];
  return owner === undefined || owner === around?.name ? plain : `${plain}\t${owner}`;
}

/** A call that loads a module, but not `require("a")()` and `require("a").b()`, whose values are results. */
const MODULE = /=\s*(?:await\s+)?(?:require|import)\s*\((?![^()]*\)(?:\.[\w$]+)*\s*\()/;

/** Returns true for a variable that only holds an imported module; lookups by name do not search for it. */
function isAlias({ kind, signature }: CodeSymbol): boolean {
  return (kind === "const" || kind === "var") && MODULE.test(signature);
}

export function decodeHeader(bytes: Uint8Array): BlobHeader {
  return readHeader(createByteReader(bytes));
}

/** Reads only the flags in the first byte of an index record, which is faster than reading the whole header. */
export function decodeFlags(bytes: Uint8Array): Pick<BlobHeader, "generated" | "parsed"> {
  const flags = createByteReader(bytes).number();
  return { generated: (flags & GENERATED) !== 0, parsed: (flags & PARSED) !== 0 };
}

function readHeader(input: ByteReader): BlobHeader {
  const flags = input.number();
  const lineCount = input.number();
  const chunkLengths = Array.from({ length: input.number() }, () => input.number());
  const names = input.text().split("\n");
  const symbols = Array.from({ length: input.number() }, (_, i) => {
    const code = input.number();
    const kind = KINDS[code >> 1] ?? "section";
    const parent = input.number() - 1;
    const lineStart = input.number();
    const lineEnd = lineStart + input.number();
    const [name = "", owner] = (names[i] ?? "").split("\t");
    const hidden = (code & 1) === 1;
    return {
      kind,
      name,
      parent,
      isHidden: hidden,
      lineStart,
      lineEnd,
      ...(owner !== undefined && { owner }),
    };
  });
  const importCount = input.number();
  const importText = input.text();
  const imports = importCount === 0 ? [] : importText.split("\n");
  const generated = (flags & GENERATED) !== 0;
  return { generated, parsed: (flags & PARSED) !== 0, lineCount, chunkLengths, symbols, imports };
}

/**
 * Decodes the features of an index record. Which chunks contain a term is passed to a callback, because creating a list
 * per term would cost too much.
 */
export function decodeFeatures(
  bytes: Uint8Array,
  onPosting: (term: number, chunk: number, count: number) => void,
): { readonly header: BlobHeader; readonly headerLength: number; readonly terms: readonly string[] } {
  const input = createByteReader(bytes);
  const header = readHeader(input);
  const headerLength = input.position();
  const termCount = input.number();
  const termText = input.text();
  for (let term = 0; term < termCount; term++) {
    let chunk = 0;
    for (let left = input.number(); left > 0; left--) {
      chunk += input.number();
      onPosting(term, chunk, input.number());
    }
  }
  return { header, headerLength, terms: termCount === 0 ? [] : termText.split("\n") };
}

/** Matches phrases that code generators write into the first lines of a file. */
const GENERATED_MARK =
  /@generated\b|\bDO NOT (?:EDIT|MODIFY)\b|\b(?:this file|this code|code|file) (?:is |was |has been )?(?:auto(?:matically)?[- ]?)?generated\b|^\W*auto-?generated\b/im;

/** Returns true if the first lines of a text say that a program wrote it. */
export function looksGenerated(text: string): boolean {
  return GENERATED_MARK.test(text.slice(0, 600));
}
