import type { Node } from "web-tree-sitter";
import type { Visibility } from "../../model/symbol.ts";
import type { Definition, Language, Site } from "../language.ts";
import {
  anonymousFunction,
  anonymousScope,
  anonymousType,
  define,
  defineValue,
  endBeforeLongValue,
  importText,
  read,
  startOf,
  textOf,
} from "../parse/rules.ts";
import { SCALA_TESTS } from "./tests.ts";

/** Scala 2 and 3. */
export const scala: Language = {
  id: "scala",
  name: "Scala",
  extensions: [".scala", ".sc", ".sbt"],
  interpreters: ["scala"],
  holds:
    "packages, classes, objects, traits, enums and cases, functions, values and variables, types, givens, extensions, tests of ScalaTest, MUnit and ZIO",
  outline: {
    by: "grammar",
    wasm: "tree-sitter-scala.wasm",
    separator: ".",
    comments: { line: ["//"], block: ["/*", "*/"] },
    keywords: { class: "class", object: "class", trait: "trait", def: "fn", enum: "enum" },
    visibility,
    tests: SCALA_TESTS,
    rules: {
      package_clause: read(packageClause),
      package_object: define("module"),
      import_declaration: importText(/^import\s+/u),
      class_definition: define("class"),
      object_definition: define("class"),
      trait_definition: define("trait"),
      enum_definition: define("enum"),
      simple_enum_case: define("variant"),
      full_enum_case: define("variant"),
      class_parameter: read(parameterProperty),
      function_definition: read(functionDefinition, { isFunction: true }),
      function_declaration: read(functionDefinition),
      given_definition: define("const"),
      extension_definition: anonymousScope,
      instance_expression: anonymousType,
      lambda_expression: anonymousFunction,
      val_definition: read(value, { notLocal: true }),
      var_definition: read(value, { notLocal: true }),
      val_declaration: defineValue("property"),
      var_declaration: defineValue("property"),
      type_definition: defineValue("type", { value: "type" }),
    },
  },
};

function visibility(_name: string, head: string): Visibility {
  const word = /\b(private|protected)\b/u.exec(head)?.[1];
  return word === "private" || word === "protected" ? word : "public";
}

function packageClause({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  return { kind: "module", name: textOf(at, text), at, signatureEnd: at.endIndex };
}

/** Reads a class parameter, which is a member if it has `val` or `var` or belongs to a case class. */
function parameterProperty({ node, text, scope }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  const isValue = /\b(?:val|var)\s+$/u.test(text.slice(node.startIndex, at.startIndex));
  const isCase = scope !== undefined && /\bcase\s+class\b/u.test(text.slice(scope.start, scope.start + 80));
  return isValue || isCase ? { kind: "property", name: textOf(at, text), at } : undefined;
}

function functionDefinition({ node, text, scope }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  const name = textOf(at, text);
  const isMember = scope !== undefined && !scope.inFunction && scope.symbol >= 0 && scope.kind !== "module";
  const kind = name === "this" ? "constructor" : isMember ? "method" : "fn";
  return { kind, name, at, signatureEnd: startOf(node.childForFieldName("body")) };
}

function value({ node, text, scope }: Site): Definition[] {
  const pattern = node.childForFieldName("pattern");
  if (pattern === null) return [];
  const isMember = scope !== undefined && scope.symbol >= 0 && scope.kind !== "module";
  const kind = isMember ? "property" : node.type === "var_definition" ? "var" : "const";
  const given = node.childForFieldName("value");
  const signatureEnd = endBeforeLongValue(given, text);
  // A `val` whose value is an anonymous class, as in `val a = new A { def b }`, has the members of that class.
  const holdsMembers =
    given?.type === "instance_expression" && given.lastNamedChild?.type === "template_body";
  return identifiers(pattern).map((at) => ({ kind, name: textOf(at, text), at, signatureEnd, holdsMembers }));
}

function identifiers(pattern: Node): Node[] {
  if (pattern.type === "identifier") return [pattern];
  if (pattern.type !== "identifiers" && pattern.type !== "tuple_pattern") return [];
  return pattern.namedChildren.flatMap(identifiers);
}
