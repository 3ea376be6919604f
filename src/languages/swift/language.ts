import type { SymbolKind, Visibility } from "../../model/symbol.ts";
import type { Definition, Language, Scope, Site } from "../language.ts";
import { anonymousFunction, define, endBeforeLongRest, importText, read, startOf, textOf } from "../rules.ts";

/** Swift. An extension is a symbol that names its members by the type it extends. */
export const swift: Language = {
  id: "swift",
  name: "Swift",
  extensions: [".swift"],
  interpreters: ["swift"],
  holds:
    "classes, structs, actors, enums and cases, protocols, extensions, functions, initializers, subscripts, properties, type aliases",
  outline: {
    by: "grammar",
    wasm: "tree-sitter-swift.wasm",
    separator: ".",
    comments: { line: ["//"], block: ["/*", "*/"] },
    keywords: {
      class: "class",
      struct: "struct",
      enum: "enum",
      protocol: "interface",
      extension: "impl",
      actor: "class",
      func: "fn",
    },
    visibility,
    rules: {
      import_declaration: importText(
        /^(?:@\w+\s+)*import\s+(?:(?:class|struct|enum|func|protocol|typealias)\s+)?/u,
      ),
      class_declaration: read(typeDeclaration),
      protocol_declaration: define("interface"),
      enum_entry: read(enumEntry),
      function_declaration: read(functionDeclaration, { isFunction: true }),
      protocol_function_declaration: read(functionDeclaration),
      init_declaration: read(initializer, { isFunction: true }),
      deinit_declaration: read(deinitializer, { isFunction: true }),
      subscript_declaration: read(subscript),
      property_declaration: read(property, { notLocal: true }),
      protocol_property_declaration: read(property),
      typealias_declaration: define("type", { body: "none" }),
      associatedtype_declaration: define("type", { body: "none" }),
      macro_declaration: read(macro),
      computed_property: anonymousFunction,
      willset_didset_block: anonymousFunction,
      lambda_literal: anonymousFunction,
    },
  },
};

function visibility(_name: string, head: string, scope: Scope | undefined): Visibility {
  const word = /\b(public|open|package|internal|fileprivate|private)\b(?!\s*\(set\))/u.exec(head)?.[1];
  if (word === "public" || word === "open") return "public";
  if (word === "private" || word === "fileprivate") return "private";
  return scope?.kind === "interface" ? "public" : "internal";
}

const TYPE_WORDS: Readonly<Record<string, SymbolKind>> = {
  struct: "struct",
  enum: "enum",
  extension: "impl",
};

function typeDeclaration({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  const word = /(\w+)\s*$/u.exec(text.slice(node.startIndex, at.startIndex))?.[1] ?? "";
  const name = textOf(at, text).replace(/<.*$/su, "");
  return {
    kind: TYPE_WORDS[word] ?? "class",
    name,
    at,
    signatureEnd: startOf(node.childForFieldName("body")),
  };
}

function enumEntry({ node, text }: Site): Definition[] {
  return node
    .childrenForFieldName("name")
    .filter((at) => at.type === "simple_identifier")
    .map((at) => ({ kind: "variant", name: textOf(at, text), at }));
}

const OPERATOR = /\bfunc\s+([^\s\w(<]+|[^\s\w(]+)/uy;

function functionDeclaration({ node, text, scope }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  const isNamed = at !== null && at.type === "simple_identifier";
  const name = isNamed ? textOf(at, text) : operatorName(text.slice(node.startIndex, node.startIndex + 300));
  const kind = scope === undefined || scope.inFunction || scope.symbol < 0 ? "fn" : "method";
  const signatureEnd = startOf(node.childForFieldName("body"));
  if (name === undefined) return undefined;
  return isNamed ? { kind, name, at, signatureEnd } : { kind, name, signatureEnd };
}

function operatorName(head: string): string | undefined {
  OPERATOR.lastIndex = Math.max(0, head.search(/\bfunc\b/u));
  return OPERATOR.exec(head)?.[1];
}

function initializer({ node }: Site): Definition {
  return { kind: "constructor", name: "init", signatureEnd: startOf(node.childForFieldName("body")) };
}

function deinitializer({ node }: Site): Definition {
  return { kind: "method", name: "deinit", signatureEnd: startOf(node.childForFieldName("body")) };
}

function subscript({ node, text }: Site): Definition {
  const brace = text.indexOf("{", node.startIndex);
  const signatureEnd = brace < 0 || brace > node.endIndex ? undefined : brace;
  return { kind: "method", name: "subscript", signatureEnd };
}

function macro({ node, text }: Site): Definition | undefined {
  const at = node.namedChildren.find((child) => child.type === "simple_identifier");
  return at === undefined ? undefined : { kind: "macro", name: textOf(at, text), at };
}

function property({ node, text, scope }: Site): Definition[] {
  const patterns = node.childrenForFieldName("name").filter((child) => child.type === "pattern");
  return patterns.flatMap((pattern) => {
    const at = pattern.childForFieldName("bound_identifier");
    if (at === null) return [];
    const isVariable = /\bvar\s/u.test(text.slice(node.startIndex, at.startIndex));
    const isMember = scope !== undefined && scope.symbol >= 0;
    const kind = isMember ? "property" : isVariable ? "var" : "const";
    const computed = startOf(node.childForFieldName("computed_value"));
    return [
      {
        kind,
        name: textOf(at, text),
        at,
        signatureEnd: computed ?? endBeforeLongRest(node, lastOf(node, at), text),
      },
    ];
  });
}

/** The type annotation belongs to the head of a property. */
function lastOf(node: Site["node"], at: Site["node"]): Site["node"] {
  return (
    node.namedChildren.find(
      (child) => child.type === "type_annotation" && child.startIndex > at.startIndex,
    ) ?? at
  );
}
