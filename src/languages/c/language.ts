import { withoutMacros } from "./repair.ts";
import type { Language } from "../language.ts";
import { C_RULES, C_WORDS } from "./rules.ts";
import { C_TESTS } from "./tests.ts";

/** C. Prototypes and definitions of functions are distinguished. */
export const c: Language = {
  id: "c",
  name: "C",
  extensions: [".c", ".h"],
  holds:
    "functions, prototypes, macros, structs, unions, enums and constants, fields, typedefs, global variables",
  refine: (text) => (CPP_WORDS.test(text) || CPP_ONLY.test(text) ? "cpp" : undefined),
  outline: {
    by: "grammar",
    wasm: "tree-sitter-c.wasm",
    separator: ".",
    comments: { line: ["//"], block: ["/*", "*/"] },
    keywords: { "#define": "macro", struct: "struct", union: "struct", enum: "enum" },
    notNames: C_WORDS,
    branches: "c",
    repair: withoutMacros,
    visibility: (_name, head) => (/\bstatic\b/u.test(head) ? "internal" : undefined),
    tests: C_TESTS,
    rules: C_RULES,
  },
};

/** Matches C++ code that never occurs in C: named casts such as `static_cast` and const member functions. */
const CPP_WORDS = /_cast<|\)[ \t]*const[ \t]*[{;]/u;
/** Matches lines that are valid in C++ but not in C. */
const CPP_ONLY =
  /^[ \t]*(?:template[ \t]*<|namespace(?:[ \t]+[\w:]+)?[ \t]*(?:\{|$)|using[ \t]+[\w:]+|class[ \t]+\w[\w \t:]*(?:\{|;|$)|(?:public|private|protected)[ \t]*:|[\w<>:,&* \t]+\boperator[ \t]*[^\w\s]|(?:struct|enum(?:[ \t]+class)?)[ \t]+\w+[ \t]*:[ \t]*[A-Za-z]|#[ \t]*include[ \t]*<(?:string|vector|map|memory|iostream|utility|functional|cstdint|cstddef|cstring|algorithm|type_traits)>)/mu;
