import { scanIndented } from "../indented.ts";
import type { IndentedRule, IndentedShape } from "../indented-shape.ts";
import type { Language } from "../language.ts";

const TYPE = String.raw`(?:[^=\n]*=>\s*)?(?<name>[A-Z][\w']*)`;
/** Matches the name of a function, or an operator in brackets. */
const VALUE = String.raw`(?:[a-z_][\w']*|\([^\s()]+\))`;

/** Matches constructors after the first one on a line, and fields in braces: `data A = B { c :: Int } | D`. */
const PARTS: NonNullable<IndentedRule["parts"]> = [
  {
    pattern: /(?:^|\s)[=|]\s*(?:forall\b[^.]*\.\s*)?(?:[^=|{}]*=>\s*)?(?<name>[A-Z][\w']*)/gu,
    kind: "variant",
  },
  { pattern: /[{,]\s*(?<name>[a-z_][\w']*(?:\s*,\s*[a-z_][\w']*)*)\s*::/gu, kind: "field" },
];

const SHAPE: IndentedShape = {
  comments: { line: ["--"], block: ["{-", "-}"] },
  separator: ".",
  rules: [
    { pattern: /^(?:instance|deriving)\b/u, kind: undefined },
    { pattern: new RegExp(`^class\\s+${TYPE}`, "u"), kind: "trait" },
    { pattern: /^module\s+(?<name>[A-Z][\w.']*)/u, kind: "module", within: "file" },
    { pattern: new RegExp(`^type\\s+(?:family\\s+)?(?!instance\\b)${TYPE}`, "u"), kind: "type" },
    {
      pattern: new RegExp(`^(?:data|newtype)\\s+(?:family\\s+)?(?!instance\\b)${TYPE}`, "u"),
      kind: "type",
      parts: PARTS,
    },
    // Matches a constructor with its type, as in `data A where B :: Int -> A`.
    {
      pattern: /^(?<name>[A-Z][\w']*(?:\s*,\s*[A-Z][\w']*)*)\s*::/u,
      kind: "variant",
      within: "type",
    },
    { pattern: /^pattern\s+(?<name>[A-Z][\w']*)/u, kind: "const", within: "file" },
    {
      pattern: new RegExp(
        `^(?:foreign\\s+(?:import|export)\\s.*\\s)?(?<name>${VALUE}(?:\\s*,\\s*${VALUE})*)\\s*::`,
        "u",
      ),
      kind: "fn",
      inside: new Map([
        ["trait", "method"],
        ["type", "field"],
      ]),
    },
    { pattern: /^[=|]\s*(?<name>[A-Z][\w']*)/u, kind: "variant", within: "type", parts: PARTS },
    { pattern: /^[{,]\s*(?<name>[a-z_][\w']*(?:\s*,\s*[a-z_][\w']*)*)\s*::/u, kind: "field", within: "type" },
    // Matches a function that is defined without a type signature: a name alone on its line or an equation, except for
    // operators.
    {
      pattern:
        /^(?!(?:module|import|where|infix[lr]?|default|type|data|newtype|class|foreign|pattern|let|in|if|then|else|case|of|do)\b)(?<name>[a-z_][\w']*)(?:\s+(?![!#$%&*+./<>?\\^|~:-]+\s|`)[^=|\n]*)?\s*(?:=(?![=>])|(?<=^[\w']+)$)/u,
      kind: "fn",
      within: "file",
    },
  ],
  imports: /^import\s+(?:safe\s+)?(?:qualified\s+)?(?:"[^"]*"\s+)?([A-Z][\w.]*)/u,
  hidden: /\{-[\s\S]*?(?:-\}|$)/gu,
  header: { word: /^module\b/mu, names: /module\s+[A-Z][\w.']*\s*(\([\s\S]*?\)\s*where\b)/uy },
  continues: /^(?:where\b|[)\]])/u,
  closes: /^(?!)/u,
  around: /^[=|{,]\s*|\s+--\s[^\n]*$|(?<=\S)\s+=(?![>=])[\s\S]*$|\s+where$/gu,
};

/** Haskell, scanned by the type signatures of functions or, where there are none, by their equations. */
export const haskell: Language = {
  id: "haskell",
  name: "Haskell",
  extensions: [".hs", ".hsc"],
  interpreters: ["runhaskell", "runghc"],
  holds: "the module, functions, types, their constructors and fields, classes and their methods",
  outline: { by: "scanner", separator: SHAPE.separator, scan: (text) => scanIndented(text, SHAPE) },
};
