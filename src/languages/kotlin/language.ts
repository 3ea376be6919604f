import type { Node } from "web-tree-sitter";
import type { SymbolKind, Visibility } from "../../model/symbol.ts";
import type { Definition, Language, Site } from "../language.ts";
import {
  anonymousFunction,
  anonymousType,
  define,
  endBeforeLongRest,
  importText,
  packageName,
  read,
  startOfLast,
  textOf,
} from "../parse/rules.ts";
import { prepareKotlin } from "./prepare.ts";
import { KOTLIN_TESTS } from "./tests.ts";

const BODIES: ReadonlySet<string> = new Set(["class_body", "enum_class_body", "function_body", "block"]);

/** Kotlin. Extension functions are qualified by the type that they extend. */
export const kotlin: Language = {
  id: "kotlin",
  name: "Kotlin",
  extensions: [".kt", ".kts"],
  holds:
    "the package, classes, interfaces, objects, companions, enums and entries, functions, extensions, constructors, properties, type aliases, tests of Kotest",
  outline: {
    by: "grammar",
    wasm: "tree-sitter-kotlin.wasm",
    separator: ".",
    comments: { line: ["//"], block: ["/*", "*/"] },
    prepare: prepareKotlin,
    keywords: { class: "class", interface: "interface", object: "class", fun: "fn", typealias: "type" },
    visibility,
    tests: KOTLIN_TESTS,
    rules: {
      package_header: packageName,
      import: importText(/^import\s+/u),
      class_declaration: read(classLike),
      object_declaration: read(classLike),
      companion_object: read(companion),
      object_literal: anonymousType,
      class_parameter: read(parameterProperty),
      enum_entry: read(enumEntry),
      function_declaration: read(functionDeclaration, { isFunction: true }),
      secondary_constructor: read(constructor, { isFunction: true }),
      anonymous_function: anonymousFunction,
      lambda_literal: anonymousFunction,
      getter: anonymousFunction,
      setter: anonymousFunction,
      anonymous_initializer: anonymousFunction,
      property_declaration: read(property, { notLocal: true }),
      type_alias: define("type", { name: "type", body: "none" }),
    },
  },
};

function visibility(_name: string, head: string): Visibility {
  const word = /\b(private|protected|internal)\b/u.exec(head)?.[1];
  return word === "private" || word === "protected" || word === "internal" ? word : "public";
}

function classLike({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  const head = text.slice(node.startIndex, at.startIndex);
  const kind = /\binterface\s*$/u.test(head)
    ? "interface"
    : /\benum\s+class\s*$/u.test(head)
      ? "enum"
      : "class";
  const signatureEnd = startOfLast(node, BODIES) ?? startOfSpec(node, text);
  return { kind, name: textOf(at, text), at, signatureEnd };
}

/** Returns where the block begins that a test class passes to its superclass: `class ATest : StringSpec({ … })`. */
function startOfSpec(node: Node, text: string): number | undefined {
  const declaration = textOf(node, text);
  const at = declaration.includes("\n") ? declaration.search(/\(\s*\{/u) : -1;
  return at < 0 ? undefined : node.startIndex + at;
}

function companion({ node, text }: Site): Definition {
  const at = node.childForFieldName("name");
  const signatureEnd = startOfLast(node, BODIES);
  if (at === null) return { kind: "class", name: "Companion", signatureEnd };
  return { kind: "class", name: textOf(at, text), at, signatureEnd };
}

function parameterProperty({ node, text }: Site): Definition | undefined {
  const at = node.namedChildren.find((child) => child.type === "identifier");
  if (at === undefined || !/\b(?:val|var)\s+$/u.test(text.slice(node.startIndex, at.startIndex)))
    return undefined;
  return { kind: "property", name: textOf(at, text), at };
}

function enumEntry({ node, text }: Site): Definition | undefined {
  const at = node.namedChildren.find((child) => child.type === "identifier");
  if (at === undefined) return undefined;
  return { kind: "variant", name: textOf(at, text), at, signatureEnd: startOfLast(node, BODIES) };
}

const RECEIVER = /([\p{L}_][\p{L}\p{N}_]*)(?:<[^()]*>)?\??\s*\.\s*$/u;

function functionDeclaration({ node, text, scope }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  const owner = RECEIVER.exec(text.slice(node.startIndex, at.startIndex))?.[1];
  const isMember = isType(scope?.kind) || (scope?.kind === "anonymous" && !scope.inFunction);
  const kind = owner !== undefined || isMember ? "method" : "fn";
  return { kind, name: textOf(at, text), at, owner, signatureEnd: startOfLast(node, BODIES) };
}

function isType(kind: string | undefined): boolean {
  return kind === "class" || kind === "interface" || kind === "enum" || kind === "variant";
}

function constructor({ node }: Site): Definition {
  return { kind: "constructor", name: "constructor", signatureEnd: startOfLast(node, BODIES) };
}

function property({ node, text, scope }: Site): Definition[] {
  const declared = node.namedChildren.find((child) => child.type.endsWith("variable_declaration"));
  if (declared === undefined) return [];
  const head = text.slice(node.startIndex, declared.startIndex);
  const plain: SymbolKind = /\bvar\b/u.test(head) ? "var" : "const";
  const owner = RECEIVER.exec(head)?.[1];
  const isMember = owner !== undefined || isType(scope?.kind) || node.parent?.type === "class_body";
  const kind = /\bconst\b/u.test(head) ? "const" : isMember ? "property" : plain;
  const signatureEnd = endBeforeLongRest(node, declared, text);
  const holdsMembers = node.namedChildren.some((child) => child.type === "object_literal");
  return names(declared).map((at) => ({
    kind,
    name: textOf(at, text),
    at,
    owner,
    signatureEnd,
    holdsMembers,
  }));
}

function names(declared: Node): Node[] {
  if (declared.type === "variable_declaration")
    return declared.namedChildren.filter((child) => child.type === "identifier").slice(0, 1);
  return declared.namedChildren.flatMap(names);
}
