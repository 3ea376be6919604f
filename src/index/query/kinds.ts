import { PithError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import type { SymbolKind } from "../../model/symbol.ts";

const FUNCTIONS: readonly SymbolKind[] = ["fn", "method", "constructor"];
const TYPES: readonly SymbolKind[] = ["class", "struct", "interface", "trait", "enum", "type"];
const MODULES: readonly SymbolKind[] = ["module", "namespace"];
const MEMBERS: readonly SymbolKind[] = ["field", "property"];
const SECTIONS: readonly SymbolKind[] = ["heading", "section"];
const TESTS: readonly SymbolKind[] = ["suite", "test"];

/**
 * Symbol kinds by filter word, with the words of all languages. If a language has its own word, it stands for the most
 * similar kind: a record is a class, a protocol is an interface. Kinds that languages do not separate, such as
 * functions and methods or fields and properties, share a filter.
 */
const FILTERS: ReadonlyMap<string, readonly SymbolKind[]> = new Map<string, readonly SymbolKind[]>([
  ["fn", FUNCTIONS],
  ["func", FUNCTIONS],
  ["fun", FUNCTIONS],
  ["function", FUNCTIONS],
  ["def", FUNCTIONS],
  ["method", ["method", "constructor"]],
  ["constructor", ["constructor"]],
  ["prototype", ["prototype"]],
  ["macro", ["macro"]],
  ["class", ["class"]],
  ["object", ["class"]],
  ["actor", ["class"]],
  ["record", ["class"]],
  ["struct", ["struct"]],
  ["union", ["struct"]],
  ["interface", ["interface"]],
  ["protocol", ["interface"]],
  ["trait", ["trait"]],
  ["enum", ["enum"]],
  ["variant", ["variant"]],
  ["type", TYPES],
  ["typedef", ["type"]],
  ["typealias", ["type"]],
  ["impl", ["impl"]],
  ["module", MODULES],
  ["mod", MODULES],
  ["package", MODULES],
  ["namespace", MODULES],
  ["const", ["const"]],
  ["constant", ["const"]],
  ["var", ["var"]],
  ["variable", ["var", "const"]],
  ["let", ["var", "const"]],
  ["val", ["var", "const", "property"]],
  ["field", MEMBERS],
  ["property", MEMBERS],
  ["heading", SECTIONS],
  ["section", SECTIONS],
  ["key", ["key"]],
  ["rule", ["rule"]],
  ["table", ["table"]],
  ["stage", ["stage"]],
  ["test", TESTS],
  ["suite", ["suite"]],
]);

const CALLABLE: readonly SymbolKind[] = [...FUNCTIONS, "macro"];
const VALUES: readonly SymbolKind[] = ["const", "var", ...MEMBERS, "variant"];

/**
 * Words that stand for more kinds in front of a name (`struct Foo`) than as a filter, because people confuse similar
 * kinds.
 */
const BEFORE_NAME: ReadonlyMap<string, readonly SymbolKind[]> = new Map<string, readonly SymbolKind[]>([
  ...["fn", "func", "fun", "function", "def", "method"].map((word) => [word, CALLABLE] as const),
  ["constructor", ["constructor", "method"]],
  ...["class", "object", "actor", "record", "struct"].map((word) => [word, ["class", "struct"]] as const),
  ...["interface", "trait", "protocol"].map((word) => [word, ["interface", "trait"]] as const),
  ...["typedef", "typealias", "union"].map((word) => [word, TYPES] as const),
  ...["const", "constant", "var", "variable", "let", "val", "field", "property"].map(
    (word) => [word, VALUES] as const,
  ),
  // In a question, these words do not ask for a kind of symbol; they are plain words, as in "package manager".
  ["package", []],
  ["test", []],
  ["suite", []],
  ["prototype", []],
]);

/** Returns the symbol kinds that a word in front of a name stands for, as in `class Foo`; empty for other words. */
export function kindsBefore(word: string): readonly SymbolKind[] {
  return BEFORE_NAME.get(word) ?? FILTERS.get(word) ?? [];
}

/**
 * Returns the symbol kinds that a filter word stands for. For an unknown word it throws an error that suggests a
 * similar one.
 */
export function kindsNamed(word: string | undefined): ReadonlySet<SymbolKind> | undefined {
  if (word === undefined || word === "") return undefined;
  const kinds = FILTERS.get(word.toLowerCase());
  if (kinds !== undefined) return new Set(kinds);
  const [nearest] = nearestNames(word, FILTERS.keys(), 1);
  throw new PithError("invalid_input", `unknown kind ${JSON.stringify(word)}`, {
    suggestion: nearest === undefined ? "Use fn, class, type, const or module." : `Did you mean ${nearest}?`,
    field: "kind",
  });
}
