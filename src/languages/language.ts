import type { Node } from "web-tree-sitter";
import type { Literals } from "./preprocessor/literals.ts";
import type { ImportedName, SymbolKind, Visibility } from "../model/symbol.ts";

/** A language that Pith can outline. Each one is a folder and a line in the registry. */
export interface Language {
  readonly id: string;
  readonly name: string;
  /** Lower-case extensions with the dot. */
  readonly extensions: readonly string[];
  /** Complete file names in lower case. */
  readonly fileNames?: readonly string[];
  /** Programs of a `#!` line, without version digits. */
  readonly interpreters?: readonly string[];
  /** Describes the content of an outline, for the generated table of languages. */
  readonly holds: string;
  /** Returns the id of another language if the text shows it: a C++ header has the same extension as a C header. */
  readonly refine?: (text: string) => string | undefined;
  readonly outline: Outliner;
}

/** How symbols are found: by a tree-sitter grammar or by a linear scanner, which may also find embedded languages. */
export type Outliner = Grammar | Scanner;

export interface Grammar {
  readonly by: "grammar";
  /** File name of the grammar in dist/grammars. */
  readonly wasm: string;
  /** Separates the parts of a qualified name. */
  readonly separator: string;
  /** Returns the separator where it depends on the scope, such as `A\\B::c` in PHP. */
  readonly joint?: (scope: Scope) => string;
  readonly comments: CommentSyntax;
  /** Rules by node type, or by a query pattern that captures the node as `@_`. */
  readonly rules: Readonly<Record<string, Rule>>;
  /** Changes text that the grammar is known to misread, without changing offsets. */
  readonly prepare?: (text: string) => string;
  /** Like `prepare`, but only for a text with errors; the result is kept if it has fewer errors. */
  readonly repair?: (text: string) => string;
  /** Set if a preprocessor `#if` may cut a declaration in half, so that branches must be read one after the other. */
  readonly branches?: Literals;
  /** True if attributes are written in `[…]` before a declaration. */
  readonly bracketAttributes?: boolean;
  /** Determines the visibility from the name, the words before it and the scope. */
  readonly visibility?: (name: string, head: string, scope: Scope | undefined) => Visibility | undefined;
  /** Words that a misread text may show as names. */
  readonly notNames?: ReadonlySet<string>;
  /** Keywords that begin a definition, used for the parts of a file that do not parse. */
  readonly keywords?: Readonly<Record<string, SymbolKind>>;
}

export interface Scanner {
  readonly by: "scanner";
  readonly separator: string;
  readonly scan: (text: string) => Scanned;
}

export interface Scanned {
  readonly symbols: readonly ScannedSymbol[];
  readonly imports?: readonly ImportedName[];
  /** Parts in other languages, by their position in the text. */
  readonly parts?: readonly EmbeddedPart[];
  readonly hasErrors?: boolean;
}

export interface ScannedSymbol {
  readonly kind: SymbolKind;
  readonly name: string;
  readonly signature: string;
  readonly lineStart: number;
  readonly lineEnd: number;
  /** Nesting depth; the parent is the nearest earlier symbol with a smaller depth. */
  readonly depth: number;
  readonly qualifiedName?: string;
  readonly visibility?: Visibility;
  readonly doc?: string;
}

export interface EmbeddedPart {
  readonly language: string;
  readonly start: number;
  readonly end: number;
}

export interface CommentSyntax {
  readonly line: readonly string[];
  readonly block?: readonly [open: string, close: string];
}

/** An open definition, or an unnamed function, around the current node. */
export interface Scope {
  readonly start: number;
  readonly end: number;
  /** Index of the symbol, or -1 for a scope without a name. */
  readonly symbol: number;
  readonly kind: SymbolKind | "anonymous" | "file";
  readonly name: string;
  readonly qualifiedName: string;
  readonly inFunction: boolean;
  /** True if the value is an object literal, whose entries are members. */
  readonly holdsMembers: boolean;
  readonly around: Scope | undefined;
  /** Visibility of the following members, after `public:` or `private`. */
  access: Visibility | undefined;
}

/** The node that a rule reads. */
export interface Site {
  readonly node: Node;
  readonly text: string;
  readonly scope: Scope | undefined;
  /** Returns the text before the node that belongs to it, such as `export const ` before a declarator. */
  readonly head: () => string;
}

/** A symbol that a rule found. The kind `import` names a source that the file imports. */
export interface Definition {
  readonly kind: SymbolKind;
  readonly name: string;
  /** The node of the name; by default the node of the rule. */
  readonly at?: Node;
  /** Separator before the name, instead of the default one. */
  readonly joint?: string | undefined;
  /** Qualifier between the enclosing scope and the name, such as `A` in C++'s `void A::b()`. */
  readonly owner?: string | undefined;
  /** The complete signature, if the text around the name does not give it. */
  readonly signature?: string;
  /** Offset at which the signature ends; by default the end of the node. */
  readonly signatureEnd?: number | undefined;
  readonly visibility?: Visibility | undefined;
  readonly holdsMembers?: boolean;
  /** True for a second name of an inner definition that has its own name. */
  readonly isAlias?: boolean;
  /** True if the node was probably misread, so that a repair of the text is worth trying. */
  readonly isDoubtful?: boolean;
  /**
   * True if the symbol belongs to the type around the declaring function, like parameter properties of a
   * constructor.
   */
  readonly ofType?: boolean;
}

export interface Rule {
  /**
   * `define` creates symbols, `wrap` belongs to the definition inside it (export, template), and `scope` only nests.
   */
  readonly role: "define" | "wrap" | "scope";
  /**
   * Returns the part of the node to parse as a text of its own: items in a macro call are mere tokens to the
   * grammar.
   */
  readonly inside?: (site: Site) => Node | undefined;
  /** How much of the wrapper belongs to the definition: with `words`, used for lists, only its first words. */
  readonly lends?: "all" | "words";
  /** True if the content is local to a function. */
  readonly isFunction?: boolean;
  /** True if the content consists of members, even inside a function. */
  readonly isType?: boolean;
  /** True if the rule does not apply inside functions, because local variables are not definitions. */
  readonly notLocal?: boolean;
  /** True if the symbol qualifies the rest of the file, like a package clause. */
  readonly wholeFile?: boolean;
  /** Returns the visibility of the following members, if the node sets it. */
  readonly access?: (site: Site) => Visibility | undefined;
  readonly read?: (site: Site) => Definition | readonly Definition[] | undefined;
}
