import type { Visibility } from "../../model/symbol.ts";
import type { Definition, Language, Rule, Scope, Site } from "../language.ts";
import { withoutUnknown } from "./repair.ts";
import { anonymousFunction, define, defineValue, read, startOf, textOf } from "../parse/rules.ts";

/** C# with namespaces, types and all their members. */
export const csharp: Language = {
  id: "csharp",
  name: "C#",
  extensions: [".cs", ".csx"],
  holds:
    "namespaces, classes, structs, records, interfaces, enums and members, delegates, methods, constructors, operators, properties, indexers, events, fields, local functions",
  outline: {
    by: "grammar",
    wasm: "tree-sitter-c_sharp.wasm",
    separator: ".",
    comments: { line: ["//"], block: ["/*", "*/"] },
    bracketAttributes: true,
    branches: "csharp",
    repair: withoutUnknown,
    keywords: {
      class: "class",
      struct: "struct",
      record: "class",
      interface: "interface",
      enum: "enum",
      namespace: "namespace",
    },
    visibility,
    rules: {
      "(preproc_define (preproc_arg) @_)": read(({ node, text }) => ({
        kind: "macro",
        name: textOf(node, text).trim(),
        visibility: "private",
      })),
      using_directive: read(imported),
      namespace_declaration: define("namespace"),
      file_scoped_namespace_declaration: { ...define("namespace"), wholeFile: true },
      class_declaration: read(classOrExtension),
      struct_declaration: define("struct"),
      record_declaration: define("class"),
      "(record_declaration (parameter_list (parameter) @_))": define("property", {
        body: "none",
        visibility: "public",
      }),
      interface_declaration: define("interface"),
      enum_declaration: define("enum"),
      enum_member_declaration: defineValue("variant"),
      delegate_declaration: define("type"),
      method_declaration: define("method"),
      local_function_statement: define("fn"),
      constructor_declaration: define("constructor"),
      destructor_declaration: read(destructor, { isFunction: true }),
      operator_declaration: read(operator, { isFunction: true }),
      conversion_operator_declaration: read(conversion, { isFunction: true }),
      property_declaration: define("property", { body: "accessors" }),
      indexer_declaration: read(indexer),
      event_declaration: define("property", { body: "accessors" }),
      event_field_declaration: read(fields),
      field_declaration: read(fields),
      lambda_expression: anonymousFunction,
    },
  },
};

function visibility(_name: string, head: string, scope: Scope | undefined): Visibility {
  const word = /\b(public|protected|private|internal)\b/u.exec(head)?.[1];
  if (word === "public" || word === "protected" || word === "private" || word === "internal") return word;
  if (scope?.kind === "interface" || scope?.kind === "enum") return "public";
  return scope?.kind === "class" || scope?.kind === "struct" ? "private" : "internal";
}

const CLASS = define("class");

/**
 * Reads a class or an `extension` block, which was turned into a class before parsing (see repair.ts). The members of
 * an extension block belong to the enclosing class.
 */
function classOrExtension(site: Site): ReturnType<NonNullable<Rule["read"]>> {
  return site.text.startsWith("extension", site.node.startIndex) ? undefined : CLASS.read?.(site);
}

function imported({ node, text }: Site): Definition[] {
  const alias = node.childForFieldName("name");
  const name = textOf(node, text).replace(
    /^(?:global\s+)?using\s+(?:static\s+)?(?:\w+\s*=\s*)?|[\s;]+$/gu,
    "",
  );
  const source: Definition = { kind: "import", name };
  if (alias === null) return [source];
  return [source, { kind: "type", name: textOf(alias, text), at: alias, visibility: "private" }];
}

function fields({ node, text }: Site): Definition[] {
  const list = node.namedChildren.find((child) => child.type === "variable_declaration");
  const isEvent = node.type === "event_field_declaration";
  const isConstant = /\bconst\b/u.test(text.slice(node.startIndex, list?.startIndex ?? node.startIndex));
  const declarators = list?.namedChildren.filter((child) => child.type === "variable_declarator") ?? [];
  return declarators.flatMap((declarator) => {
    const at = declarator.childForFieldName("name");
    if (at === null) return [];
    const isLong = text.slice(at.endIndex, declarator.endIndex).length > 80;
    const kind = isEvent ? "property" : isConstant ? "const" : "field";
    return [{ kind, name: textOf(at, text), at, signatureEnd: isLong ? at.endIndex : undefined }];
  });
}

function destructor({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  const signatureEnd = startOf(node.childForFieldName("body"));
  return { kind: "method", name: `~${textOf(at, text)}`, at, signatureEnd };
}

function operator({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("operator");
  if (at === null) return undefined;
  const signatureEnd = startOf(node.childForFieldName("body"));
  return { kind: "method", name: `operator ${textOf(at, text)}`, at, signatureEnd };
}

function conversion({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("type");
  if (at === null) return undefined;
  const signatureEnd = startOf(node.childForFieldName("body"));
  return { kind: "method", name: `operator ${textOf(at, text)}`, at, signatureEnd };
}

function indexer({ node }: Site): Definition | undefined {
  const at = node.childForFieldName("parameters");
  const signatureEnd = startOf(node.childForFieldName("accessors") ?? node.childForFieldName("value"));
  return at === null ? undefined : { kind: "property", name: "this[]", at, signatureEnd };
}
