import { withoutCppMacros } from "../c/repair.ts";
import { C_RULES, C_WORDS, record } from "../c/rules.ts";
import { KEYWORDS } from "../c/words.ts";
import type { Visibility } from "../../model/symbol.ts";
import type { Definition, Language, Scope, Site } from "../language.ts";
import {
  anonymousFunction,
  define,
  endBeforeLongValue,
  read,
  startOf,
  textOf,
  wrap,
} from "../parse/rules.ts";
import { C_TESTS, withoutTestArguments } from "../c/tests.ts";

/** C++. Methods that are defined outside their class are qualified by the name of the class. */
export const cpp: Language = {
  id: "cpp",
  name: "C++",
  extensions: [
    ".cpp",
    ".cc",
    ".cxx",
    ".c++",
    ".hpp",
    ".hh",
    ".hxx",
    ".h++",
    ".ipp",
    ".inl",
    ".tpp",
    ".cu",
    ".cuh",
    ".ino",
  ],
  holds:
    "namespaces, classes, structs, unions, templates, functions, methods, operators, prototypes, fields, enums and constants, aliases, concepts, macros, global variables, tests of GoogleTest, Catch2, doctest and Boost",
  outline: {
    by: "grammar",
    wasm: "tree-sitter-cpp.wasm",
    separator: "::",
    comments: { line: ["//"], block: ["/*", "*/"] },
    keywords: {
      "#define": "macro",
      class: "class",
      struct: "struct",
      union: "struct",
      enum: "enum",
      namespace: "namespace",
    },
    notNames: new Set([...C_WORDS, ...KEYWORDS]),
    branches: "c",
    prepare: withoutTestArguments,
    repair: withoutCppMacros,
    visibility,
    tests: C_TESTS,
    rules: {
      ...C_RULES,
      template_declaration: wrap,
      "(field_declaration_list (access_specifier) @_)": {
        role: "define",
        access: ({ node, text }) => accessOf(textOf(node, text)),
      },
      class_specifier: record("class"),
      namespace_definition: read(namespace),
      namespace_alias_definition: define("namespace"),
      alias_declaration: read(alias),
      concept_definition: define("type"),
      lambda_expression: anonymousFunction,
    },
  },
};

function accessOf(word: string): Visibility | undefined {
  return word === "public" || word === "protected" || word === "private" ? word : undefined;
}

/**
 * Determines visibility in C++: before the first access specifier, members of a class are private and those of a struct
 * public. Outside of both, `static` makes a name private.
 */
function visibility(_name: string, head: string, scope: Scope | undefined): Visibility | undefined {
  if (scope?.kind === "class") return "private";
  if (scope?.kind === "struct") return "public";
  return /\bstatic\b/u.test(head) ? "internal" : undefined;
}

function namespace({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  return {
    kind: "namespace",
    name: textOf(at, text),
    at,
    signatureEnd: startOf(node.childForFieldName("body")),
  };
}

function alias({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  const signatureEnd = endBeforeLongValue(node.childForFieldName("type"), text);
  return { kind: "type", name: textOf(at, text), at, signatureEnd };
}
