import type { Node } from "web-tree-sitter";
import type { Literals } from "./literals.ts";
import type { ImportedName, SymbolKind, Visibility } from "../model/symbol.ts";

/** A language that Pith can outline. One folder and one registry line each. */
export interface Language {
  readonly id: string;
  readonly name: string;
  /** With the dot, lower case. */
  readonly extensions: readonly string[];
  /** Whole file names, lower case. */
  readonly fileNames?: readonly string[];
  /** Programs of a `#!` line, without version digits. */
  readonly interpreters?: readonly string[];
  /** What an outline of it holds, for the generated table. */
  readonly holds: string;
  /** Another language's id where the text says so: a C++ header is named like a C header. */
  readonly refine?: (text: string) => string | undefined;
  readonly outline: Outliner;
}

/** How symbols are found: by a grammar, by a linear scanner, or in the parts of other languages that a file carries. */
export type Outliner = Grammar | Scanner;

export interface Grammar {
  readonly by: "grammar";
  /** The file name below dist/grammars. */
  readonly wasm: string;
  /** Between the parts of a qualified name. */
  readonly separator: string;
  /** Where the separator depends on what is around: `A\\B::c` in PHP. */
  readonly joint?: (scope: Scope) => string;
  readonly comments: CommentSyntax;
  /** What to do at a node, by the node's type or by a query pattern that captures it as `@_`. */
  readonly rules: Readonly<Record<string, Rule>>;
  /** Changes the text that is parsed, in place, where the grammar is known to misread it. */
  readonly prepare?: (text: string) => string;
  /** The same for a text with errors only: it is parsed again, and kept where it then has fewer. */
  readonly repair?: (text: string) => string;
  /** The preprocessor's `#if` may cut a declaration in half; the branches are read one after the other. */
  readonly branches?: Literals;
  /** Attributes stand in `[…]` before a declaration. */
  readonly bracketAttributes?: boolean;
  /** Told from the name and the words before it. */
  readonly visibility?: (name: string, head: string, scope: Scope | undefined) => Visibility | undefined;
  /** Words that a misread text may show as names. */
  readonly notNames?: ReadonlySet<string>;
  /** Words that, before a name, open a definition: used in the parts of a file that do not parse. */
  readonly keywords?: Readonly<Record<string, SymbolKind>>;
}

export interface Scanner {
  readonly by: "scanner";
  readonly separator: string;
  readonly scan: (text: string) => Scanned;
}

/** What a scanner found. */
export interface Scanned {
  readonly symbols: readonly ScannedSymbol[];
  readonly imports?: readonly ImportedName[];
  /** Parts in other languages, by their place in the text. */
  readonly parts?: readonly EmbeddedPart[];
  readonly hasErrors?: boolean;
}

export interface ScannedSymbol {
  readonly kind: SymbolKind;
  readonly name: string;
  readonly signature: string;
  readonly lineStart: number;
  readonly lineEnd: number;
  /** How deep it is nested; the parent is the nearest earlier symbol of a smaller depth. */
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

/** An open definition, or an unnamed function, around the node that is read. */
export interface Scope {
  readonly start: number;
  readonly end: number;
  /** The symbol's index, or -1 where nothing is named. */
  readonly symbol: number;
  readonly kind: SymbolKind | "anonymous" | "file";
  readonly name: string;
  readonly qualifiedName: string;
  readonly inFunction: boolean;
  /** Its value is an object literal, whose entries are its members. */
  readonly holdsMembers: boolean;
  readonly around: Scope | undefined;
  /** What the members from here on are, after `public:` or `private`. */
  access: Visibility | undefined;
}

/** The node that a rule reads. */
export interface Site {
  readonly node: Node;
  readonly text: string;
  readonly scope: Scope | undefined;
  /** The text before the node that belongs to it: `export const ` before a declarator. */
  readonly head: () => string;
}

/** A rule's finding. Kind `import` names a source that the file brings in. */
export interface Definition {
  readonly kind: SymbolKind;
  readonly name: string;
  /** Where the name stands; the rule's node if not given. */
  readonly at?: Node;
  /** Stands before the name in place of the separator. */
  readonly joint?: string | undefined;
  /** Named between the enclosing scope and the name: `A` in C++'s `void A::b()`. */
  readonly owner?: string | undefined;
  /** The signature itself, where the text around the name would not give it. */
  readonly signature?: string;
  /** The text index where the signature ends; the node's end if not given. */
  readonly signatureEnd?: number | undefined;
  readonly visibility?: Visibility | undefined;
  readonly holdsMembers?: boolean;
  /** A second name for what lies inside, which has one of its own. */
  readonly isAlias?: boolean;
  /** It looks like something else that was misread: the text is worth a repair. */
  readonly isDoubtful?: boolean;
  /** Belongs to the type around the function that declares it, as a constructor's parameter properties do. */
  readonly ofType?: boolean;
}

export interface Rule {
  /** `define` makes symbols, `wrap` belongs to the definition that it holds (export, template), `scope` only nests. */
  readonly role: "define" | "wrap" | "scope";
  /** The part of the node that is to be read as a text of its own: items inside a macro call, which are only tokens to the grammar. */
  readonly inside?: (site: Site) => Node | undefined;
  /** How a wrapper's head is read: `words` takes only its first words, for lists. */
  readonly lends?: "all" | "words";
  /** What lies inside is local to a function. */
  readonly isFunction?: boolean;
  /** What lies inside are members, also in a function. */
  readonly isType?: boolean;
  /** Nothing is read inside functions: local variables are no definitions. */
  readonly notLocal?: boolean;
  /** Qualifies the rest of the file, as a package clause does. */
  readonly wholeFile?: boolean;
  /** The visibility of the members that follow, where the node says so. */
  readonly access?: (site: Site) => Visibility | undefined;
  readonly read?: (site: Site) => Definition | readonly Definition[] | undefined;
}
