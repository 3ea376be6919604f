import type { Definition, Language, Site } from "../language.ts";
import {
  anonymousFunction,
  define,
  defineValue,
  endBeforeLongValue,
  importOf,
  read,
  startOf,
  textOf,
  wrapList,
} from "../parse/rules.ts";
import { GO_TESTS } from "./tests.ts";

/** Go. Methods are qualified by the type of their receiver, and all names by their package. */
export const go: Language = {
  id: "go",
  name: "Go",
  extensions: [".go"],
  holds:
    "the package, functions, methods by receiver, types, struct fields, interface methods, package constants and variables, subtests, tests of Ginkgo",
  outline: {
    by: "grammar",
    wasm: "tree-sitter-go.wasm",
    separator: ".",
    comments: { line: ["//"], block: ["/*", "*/"] },
    keywords: { func: "fn", type: "type" },
    notNames: new Set(["_"]),
    visibility: (name) => (/^\p{Lu}/u.test(name) ? "public" : "internal"),
    tests: GO_TESTS,
    rules: {
      package_clause: read(packageClause, { wholeFile: true }),
      import_spec: importOf("path"),
      function_declaration: define("fn"),
      method_declaration: read(method, { isFunction: true }),
      func_literal: anonymousFunction,
      type_declaration: wrapList,
      type_spec: read(type),
      type_alias: read(type),
      field_declaration: read(field),
      method_elem: read(interfaceMethod),
      const_declaration: wrapList,
      const_spec: defineValue("const", { notLocal: true }),
      var_declaration: wrapList,
      var_spec: defineValue("var", { notLocal: true }),
    },
  },
};

function packageClause({ node, text }: Site): Definition | undefined {
  const at = node.namedChild(0);
  return at === null ? undefined : { kind: "module", name: textOf(at, text), at, visibility: "public" };
}

function method({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  const receiver = node.childForFieldName("receiver");
  if (at === null || receiver === null) return undefined;
  const owner = /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^\]]*\])?\s*,?\s*\)$/u.exec(textOf(receiver, text))?.[1];
  return {
    kind: "method",
    name: textOf(at, text),
    at,
    owner,
    signatureEnd: startOf(node.childForFieldName("body")),
  };
}

function type({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  const value = node.childForFieldName("type");
  if (at === null || value === null) return undefined;
  const name = textOf(at, text);
  if (value.type === "struct_type")
    return { kind: "struct", name, at, signatureEnd: value.startIndex + "struct".length };
  if (value.type === "interface_type")
    return { kind: "interface", name, at, signatureEnd: value.startIndex + "interface".length };
  return { kind: "type", name, at, signatureEnd: endBeforeLongValue(value, text) };
}

/**
 * Reads the fields of named structs, including embedded types. Fields of unnamed structs are left out, because nobody
 * looks them up.
 */
function field({ node, text, scope }: Site): Definition[] {
  if (scope?.kind !== "struct" && scope?.holdsMembers !== true) return [];
  const value = node.childForFieldName("type");
  const holdsMembers = value !== null && text.slice(value.startIndex, value.endIndex).includes("struct");
  const names = node.childrenForFieldName("name");
  if (names.length > 0)
    return names.map((at) => ({ kind: "field", name: textOf(at, text), at, holdsMembers }));
  if (value === null) return [];
  const embedded = textOf(value, text).replace(/\[.*/su, "");
  return [{ kind: "field", name: embedded.slice(embedded.lastIndexOf(".") + 1), at: value }];
}

function interfaceMethod({ node, text, scope }: Site): Definition | undefined {
  if (scope?.kind !== "interface") return undefined;
  const at = node.childForFieldName("name");
  return at === null ? undefined : { kind: "method", name: textOf(at, text), at };
}
