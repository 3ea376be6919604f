import type { Node } from "web-tree-sitter";
import type { SymbolKind, Visibility } from "../model/symbol.ts";
import type { Rule, Site } from "./language.ts";

export interface DefineOptions {
  /** The field that holds the name. */
  readonly name?: string;
  /** The field at which the signature ends. */
  readonly body?: string;
  readonly notLocal?: boolean;
  readonly visibility?: Visibility;
}

const FUNCTION_KINDS: ReadonlySet<SymbolKind> = new Set(["fn", "method", "constructor"]);

/** A rule for a node whose name and body are fields. */
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

/** A rule for a node that names a member or a constant: no body, a value that may be long. */
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

/** A rule with its own reader. */
export function read(reader: NonNullable<Rule["read"]>, options: Omit<Rule, "role" | "read"> = {}): Rule {
  return { role: "define", read: reader, ...options };
}

/** A rule for a node that carries one definition and lends it its head. */
export const wrap: Rule = { role: "wrap", lends: "all" };

/** A wrapper of several definitions, such as `const a = 1, b = 2`. */
export const wrapList: Rule = { role: "wrap", lends: "words" };

/** A rule for a function without a name. */
export const anonymousFunction: Rule = { role: "scope", isFunction: true };

/** A rule for a type without a name. */
export const anonymousType: Rule = { role: "scope", isType: true };

/** A rule for a block that is named only for what it holds. */
export const anonymousScope: Rule = { role: "scope" };

/** A rule for what a file brings in, where only the statement's words have to go. */
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

/** A rule for the clause that names the file's package. */
export const packageName: Rule = read(({ node, text }) => {
  const at = node.namedChildren.at(-1);
  return at === undefined ? undefined : { kind: "module", name: textOf(at, text), at, visibility: "public" };
});

/** Where a signature ends when the body is the last child and no field. */
export function startOfLast(node: Node, types: ReadonlySet<string>): number | undefined {
  const last = node.lastNamedChild;
  return last !== null && types.has(last.type) ? last.startIndex : undefined;
}

/** The end of a declaration with a value that has no field: the whole if it is short and on one line. */
export function endBeforeLongRest(node: Node, head: Node, text: string): number | undefined {
  const end = node.endIndex;
  const isShort = end - head.endIndex <= MAX_VALUE && !text.slice(node.startIndex, end).includes("\n");
  return isShort ? end : head.endIndex;
}

/** A rule for what a file brings in: the text of a field, without its quotes. */
export function importOf(field: string): Rule {
  return read(({ node, text }) => {
    const source = node.childForFieldName(field);
    return source === null ? undefined : { kind: "import", name: unquoted(textOf(source, text)) };
  });
}

/** The source text of a node. */
export function textOf(node: Node, text: string): string {
  return text.slice(node.startIndex, node.endIndex);
}

/** Where a node starts, for the end of a signature before it. */
export function startOf(node: Node | null): number | undefined {
  return node === null ? undefined : node.startIndex;
}

export function unquoted(text: string): string {
  return text.replace(/^["'`<]|["'`>]$/gu, "");
}

/** The signature's end for a name with a value: the value belongs to it while it is short and on one line. */
export function endBeforeLongValue(value: Node | null, text: string): number | undefined {
  if (value === null) return undefined;
  const end = value.endIndex;
  if (end - value.startIndex <= MAX_VALUE && !text.slice(value.startIndex, end).includes("\n")) return end;
  return value.startIndex;
}

/** A value longer than this is left out of a signature: it would be longer than the rest of the line. */
const MAX_VALUE = 80;
