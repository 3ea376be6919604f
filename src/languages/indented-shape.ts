import type { SymbolKind, Visibility } from "../model/symbol.ts";
import type { CommentSyntax } from "./language.ts";

/** Describes how to find definitions in a language whose code is always indented, by the first words of each line. */
export interface IndentedShape {
  readonly comments: CommentSyntax;
  readonly separator: string;
  readonly rules: readonly IndentedRule[];
  /** Matches an import statement; its first capturing group is the imported module. */
  readonly imports: RegExp;
  /** Matches strings and comments, which may span lines and are replaced with spaces before the scan. */
  readonly hidden: RegExp;
  /**
   * Matches the header of a file that lists the names it exports: `word` its first word, and the first capturing group
   * of `names` the list, which is replaced with spaces because the names are defined elsewhere.
   */
  readonly header?: { readonly word: RegExp; readonly names: RegExp };
  /** Matches a line that belongs to the definition above it although it is not indented deeper. */
  readonly continues: RegExp;
  /** Matches the line that closes a definition and has the same indentation as the first line of that definition. */
  readonly closes: RegExp;
  /** Matches words before and after a signature that are removed from it, such as `do` at its end. */
  readonly around: RegExp;
  /**
   * Matches documentation written as code, such as `@doc "…"` in Elixir: `next` describes the next definition, `outer`
   * the enclosing one, and the first capturing group of `text` is the content.
   */
  readonly docs?: { readonly next: RegExp; readonly outer: RegExp; readonly text: RegExp };
}

/**
 * A rule for lines that begin a definition. The group `name` of the pattern matches one name or several, separated by
 * commas.
 */
export interface IndentedRule {
  readonly pattern: RegExp;
  /** The kind of the symbol; undefined for a block whose definitions are not listed in the outline. */
  readonly kind: SymbolKind | undefined;
  /**
   * Matches further definitions on the rest of the line, which belong to the one that the rule finds, such as the
   * constructors in `data A = B | C`.
   */
  readonly parts?: readonly { readonly pattern: RegExp; readonly kind: SymbolKind }[];
  /**
   * Maps the kind of the enclosing definition to the kind that the symbol then has, such as a function that becomes a
   * method.
   */
  readonly inside?: ReadonlyMap<SymbolKind, SymbolKind>;
  /**
   * Where the definition may occur: at the top level of the file, inside a type, or in a function that returns a type,
   * whose members it then contains. By default it may occur anywhere except in a function.
   */
  readonly within?: "file" | "type" | "function";
  readonly visibility?: (match: RegExpExecArray) => Visibility;
}
