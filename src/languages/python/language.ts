import type { Node } from "web-tree-sitter";
import type { Definition, Language, Site } from "../language.ts";
import { define, endBeforeLongValue, importOf, read, textOf, wrapApart } from "../rules.ts";

/** Python: functions, classes and the assignments of modules and classes. */
export const python: Language = {
  id: "python",
  name: "Python",
  extensions: [".py", ".pyi", ".pyw", ".pyx"],
  fileNames: ["sconstruct", "sconscript", "wscript"],
  interpreters: ["python", "pypy", "uv"],
  holds: "functions, methods, classes, module and class variables, type aliases",
  outline: {
    by: "grammar",
    wasm: "tree-sitter-python.wasm",
    separator: ".",
    comments: { line: ["#"], docstring: true },
    keywords: { def: "fn", class: "class" },
    visibility: (name) => (/^_(?!_.*__$)/u.test(name) ? "private" : "public"),
    rules: {
      decorated_definition: wrapApart,
      function_definition: define(functionKind),
      class_definition: define("class"),
      assignment: read(assigned, { notLocal: true }),
      type_alias_statement: read(typeAlias, { notLocal: true }),
      import_statement: read(imported),
      import_from_statement: importOf("module_name"),
    },
  },
};

function functionKind({ scope, head }: Site): "fn" | "method" | "property" {
  if (scope?.kind !== "class") return "fn";
  return /@(?:[\w.]*property|\w+\.(?:setter|getter|deleter))\b/u.test(head()) ? "property" : "method";
}

function typeAlias({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("left");
  return at === null ? undefined : { kind: "type", name: textOf(at, text).replace(/\[.*/su, ""), at };
}

function assigned({ node, text, scope }: Site): Definition[] {
  const left = node.childForFieldName("left");
  if (left === null) return [];
  const signatureEnd = endBeforeLongValue(node.childForFieldName("right"), text);
  return identifiers(left).map((at) => {
    const name = textOf(at, text);
    const isConstant = /^_*[A-Z][A-Z0-9_]*$/u.test(name);
    const kind = isConstant ? "const" : scope?.kind === "class" ? "field" : "var";
    return { kind, name, at, signatureEnd };
  });
}

function identifiers(left: Node): Node[] {
  if (left.type === "identifier") return [left];
  if (!/^(?:pattern_list|tuple_pattern|list_pattern|list_splat_pattern)$/u.test(left.type)) return [];
  return left.namedChildren.flatMap(identifiers);
}

function imported({ node, text }: Site): Definition[] {
  return node.childrenForFieldName("name").map((name) => ({
    kind: "import",
    name: textOf(name.type === "aliased_import" ? (name.childForFieldName("name") ?? name) : name, text),
  }));
}
