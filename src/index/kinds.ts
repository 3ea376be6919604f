import { PithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import type { SymbolKind } from "../model/symbol.ts";

const FUNCTIONS: readonly SymbolKind[] = ["fn", "method", "constructor", "macro"];
const TYPES: readonly SymbolKind[] = ["class", "struct", "interface", "trait", "enum", "type"];
const VALUES: readonly SymbolKind[] = ["const", "var", "field", "property", "variant"];

/** What people call kinds, in any language, and which of ours are meant. */
const KINDS: ReadonlyMap<string, readonly SymbolKind[]> = new Map<string, readonly SymbolKind[]>([
  ["fn", FUNCTIONS],
  ["func", FUNCTIONS],
  ["fun", FUNCTIONS],
  ["function", FUNCTIONS],
  ["def", FUNCTIONS],
  ["method", FUNCTIONS],
  ["constructor", ["constructor", "method"]],
  ["macro", ["macro"]],
  ["class", ["class", "struct"]],
  ["object", ["class", "struct"]],
  ["actor", ["class", "struct"]],
  ["record", ["class", "struct"]],
  ["struct", ["struct", "class"]],
  ["interface", ["interface", "trait"]],
  ["trait", ["trait", "interface"]],
  ["protocol", ["interface", "trait"]],
  ["enum", ["enum"]],
  ["type", TYPES],
  ["typedef", TYPES],
  ["typealias", TYPES],
  ["union", TYPES],
  ["impl", ["impl"]],
  ["module", ["module", "namespace"]],
  ["mod", ["module", "namespace"]],
  ["namespace", ["namespace", "module"]],
  ["const", VALUES],
  ["constant", VALUES],
  ["var", VALUES],
  ["variable", VALUES],
  ["let", VALUES],
  ["val", VALUES],
  ["field", VALUES],
  ["property", VALUES],
  ["variant", ["variant"]],
  ["import", ["import"]],
  ["heading", ["heading", "section"]],
  ["section", ["section", "heading"]],
  ["key", ["key"]],
  ["rule", ["rule"]],
  ["table", ["table"]],
  ["stage", ["stage"]],
]);

/** The kinds that a word before a name means; none for other words. */
export function kindsBefore(word: string): readonly SymbolKind[] {
  return KINDS.get(word) ?? [];
}

/** The kinds a caller means; an unknown word is refused with the nearest known one. */
export function kindsNamed(word: string | undefined): ReadonlySet<SymbolKind> | undefined {
  if (word === undefined || word === "") return undefined;
  const kinds = KINDS.get(word.toLowerCase());
  if (kinds !== undefined) return new Set(kinds);
  const [nearest] = nearestNames(word, KINDS.keys(), 1);
  throw new PithError("invalid_input", `kind: no kind ${JSON.stringify(word)}`, {
    suggestion: nearest === undefined ? "Use fn, class, type, const or module." : `Did you mean ${nearest}?`,
    field: "kind",
  });
}
