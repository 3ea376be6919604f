import type { Node } from "web-tree-sitter";
import type { Literals } from "./preprocessor/literals.ts";
import type { ImportedName, SymbolKind, Visibility } from "../model/symbol.ts";

/** A language that Pith can outline. Each language has its own folder and one line in the registry. */
export interface Language {
  readonly id: string;
  readonly name: string;
  /** File extensions of the language, in lower case and with the dot. */
  readonly extensions: readonly string[];
  /** Complete names of files in this language, in lower case. */
  readonly fileNames?: readonly string[];
  /** Names of programs in a `#!` line that identify the language, without version digits. */
  readonly interpreters?: readonly string[];
  /** Describes what an outline of this language contains, for the table of languages in the documentation. */
  readonly holds: string;
  /**
   * Returns the id of another language if the text is written in it; a C++ header, for example, has the same extension
   * as a C header.
   */
  readonly refine?: (text: string) => string | undefined;
  readonly outline: Outliner;
}

/**
 * How the symbols of a language are found: by a tree-sitter grammar, or by a scanner that reads the text once and may
 * also find parts in other languages.
 */
export type Outliner = Grammar | Scanner;

export interface Grammar {
  readonly by: "grammar";
  /** File name of the compiled grammar in dist/grammars. */
  readonly wasm: string;
  /** Text that separates the parts of a qualified name, such as `.` or `::`. */
  readonly separator: string;
  /**
   * Returns the separator of qualified names in languages where it depends on the enclosing scope, such as `A\\B::c` in
   * PHP.
   */
  readonly joint?: (scope: Scope) => string;
  readonly comments: CommentSyntax;
  /**
   * Rules for nodes of the syntax tree. A key is a node type, or a tree-sitter query pattern that captures the node as
   * `@_`.
   */
  readonly rules: Readonly<Record<string, Rule>>;
  /** Replaces text that the grammar is known to misread; the new text has the same length. */
  readonly prepare?: (text: string) => string;
  /**
   * Replaces text like `prepare`, but only if the text has syntax errors; the result is kept if it has fewer errors.
   */
  readonly repair?: (text: string) => string;
  /**
   * Set for languages with a preprocessor, to the syntax of their string literals. An `#if` may cut a declaration in
   * half, so its branches must be parsed separately.
   */
  readonly branches?: Literals;
  /** True if the language writes attributes in `[…]` before a declaration. */
  readonly bracketAttributes?: boolean;
  /** Determines the visibility of a symbol from its name, the words before the name and the enclosing scope. */
  readonly visibility?: (name: string, head: string, scope: Scope | undefined) => Visibility | undefined;
  /** Words, such as keywords, that are never names but may look like names in text that the grammar misreads. */
  readonly notNames?: ReadonlySet<string>;
  /** Rules for the blocks of test frameworks, such as `describe("…")`, which only some texts contain. */
  readonly tests?: TestSyntax;
  /**
   * Keywords that begin a definition and the kind they define. They are searched for in the parts of a file that do not
   * parse.
   */
  readonly keywords?: Readonly<Record<string, SymbolKind>>;
}

export interface TestSyntax {
  /** Matches texts that may contain test blocks; for other texts the rules would only take time. */
  readonly hint: RegExp;
  readonly rules: Grammar["rules"];
  /**
   * Matches a line that begins a test, with the groups `word` and `title`. It is used for the parts of a file that do
   * not parse.
   */
  readonly line: RegExp;
  /** Matches the words that begin a group of tests. */
  readonly suite: RegExp;
}

export interface Scanner {
  readonly by: "scanner";
  readonly separator: string;
  readonly scan: (text: string) => Scanned;
}

export interface Scanned {
  readonly symbols: readonly ScannedSymbol[];
  readonly imports?: readonly ImportedName[];
  /** Parts of the text that are written in other languages. */
  readonly parts?: readonly EmbeddedPart[];
  readonly hasErrors?: boolean;
}

export interface ScannedSymbol {
  readonly kind: SymbolKind;
  readonly name: string;
  readonly signature: string;
  readonly lineStart: number;
  readonly lineEnd: number;
  /** Nesting depth of the symbol, from 1; its parent is the nearest earlier symbol with a smaller depth. */
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

/** A definition, or a function without a name, that encloses the current node of the syntax tree. */
export interface Scope {
  readonly start: number;
  readonly end: number;
  /** Index of the symbol that the scope defines, or -1 for a scope without a name. */
  readonly symbol: number;
  readonly kind: SymbolKind | "anonymous" | "file";
  readonly name: string;
  readonly qualifiedName: string;
  readonly inFunction: boolean;
  /** True if the scope is a variable whose value is an object literal; the entries of the literal are its members. */
  readonly holdsMembers: boolean;
  readonly around: Scope | undefined;
  /** Visibility of the members that follow a specifier such as `public:` or `private`. */
  access: Visibility | undefined;
}

/** The node of the syntax tree that a rule is applied to, with its surroundings. */
export interface Site {
  readonly node: Node;
  readonly text: string;
  readonly scope: Scope | undefined;
  /** Returns the text before the node that belongs to its declaration, such as `export const ` before a declarator. */
  readonly head: () => string;
}

/** A symbol that a rule found. A definition of the kind `import` is a module that the file imports. */
export interface Definition {
  readonly kind: SymbolKind;
  readonly name: string;
  /** The node that contains the name; by default the node that the rule was applied to. */
  readonly at?: Node;
  /** Separator between the enclosing scope and the name, if it is not the default separator of the language. */
  readonly joint?: string | undefined;
  /** Qualifier between the enclosing scope and the name, such as `A` in C++'s `void A::b()`. */
  readonly owner?: string | undefined;
  /** The complete signature, if it cannot be taken from the text around the name. */
  readonly signature?: string;
  /** Offset at which the signature ends; by default the end of the node. */
  readonly signatureEnd?: number | undefined;
  readonly visibility?: Visibility | undefined;
  readonly holdsMembers?: boolean;
  /**
   * True if this is a second name for a definition inside the node that also has a name of its own, as in a C
   * `typedef`.
   */
  readonly isAlias?: boolean;
  /** True if the grammar probably misread the node, so that it is worth trying to repair the text. */
  readonly isDoubtful?: boolean;
  /** The node that ends the definition, if its body follows the node that the rule was applied to. */
  readonly end?: Node | undefined;
  /**
   * True if the symbol is a member of the type that encloses the declaring function, like a parameter property of a
   * constructor.
   */
  readonly ofType?: boolean;
}

export interface Rule {
  /**
   * What a node does: `define` creates symbols, `wrap` belongs to the definition inside it, such as an export or a
   * template, and `scope` only encloses other nodes.
   */
  readonly role: "define" | "wrap" | "scope";
  /**
   * Returns the part of the node that must be parsed on its own, because the grammar reads the content of a macro call
   * only as tokens.
   */
  readonly inside?: (site: Site) => Node | undefined;
  /**
   * How much of a wrapping node belongs to the definition inside it: everything, or only its leading keywords, as for
   * lists such as `const a, b`.
   */
  readonly lends?: "all" | "words";
  /** True if everything inside the node is local to a function. */
  readonly isFunction?: boolean;
  /** True if the node contains members, which are definitions even inside a function. */
  readonly isType?: boolean;
  /** True if the rule applies only outside functions, because local variables are not listed as definitions. */
  readonly notLocal?: boolean;
  /** True if the symbol qualifies all names in the rest of the file, like a package clause. */
  readonly wholeFile?: boolean;
  /** Returns the visibility of the following members if the node sets it, like `private:` in C++. */
  readonly access?: (site: Site) => Visibility | undefined;
  readonly read?: (site: Site) => Definition | readonly Definition[] | undefined;
}
