import type { Node } from "web-tree-sitter";
import type { SymbolKind, Visibility } from "../../model/symbol.ts";
import type { Definition, Rule, Scope, Site } from "../language.ts";
import {
  anonymousFunction,
  define,
  endBeforeLongValue,
  importOf,
  read,
  startOf,
  textOf,
  unquoted,
  wrap,
  wrapList,
} from "../parse/rules.ts";

const FUNCTION_VALUES: ReadonlySet<string> = new Set([
  "arrow_function",
  "function_expression",
  "generator_function",
]);

/** Reads a function expression. It defines a name of its own unless it is assigned to a variable of the same name. */
const functionExpression: Rule = {
  role: "scope",
  isFunction: true,
  read: ({ node, text, scope }) => {
    const at = node.childForFieldName("name");
    if (at === null) return undefined;
    const name = textOf(at, text);
    if (scope?.name === name && scope.kind !== "class") return undefined;
    return { kind: "fn", name, at, signatureEnd: startOf(node.childForFieldName("body")) };
  },
};

/** The rules that JavaScript and TypeScript share for finding definitions in a syntax tree. */
export const SCRIPT_RULES: Readonly<Record<string, Rule>> = {
  export_statement: wrap,
  "(export_statement source: (_)) @_": importOf("source"),
  import_statement: importOf("source"),
  lexical_declaration: wrapList,
  variable_declaration: wrapList,
  function_declaration: define("fn"),
  generator_function_declaration: define("fn"),
  class_declaration: define("class"),
  class: { ...define("class"), role: "scope" },
  function_expression: functionExpression,
  generator_function: functionExpression,
  arrow_function: anonymousFunction,
  method_definition: read(method, { isFunction: true }),
  variable_declarator: read(variable),
  assignment_expression: read(assignment),
  pair: read(pair),
};

/** Determines the visibility of a symbol from the words before its name; members are public by default. */
export function scriptVisibility(
  name: string,
  head: string,
  scope: Scope | undefined,
): Visibility | undefined {
  if (name.startsWith("#") || /\bprivate\b/u.test(head)) return "private";
  if (/\bprotected\b/u.test(head)) return "protected";
  if (/\b(?:export|public)\b/u.test(head)) return "public";
  return scope?.kind === "class" || scope?.kind === "interface" ? "public" : undefined;
}

/** Returns the name of a property without quotes; a computed name stays as written. */
export function propertyName(node: Node, text: string): string {
  return unquoted(textOf(node, text));
}

function method({ node, text, scope }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  const name = propertyName(at, text);
  const before = text.slice(node.startIndex, at.startIndex);
  const isAccessor = /\b[gs]et\s*$/u.test(before);
  if (scope === undefined && isExportedEntry({ node, text, scope }))
    return {
      kind: isAccessor ? "const" : "fn",
      name,
      at,
      signatureEnd: startOf(node.childForFieldName("body")),
      visibility: "public",
    };
  const kind = name === "constructor" ? "constructor" : isAccessor ? "property" : "method";
  return { kind, name, at, signatureEnd: startOf(node.childForFieldName("body")) };
}

/**
 * Returns the kind of a variable and the end of its signature if its value is a function or class; undefined for other
 * values.
 */
export function callableValue(
  value: Node,
  asMember: boolean,
): Pick<Definition, "kind" | "signatureEnd"> | undefined {
  const { type } = value;
  if (FUNCTION_VALUES.has(type))
    return { kind: asMember ? "method" : "fn", signatureEnd: startOf(value.childForFieldName("body")) };
  if (type === "class") return { kind: "class", signatureEnd: startOf(value.childForFieldName("body")) };
  return undefined;
}

function variable({ node, text, scope, head }: Site): Definition | readonly Definition[] | undefined {
  const value = node.childForFieldName("value");
  const isLocal = scope?.inFunction === true;
  if (value === null && isLocal) return undefined;
  const callable = value === null ? undefined : callableValue(value, false);
  if (callable === undefined && isLocal) return undefined;
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  if (callable !== undefined) return { ...callable, name: textOf(at, text), at };
  const kind = /\bconst\s/u.test(head()) ? "const" : "var";
  const signatureEnd = endBeforeLongValue(value, text);
  const holdsMembers = value !== null && isObject(value);
  const names: Definition[] = boundNames(at).map((name) => ({
    kind,
    name: textOf(name, text),
    at: name,
    signatureEnd,
    holdsMembers,
  }));
  const required = value === null ? undefined : requiredModule(value, text);
  return required === undefined ? names : [...names, { kind: "import", name: required }];
}

const OBJECT_WRAPPERS: ReadonlySet<string> = new Set([
  "as_expression",
  "satisfies_expression",
  "parenthesized_expression",
]);

/** True if a value is an object literal, including `{…} as const`. */
export function isObject(value: Node): boolean {
  if (value.type === "object") return true;
  const inner = OBJECT_WRAPPERS.has(value.type) ? value.namedChild(0) : null;
  return inner !== null && isObject(inner);
}

const REQUIRE = /require\(\s*["'`]([^"'`]+)["'`]\s*\)/uy;

function requiredModule(value: Node, text: string): string | undefined {
  REQUIRE.lastIndex = value.startIndex;
  return REQUIRE.exec(text)?.[1];
}

function boundNames(pattern: Node): Node[] {
  switch (pattern.type) {
    case "identifier":
    case "shorthand_property_identifier_pattern":
      return [pattern];
    case "pair_pattern":
      return boundNamesOfField(pattern, "value");
    case "assignment_pattern":
    case "object_assignment_pattern":
      return boundNamesOfField(pattern, "left");
    case "object_pattern":
    case "array_pattern":
    case "rest_pattern":
      return pattern.namedChildren.flatMap(boundNames);
    default:
      return [];
  }
}

function boundNamesOfField(node: Node, field: string): Node[] {
  const child = node.childForFieldName(field);
  return child === null ? [] : boundNames(child);
}

const UNDEFINED = /^(?:exports\.[\w$]+\s*=\s*)*(?:void 0|undefined)$/u;

/** Reads assignments that define a name: `exports.a = …`, `A.prototype.b = function` and `a.b = function`. */
function assignment({ node, text, scope }: Site): Definition | undefined {
  const left = node.childForFieldName("left");
  if (left === null || left.type !== "member_expression") return undefined;
  const path = textOf(left, text);
  if (!/^[\w$.#]+$/u.test(path)) return undefined;
  const value = node.childForFieldName("right");
  if (value === null) return undefined;
  const parts = path.split(".").filter((part) => part !== "prototype");
  const name = parts.pop() ?? "";
  const isExport = /^(?:module\.)?exports(?:\.|$)/u.test(path);
  const callable = callableValue(value, true);
  if (callable === undefined && (!isExport || scope?.inFunction === true)) return undefined;
  // Compilers announce exports so before they assign them.
  if (callable === undefined && UNDEFINED.test(textOf(value, text))) return undefined;
  const owner = parts
    .filter((part) => !/^(?:module|exports|this|window|globalThis|self)$/u.test(part))
    .join(".");
  const found = callable ?? {
    kind: "const" as const,
    signatureEnd: endBeforeLongValue(value, text),
    holdsMembers: isObject(value),
  };
  if (name === "exports") return undefined;
  const kind: SymbolKind = found.kind === "method" && owner === "" && isExport ? "fn" : found.kind;
  const at = left.childForFieldName("property") ?? left;
  return { ...found, kind, name, at, owner, visibility: isExport ? "public" : undefined };
}

function pair({ node, text, scope }: Site): Definition | undefined {
  const value = node.childForFieldName("value");
  const at = node.childForFieldName("key");
  if (value === null || at === null || at.type === "computed_property_name") return undefined;
  const name = propertyName(at, text);
  const isMember = scope?.holdsMembers === true && !scope.inFunction;
  const isExport = !isMember && isExportedEntry({ node, text, scope });
  const callable = callableValue(value, !isExport);
  if (callable !== undefined) return { ...callable, name, at, ...(isExport && { visibility: "public" }) };
  if (!isMember && !isExport) return undefined;
  const written = textOf(value, text);
  // These values are defined elsewhere under the same name or in another file.
  if (isExport && (written === name || REQUIRED.test(written))) return undefined;
  return {
    kind: isExport ? "const" : "property",
    name,
    at,
    signatureEnd: endBeforeLongValue(value, text),
    holdsMembers: isObject(value),
    ...(isExport && { visibility: "public" }),
  };
}

const REQUIRED = /^require\s*\(/u;

/** Returns true for an entry of the object in `module.exports = { … }` outside of functions. */
function isExportedEntry({ node, text, scope }: Pick<Site, "node" | "text" | "scope">): boolean {
  if (scope !== undefined && (scope.inFunction || scope.symbol >= 0)) return false;
  const assigned = node.parent?.parent;
  const left = assigned?.type === "assignment_expression" ? assigned.childForFieldName("left") : null;
  return left !== null && left !== undefined && /^(?:module\.)?exports$/u.test(textOf(left, text));
}
