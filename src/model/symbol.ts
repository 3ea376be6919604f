/** The kinds of definitions, in one vocabulary for all languages. */
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
  // Declared here, defined elsewhere: C and C++ prototypes.
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
  | "section";

export type Visibility = "public" | "protected" | "private" | "internal";

/** A named definition in one blob. Lines count from 1, bytes from 0; `parent` is an index into the same list. */
export interface CodeSymbol {
  readonly kind: SymbolKind;
  readonly name: string;
  /** With its enclosing names, in the language's own notation: `Class.method`, `mod::fn`. */
  readonly qualifiedName: string;
  /** One line, whole: the declaration without its body. */
  readonly signature: string;
  readonly lineStart: number;
  readonly lineEnd: number;
  readonly parent?: number;
  readonly visibility?: Visibility;
  /** The first sentence of the doc comment. */
  readonly doc?: string;
}

/** What a file brings in: the module or path as written in the source. */
export interface ImportedName {
  readonly source: string;
  readonly line: number;
  /** The last line of a statement that takes several. */
  readonly lineEnd?: number;
}

/** All that a grammar says of one text. */
export interface Outline {
  readonly language: string;
  /** In source order, parents before children. */
  readonly symbols: readonly CodeSymbol[];
  readonly imports: readonly ImportedName[];
  /** The parser met errors; the symbols are those it could still find. */
  readonly hasErrors: boolean;
}
