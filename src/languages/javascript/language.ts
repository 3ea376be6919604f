import type { Definition, Language, Rule, Site } from "../language.ts";
import { endBeforeLongValue, read } from "../parse/rules.ts";
import { callableValue, propertyName, SCRIPT_RULES, scriptVisibility } from "./rules.ts";
import { SCRIPT_TESTS } from "./tests.ts";

const RULES: Readonly<Record<string, Rule>> = {
  ...SCRIPT_RULES,
  field_definition: read(field),
};

/** JavaScript and JSX, with ES modules and with CommonJS. */
export const javascript: Language = {
  id: "javascript",
  name: "JavaScript",
  extensions: [".js", ".jsx", ".mjs", ".cjs"],
  fileNames: ["jakefile"],
  interpreters: ["node", "nodejs", "bun", "deno"],
  holds:
    "functions, classes, methods, fields, named arrow functions, top-level variables, members of named objects, CommonJS exports, tests (`describe`, `it`, `test`)",
  outline: {
    by: "grammar",
    wasm: "tree-sitter-javascript.wasm",
    separator: ".",
    comments: { line: ["//"], block: ["/*", "*/"] },
    keywords: { function: "fn", class: "class" },
    visibility: scriptVisibility,
    rules: RULES,
    tests: SCRIPT_TESTS,
  },
};

function field({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("property");
  if (at === null) return undefined;
  const value = node.childForFieldName("value");
  const callable = value === null ? undefined : callableValue(value, true);
  const found = callable ?? { kind: "field" as const, signatureEnd: endBeforeLongValue(value, text) };
  return { ...found, name: propertyName(at, text), at };
}
