import type { Definition, Language, Rule, Site } from "../language.ts";
import { callableValue, propertyName, SCRIPT_RULES, scriptVisibility } from "../javascript/rules.ts";
import { define, endBeforeLongValue, read, textOf, unquoted, wrap } from "../parse/rules.ts";
import { SCRIPT_TESTS } from "../javascript/tests.ts";

const MEMBER_HOLDERS: ReadonlySet<string> = new Set(["interface", "type", "class", "property", "field"]);

const RULES: Readonly<Record<string, Rule>> = {
  ...SCRIPT_RULES,
  ambient_declaration: wrap,
  "(ambient_declaration (statement_block)) @_": read(globalBlock),
  abstract_class_declaration: define("class"),
  interface_declaration: define("interface"),
  type_alias_declaration: read(typeAlias),
  enum_declaration: define("enum"),
  "(enum_body name: (_) @_)": read(({ node, text }) => ({ kind: "variant", name: propertyName(node, text) })),
  enum_assignment: read(enumMember),
  function_signature: define("fn"),
  method_signature: read(member("method")),
  abstract_method_signature: read(member("method")),
  property_signature: read(member("property")),
  public_field_definition: read(field),
  internal_module: read(namespace),
  module: read(namespace),
  "(required_parameter (accessibility_modifier)) @_": read(parameterProperty),
  '(required_parameter . "readonly") @_': read(parameterProperty),
  '(optional_parameter . "readonly") @_': read(parameterProperty),
  "(optional_parameter (accessibility_modifier)) @_": read(parameterProperty),
};

const outline = {
  by: "grammar",
  separator: ".",
  comments: { line: ["//"], block: ["/*", "*/"] },
  keywords: { function: "fn", class: "class", interface: "interface", enum: "enum", namespace: "namespace" },
  visibility: scriptVisibility,
  repair: withoutImportTypes,
  rules: RULES,
  tests: SCRIPT_TESTS,
} as const;

/** Replaces types such as `import(…)`, which the grammar accepts only in some places, by names of the same length. */
function withoutImportTypes(text: string): string {
  return text.replace(/\bimport\(\s*(?:"[^"\n]*"|'[^'\n]*')\s*\)/gu, (found) => "i".repeat(found.length));
}

const holds =
  "functions, classes, methods, fields, interfaces and their members, enums and members, type aliases, namespaces, named arrow functions, top-level variables, members of named objects, tests (`describe`, `it`, `test`)";

/** TypeScript without JSX. */
export const typescript: Language = {
  id: "typescript",
  name: "TypeScript",
  extensions: [".ts", ".mts", ".cts"],
  interpreters: ["ts-node", "tsx"],
  holds,
  outline: { ...outline, wasm: "tree-sitter-typescript.wasm" },
};

/** TypeScript with JSX. It needs a grammar of its own, because `<T>x` is a cast only without JSX. */
export const tsx: Language = {
  id: "tsx",
  name: "TSX",
  extensions: [".tsx"],
  holds,
  outline: { ...outline, wasm: "tree-sitter-tsx.wasm" },
};

function enumMember({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  return at === null ? undefined : { kind: "variant", name: propertyName(at, text), at };
}

function typeAlias({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  const signatureEnd = endBeforeLongValue(node.childForFieldName("value"), text);
  return { kind: "type", name: textOf(at, text), at, signatureEnd };
}

/**
 * Creates a reader for members of named types. Members of parameter types and local variables are left out, because
 * nobody looks them up.
 */
function member(kind: "method" | "property") {
  return ({ node, text, scope }: Site): Definition | undefined => {
    if (scope === undefined || !MEMBER_HOLDERS.has(scope.kind)) return undefined;
    const at = node.childForFieldName("name");
    if (at === null) return undefined;
    const before = text.slice(node.startIndex, at.startIndex);
    const isAccessor = /\b[gs]et\s*$/u.test(before);
    const holdsMembers = text.slice(at.endIndex, node.endIndex).includes("{");
    const name = propertyName(at, text);
    const isConstructor = name === "constructor" && kind === "method" && scope.kind === "class";
    const found = isAccessor ? "property" : isConstructor ? "constructor" : kind;
    return { kind: found, name, at, holdsMembers };
  };
}

function field({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  const value = node.childForFieldName("value");
  const callable = value === null ? undefined : callableValue(value, true);
  const found = callable ?? { kind: "field" as const, signatureEnd: endBeforeLongValue(value, text) };
  return { ...found, name: propertyName(at, text), at };
}

/** Reads a `declare global {…}` block as a namespace with the name `global`. */
function globalBlock({ node }: Site): Definition {
  const body = node.namedChildren.find((child) => child.type === "statement_block");
  return { kind: "namespace", name: "global", signatureEnd: body?.startIndex };
}

function namespace({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  const signatureEnd = node.childForFieldName("body")?.startIndex;
  const kind = at.type === "string" ? "module" : "namespace";
  return { kind, name: unquoted(textOf(at, text)), at, signatureEnd };
}

/** Reads a constructor parameter such as `private readonly a: A`, which declares the field `a`. */
function parameterProperty({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("pattern");
  return at === null ? undefined : { kind: "field", name: textOf(at, text), at, ofType: true };
}
