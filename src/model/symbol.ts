/** The kinds of definitions, with the same names for all languages. */
export type SymbolKind =
  | "module"
  | "namespace"
  | "class"
  | "struct"
  | "interface"
  | "trait"
  | "enum"
  | "type"
  | "impl"
  | "fn"
  | "method"
  | "constructor"
  // A declaration without a body, such as a C or C++ prototype.
  | "prototype"
  | "property"
  | "field"
  | "variant"
  | "const"
  | "var"
  | "macro"
  | "import"
  | "heading"
  | "key"
  | "rule"
  | "table"
  | "stage"
  | "section"
  // A group of tests such as `describe("…")`, and a single test such as `it("…")`. Their names are their titles.
  | "suite"
  | "test";

/** The kinds of blocks of a test framework. They have titles in prose instead of names that code can refer to. */
export const TEST_KINDS: ReadonlySet<SymbolKind> = new Set(["suite", "test"]);

export type Visibility = "public" | "protected" | "private" | "internal";

/**
 * A named definition in one text. Lines count from 1, bytes from 0; `parent` is an index into the list that contains
 * the symbol.
 */
export interface CodeSymbol {
  readonly kind: SymbolKind;
  readonly name: string;
  /** The name with its enclosing names in the language's own notation: `Class.method`, `mod::fn`. */
  readonly qualifiedName: string;
  /** The whole declaration of the symbol on one line, without its body. */
  readonly signature: string;
  readonly lineStart: number;
  readonly lineEnd: number;
  readonly parent?: number;
  readonly visibility?: Visibility;
  /** The first sentence of the symbol's doc comment. */
  readonly doc?: string;
}

/** A name that a file imports: the module or path as written in the source. */
export interface ImportedName {
  readonly source: string;
  readonly line: number;
  /** The last line of an import statement that spans several lines. */
  readonly lineEnd?: number;
}

/** Everything that a grammar extracted from one text. */
export interface Outline {
  readonly language: string;
  /** The symbols in source order, parents before children. */
  readonly symbols: readonly CodeSymbol[];
  readonly imports: readonly ImportedName[];
  /** True if the parser met errors; the list then has the symbols that could still be found. */
  readonly hasErrors: boolean;
  /** The first line that could not be parsed, where the parser knows it. It is not stored with the outline. */
  readonly errorLine?: number;
}
