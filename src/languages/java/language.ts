import type { Visibility } from "../../model/symbol.ts";
import type { Definition, Language, Scope, Site } from "../language.ts";
import {
  anonymousFunction,
  define,
  endBeforeLongValue,
  importText,
  packageName,
  read,
  textOf,
} from "../parse/rules.ts";

/** Java. Names are qualified by their types but not by the package, which the folders already show. */
export const java: Language = {
  id: "java",
  name: "Java",
  extensions: [".java"],
  holds:
    "the package, classes, interfaces, records, enums and constants, annotations, methods, constructors, fields",
  outline: {
    by: "grammar",
    wasm: "tree-sitter-java.wasm",
    separator: ".",
    comments: { line: ["//"], block: ["/*", "*/"] },
    keywords: { class: "class", interface: "interface", enum: "enum", record: "class" },
    visibility,
    rules: {
      package_declaration: packageName,
      import_declaration: importText(/^import\s+(?:static\s+)?/u),
      module_declaration: define("module"),
      class_declaration: define("class"),
      interface_declaration: define("interface"),
      annotation_type_declaration: define("interface"),
      record_declaration: define("class"),
      "(record_declaration parameters: (formal_parameters (formal_parameter) @_))": define("field", {
        visibility: "public",
      }),
      enum_declaration: define("enum"),
      enum_constant: define("variant"),
      method_declaration: define("method"),
      annotation_type_element_declaration: define("method"),
      constructor_declaration: define("constructor"),
      compact_constructor_declaration: define("constructor"),
      field_declaration: read(fields),
      constant_declaration: read(fields),
      lambda_expression: anonymousFunction,
    },
  },
};

function visibility(_name: string, head: string, scope: Scope | undefined): Visibility {
  const word = /\b(public|protected|private)\b/u.exec(head)?.[1];
  if (word === "public" || word === "protected" || word === "private") return word;
  return scope?.kind === "interface" || scope?.kind === "enum" ? "public" : "internal";
}

function fields({ node, text, scope }: Site): Definition[] {
  return node.childrenForFieldName("declarator").flatMap((declarator) => {
    const at = declarator.childForFieldName("name");
    if (at === null) return [];
    const signatureEnd = endBeforeLongValue(declarator.childForFieldName("value"), text);
    const isConstant =
      scope?.kind === "interface" || /\bfinal\b/u.test(text.slice(node.startIndex, at.startIndex));
    const name = textOf(at, text);
    const kind = isConstant && /^[A-Z][A-Z0-9_]*$/u.test(name) ? "const" : "field";
    // A variable whose value is an anonymous class, as in `new A() { … }`, has the members of that class.
    const holdsMembers = declarator.childForFieldName("value")?.lastNamedChild?.type === "class_body";
    return [{ kind, name, at, signatureEnd, holdsMembers }];
  });
}
