import type { Node } from "web-tree-sitter";
import type { SymbolKind, Visibility } from "../../model/symbol.ts";
import type { Rule, Site } from "../language.ts";

export interface DefineOptions {
  /** The field of the syntax node that contains the name of the definition. */
  readonly name?: string;
  /** The field of the syntax node before which the signature ends. */
  readonly body?: string;
  readonly notLocal?: boolean;
  readonly visibility?: Visibility;
}

const FUNCTION_KINDS: ReadonlySet<SymbolKind> = new Set(["fn", "method", "constructor"]);

/** Creates a rule for a syntax node whose name and body are fields of the node. */
export function define(kind: SymbolKind | ((site: Site) => SymbolKind), options: DefineOptions = {}): Rule {
  const { name = "name", body = "body", notLocal = false, visibility } = options;
  return {
    role: "define",
    notLocal,
    isFunction: typeof kind === "string" ? FUNCTION_KINDS.has(kind) : true,
    read: (site) => {
      const at = site.node.childForFieldName(name);
      if (at === null) return undefined;
      return {
        kind: typeof kind === "string" ? kind : kind(site),
        name: textOf(at, site.text),
        at,
        signatureEnd: startOf(site.node.childForFieldName(body)),
        visibility,
      };
    },
  };
}

/** Creates a rule for a member or constant without a body; a long value is left out of its signature. */
export function defineValue(
  kind: SymbolKind,
  options: { name?: string; value?: string; notLocal?: boolean } = {},
): Rule {
  const { name = "name", value = "value", notLocal = false } = options;
  return {
    role: "define",
    notLocal,
    read: ({ node, text }) => {
      const names = node.childrenForFieldName(name).filter((at) => at.isNamed);
      const signatureEnd = endBeforeLongValue(node.childForFieldName(value), text);
      return names.map((at) => ({ kind, name: textOf(at, text), at, signatureEnd }));
    },
  };
}

/** Creates a rule that finds definitions in a syntax node with the given function. */
export function read(reader: NonNullable<Rule["read"]>, options: Omit<Rule, "role" | "read"> = {}): Rule {
  return { role: "define", read: reader, ...options };
}

/** Rule for a syntax node that contains one definition and is part of its declaration, such as an export. */
export const wrap: Rule = { role: "wrap", lends: "all" };

/** Rule for a syntax node that contains several definitions, such as `const a = 1, b = 2`. */
export const wrapList: Rule = { role: "wrap", lends: "words" };

/** Rule for a function without a name. */
export const anonymousFunction: Rule = { role: "scope", isFunction: true };

/** Rule for a type without a name. */
export const anonymousType: Rule = { role: "scope", isType: true };

/** Rule for a block that has no name of its own but encloses other nodes. */
export const anonymousScope: Rule = { role: "scope" };

/**
 * Creates a rule for an import statement. The imported source is the text of the statement without the keywords that
 * `words` matches.
 */
export function importText(words: RegExp): Rule {
  return read(({ node, text }) => ({
    kind: "import",
    name: textOf(node, text)
      .replace(words, "")
      .replace(/[\s;]+$/u, "")
      .replace(/\s+/gu, " ")
      .trim(),
  }));
}

/** Rule for the clause that names the package of a file. */
export const packageName: Rule = read(({ node, text }) => {
  const at = node.namedChildren.at(-1);
  return at === undefined ? undefined : { kind: "module", name: textOf(at, text), at, visibility: "public" };
});

/** Returns the offset at which a signature ends, for nodes whose body is the last child and not a field. */
export function startOfLast(node: Node, types: ReadonlySet<string>): number | undefined {
  const last = node.lastNamedChild;
  return last !== null && types.has(last.type) ? last.startIndex : undefined;
}

/**
 * Returns the offset at which the signature of a variable ends, for nodes whose value is not a field. A short value on
 * the same line belongs to the signature.
 */
export function endBeforeLongRest(node: Node, head: Node, text: string): number | undefined {
  const end = node.endIndex;
  const isShort = end - head.endIndex <= MAX_VALUE && !text.slice(node.startIndex, end).includes("\n");
  return isShort ? end : head.endIndex;
}

/** Creates a rule for an import whose source is a field of the node; quotes around the source are removed. */
export function importOf(field: string): Rule {
  return read(({ node, text }) => {
    const source = node.childForFieldName(field);
    return source === null ? undefined : { kind: "import", name: unquoted(textOf(source, text)) };
  });
}

/** Returns the source text of a node. */
export function textOf(node: Node, text: string): string {
  return text.slice(node.startIndex, node.endIndex);
}

/** Returns the offset at which a node starts, where the signature before it ends. */
export function startOf(node: Node | null): number | undefined {
  return node === null ? undefined : node.startIndex;
}

export function unquoted(text: string): string {
  return text.replace(/^["'`<]|["'`>]$/gu, "");
}

/**
 * Returns the offset at which the signature of a variable ends. A short value on the same line belongs to the
 * signature, a long one does not.
 */
export function endBeforeLongValue(value: Node | null, text: string): number | undefined {
  if (value === null) return undefined;
  const end = value.endIndex;
  if (end - value.startIndex <= MAX_VALUE && !text.slice(value.startIndex, end).includes("\n")) return end;
  return value.startIndex;
}

/** Maximum length of a value in a signature; longer values would hide the rest of the line. */
const MAX_VALUE = 80;
