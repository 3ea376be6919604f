import type { Node } from "web-tree-sitter";
import type { Definition, Language, Site } from "../language.ts";
import {
  anonymousFunction,
  endBeforeLongValue,
  read,
  startOf,
  textOf,
  unquoted,
  wrapList,
} from "../parse/rules.ts";
import { LUA_TESTS } from "./tests.ts";

/** Lua: functions under any form of name, such as `a.b` or `a:b`, top-level variables and table entries. */
export const lua: Language = {
  id: "lua",
  name: "Lua",
  extensions: [".lua", ".rockspec"],
  fileNames: [".luacheckrc"],
  interpreters: ["lua", "luajit", "luvit"],
  holds:
    "functions and methods, also those assigned to names and table keys, top-level variables, entries of named tables, tests of busted",
  outline: {
    by: "grammar",
    wasm: "tree-sitter-lua.wasm",
    separator: ".",
    comments: { line: ["--"], block: ["--[[", "]]"] },
    keywords: { function: "fn" },
    visibility: (_name, head) => (/^\s*local\b/u.test(head) ? "private" : "public"),
    tests: LUA_TESTS,
    rules: {
      function_declaration: read(functionDeclaration, { isFunction: true }),
      function_definition: anonymousFunction,
      variable_declaration: wrapList,
      assignment_statement: read(assignment),
      "(variable_declaration (variable_list) @_)": read(declaredOnly, { notLocal: true }),
      field: read(field),
    },
  },
};

/** Splits `M.a.b` into the name `b` and the owner `M.a`. In `M:b`, the separator is a colon. */
function split(at: Node, text: string): Pick<Definition, "name" | "at" | "owner" | "joint"> | undefined {
  const path = textOf(at, text).replace(/\s+/gu, "");
  if (!/^[\w.:]+$/u.test(path)) return undefined;
  const cut = Math.max(path.lastIndexOf("."), path.lastIndexOf(":"));
  if (cut < 0) return { name: path, at };
  return { name: path.slice(cut + 1), at, owner: path.slice(0, cut), joint: path[cut] };
}

/** Splits `M["b"]` into the name `b` and the owner `M`; a key that is not a string stays part of the name. */
function byKey(at: Node, text: string): Pick<Definition, "name" | "at" | "owner" | "joint"> | undefined {
  const path = textOf(at, text).replace(/\s+/gu, " ");
  const [, owner, key] = /^([\w.:]+)\[["'](\w+)["']\]$/u.exec(path) ?? [];
  if (owner !== undefined && key !== undefined) return { name: key, at, owner, joint: "." };
  return path.length <= MAX_PATH ? { name: path, at } : undefined;
}

/**
 * Maximum length of a function name that contains a computed key, such as `M[key]`; functions with longer names are not
 * listed.
 */
const MAX_PATH = 80;

function functionDeclaration({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  const named = at === null ? undefined : split(at, text);
  if (named === undefined) return undefined;
  return { kind: named.owner === undefined ? "fn" : "method", ...named, signatureEnd: parametersEnd(node) };
}

function parametersEnd(node: Node): number | undefined {
  const parameters = node.childForFieldName("parameters");
  return parameters?.endIndex ?? startOf(node.childForFieldName("body"));
}

function assignment({ node, text, scope }: Site): Definition[] {
  const [left, right] = node.namedChildren;
  if (left === undefined || right === undefined) return [];
  const values = right.childrenForFieldName("value");
  const isLocal = scope?.inFunction === true;
  return left.childrenForFieldName("name").flatMap((at, index): Definition[] => {
    const value = values[index];
    const isFunction = value?.type === "function_definition";
    const named = split(at, text) ?? (isFunction ? byKey(at, text) : undefined);
    if (named === undefined) return [];
    if (isFunction)
      return [
        { kind: named.owner === undefined ? "fn" : "method", ...named, signatureEnd: parametersEnd(value) },
      ];
    if (isLocal) return [];
    const kind = named.owner === undefined ? "var" : "field";
    const holdsMembers = value?.type === "table_constructor";
    const found: Definition = {
      kind,
      ...named,
      holdsMembers,
      signatureEnd: endBeforeLongValue(value ?? null, text),
    };
    const source = value === undefined ? undefined : required(textOf(value, text));
    return source === undefined ? [found] : [found, { kind: "import", name: source }];
  });
}

function required(value: string): string | undefined {
  return /^require\s*\(?\s*["']([^"']+)["']/u.exec(value)?.[1];
}

function declaredOnly({ node, text }: Site): Definition[] {
  return node.childrenForFieldName("name").map((at) => ({ kind: "var", name: textOf(at, text), at }));
}

function field({ node, text, scope }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  const value = node.childForFieldName("value");
  if (at === null || value === null) return undefined;
  const name = unquoted(textOf(at, text));
  if (value.type === "function_definition")
    return { kind: "method", name, at, signatureEnd: parametersEnd(value) };
  if (scope === undefined || scope.inFunction || !scope.holdsMembers) return undefined;
  return {
    kind: "property",
    name,
    at,
    signatureEnd: endBeforeLongValue(value, text),
    holdsMembers: value.type === "table_constructor",
  };
}
