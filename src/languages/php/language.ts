import type { Visibility } from "../../model/symbol.ts";
import type { Definition, Language, Scope, Site } from "../language.ts";
import {
  anonymousFunction,
  anonymousScope,
  define,
  defineValue,
  endBeforeLongValue,
  importText,
  read,
  startOf,
  textOf,
  unquoted,
} from "../parse/rules.ts";
import { PHP_TESTS } from "./tests.ts";

const TYPES: ReadonlySet<string> = new Set(["class", "interface", "trait", "enum"]);

/** PHP, with qualified names such as `Space\Class::member`. */
export const php: Language = {
  id: "php",
  name: "PHP",
  extensions: [".php", ".phtml", ".php3", ".php4", ".php5", ".phps", ".inc"],
  interpreters: ["php"],
  holds:
    "namespaces, classes, interfaces, traits, enums and cases, functions, methods, properties, constants, global variables, tests of Pest",
  outline: {
    by: "grammar",
    wasm: "tree-sitter-php.wasm",
    separator: "\\",
    joint: (scope) => (TYPES.has(scope.kind) ? "::" : "\\"),
    comments: { line: ["//", "#"], block: ["/*", "*/"] },
    keywords: { class: "class", interface: "interface", trait: "trait", enum: "enum", function: "fn" },
    visibility,
    tests: PHP_TESTS,
    rules: {
      "(namespace_definition !body) @_": { ...define("namespace"), wholeFile: true },
      "(namespace_definition body: (_)) @_": define("namespace"),
      namespace_use_declaration: read(imports),
      use_declaration: read(traits),
      class_declaration: define("class"),
      interface_declaration: define("interface"),
      trait_declaration: define("trait"),
      enum_declaration: define("enum"),
      enum_case: defineValue("variant"),
      anonymous_class: anonymousScope,
      function_definition: define("fn"),
      method_declaration: read(method, { isFunction: true }),
      property_declaration: read(properties),
      property_promotion_parameter: read(promoted),
      const_declaration: read(constants),
      anonymous_function: anonymousFunction,
      arrow_function: anonymousFunction,
      "(program (expression_statement (assignment_expression) @_))": read(globalVariable),
      "(expression_statement (function_call_expression function: (name)) @_)": read(defined),
      "(expression_statement [(require_expression) (require_once_expression) (include_expression) (include_once_expression)] @_)":
        importText(/^(?:require|include)(?:_once)?\s*/u),
    },
  },
};

function visibility(_name: string, head: string, scope: Scope | undefined): Visibility | undefined {
  const word = /\b(public|protected|private)\b/u.exec(head)?.[1];
  if (word === "public" || word === "protected" || word === "private") return word;
  return scope !== undefined && TYPES.has(scope.kind) ? "public" : undefined;
}

/** Reads the names of a `use`: one, a list, or a group such as `A\\{B, C as D}`; an alias is not part of the name. */
function imports({ node, text }: Site): Definition[] {
  const group = node.childForFieldName("body");
  const prefix = node.namedChildren.find(({ type }) => type === "namespace_name");
  const before = prefix === undefined ? "" : `${textOf(prefix, text)}\\`;
  return (group ?? node).namedChildren
    .filter(({ type }) => type === "namespace_use_clause")
    .flatMap((clause) => {
      const at = clause.namedChildren.find(({ type }) => type === "qualified_name" || type === "name");
      return at === undefined
        ? []
        : [{ kind: "import", name: `${before}${textOf(at, text)}`.replace(/^\\/u, ""), at }];
    });
}

/** Reads the traits that a class uses. */
function traits({ node, text }: Site): Definition[] {
  return node.namedChildren
    .filter(({ type }) => type === "name" || type === "qualified_name")
    .map((at) => ({ kind: "import", name: textOf(at, text).replace(/^\\/u, ""), at }));
}

function method({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  const name = textOf(at, text);
  const kind = name === "__construct" ? "constructor" : "method";
  return { kind, name, at, signatureEnd: startOf(node.childForFieldName("body")) };
}

function properties({ node, text }: Site): Definition[] {
  return node.namedChildren
    .filter((child) => child.type === "property_element")
    .flatMap((element) => {
      const at = element.childForFieldName("name");
      if (at === null) return [];
      const signatureEnd = endBeforeLongValue(element.childForFieldName("default_value"), text);
      return [
        { kind: "field", name: variable(textOf(at, text)), at, signatureEnd: signatureEnd ?? at.endIndex },
      ];
    });
}

function promoted({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  return { kind: "field", name: variable(textOf(at, text)), at, ofType: true };
}

/** Returns the name of a variable without the dollar sign. */
function variable(name: string): string {
  return name.replace(/^&?\$/u, "");
}

function constants({ node, text }: Site): Definition[] {
  return node.namedChildren
    .filter((child) => child.type === "const_element")
    .flatMap((element) => {
      const at = element.namedChild(0);
      if (at === null) return [];
      const signatureEnd = endBeforeLongValue(element.namedChild(1), text);
      return [{ kind: "const", name: textOf(at, text), at, signatureEnd }];
    });
}

function globalVariable({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("left");
  if (at === null || at.type !== "variable_name") return undefined;
  const signatureEnd = endBeforeLongValue(node.childForFieldName("right"), text);
  return { kind: "var", name: variable(textOf(at, text)), at, signatureEnd };
}

function defined({ node, text }: Site): Definition | undefined {
  const called = node.childForFieldName("function");
  if (called === null || textOf(called, text).toLowerCase() !== "define") return undefined;
  const at = node.childForFieldName("arguments")?.namedChild(0) ?? null;
  if (at === null) return undefined;
  return { kind: "const", name: unquoted(textOf(at, text)), at };
}
