import type { Visibility } from "../../model/symbol.ts";
import { scanIndented } from "../indented.ts";
import type { IndentedRule, IndentedShape } from "../indented-shape.ts";
import type { Language } from "../language.ts";

const BEFORE = String.raw`^(?<seen>pub\s+)?(?:(?:export|extern(?:\s+"[^"]*")?|inline|noinline|threadlocal)\s+)*`;
const NAME = String.raw`(?<name>[A-Za-z_]\w*)`;
const VALUE = String.raw`\s*(?::[^=]+)?=\s*(?:extern\s+|packed\s+)?`;

function visibility({ groups }: RegExpExecArray): Visibility {
  return groups?.["seen"] === undefined ? "private" : "public";
}

function rule(kind: IndentedRule["kind"], pattern: string): IndentedRule {
  return { kind, pattern: new RegExp(BEFORE + pattern, "u"), visibility };
}

const METHODS: NonNullable<IndentedRule["inside"]> = new Map([
  ["struct", "method"],
  ["enum", "method"],
]);

const SHAPE: IndentedShape = {
  comments: { line: ["//"] },
  separator: ".",
  rules: [
    { ...rule("fn", `fn\\s+${NAME}`), inside: METHODS },
    { pattern: /^test\b\s*(?<name>"(?:[^"\\]|\\.)*"|[\w.@"]*)\s*\{/u, kind: "test" },
    // Matches compile-time blocks, whose definitions are local and not listed.
    { pattern: /^comptime\b[^;]*\{$/u, kind: undefined },
    // Matches the type that a generic function returns; its members are those of the function.
    { pattern: /^return\b[^;"]*\b(?:struct|union)\b[^;"]*\{$/u, kind: "struct", within: "function" },
    { pattern: /^return\b[^;"]*\b(?:enum|opaque)\b[^;"]*\{$/u, kind: "enum", within: "function" },
    rule("struct", `const\\s+${NAME}${VALUE}(?:struct|union)\\b`),
    rule("enum", `const\\s+${NAME}${VALUE}(?:enum|opaque|error\\s*\\{)`),
    rule("const", `const\\s+${NAME}\\s*[:=](?!.*@import)`),
    rule("var", `var\\s+${NAME}\\s*[:=]`),
    { pattern: new RegExp(`^(?:comptime\\s+)?${NAME}\\s*:(?!:)`, "u"), kind: "field", within: "type" },
  ],
  imports: /@import\("([^"]+)"\)/u,
  hidden: /(?!)/gu,
  continues: /^\)/u,
  closes: /^\}/u,
  around: /\s*\{[^}\n]*\}?$/gu,
};

/**
 * Zig, scanned by its declaration keywords. The scanner relies on indentation, which the formatter of Zig guarantees.
 */
export const zig: Language = {
  id: "zig",
  name: "Zig",
  extensions: [".zig"],
  holds:
    "functions, structs, unions, enums and error sets with their fields and methods, types that functions return, constants, variables, tests",
  outline: { by: "scanner", separator: SHAPE.separator, scan: (text) => scanIndented(text, SHAPE) },
};
