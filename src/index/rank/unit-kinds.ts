import { TEST_KINDS, type SymbolKind } from "../../model/symbol.ts";
import type { SymbolBrief } from "../store/record.ts";

/** Ranking factors by what a unit is. A class that has methods mostly holds the answer in one of these. */
const HOLDER_FACTOR = 0.45;
const TYPE_FACTOR = 0.75;
const VALUE_FACTOR = 0.6;
const MEMBER_FACTOR = 0.35;
/** Ranking factor for functions of few lines, such as setters, whose comment is longer than they are. */
const ACCESSOR_FACTOR = 0.8;
const MAX_ACCESSOR_LINES = 8;
const MIN_BODY_LINES = 4;

export const FUNCTIONS: ReadonlySet<SymbolKind> = new Set(["fn", "method", "constructor", "test"]);
export const TYPES: ReadonlySet<SymbolKind> = new Set([
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "type",
  "impl",
  "module",
  "namespace",
  "suite",
]);
const MEMBERS: ReadonlySet<SymbolKind> = new Set(["property", "field", "variant", "prototype"]);
export const DATA: ReadonlySet<SymbolKind> = new Set(["heading", "key", "rule", "stage", "section", "table"]);

/** Returns true for a module of tests, for a test of a framework and for a function that is a test by its name. */
export function isTest({ kind, name }: SymbolBrief): boolean {
  if (kind === "test") return true;
  if (TEST_KINDS.has(kind)) return true;
  if (kind === "module" || kind === "namespace") return /^tests?$/iu.test(name);
  return FUNCTIONS.has(kind) && /^(?:test_|Test[A-Z_])/u.test(name);
}

/** Returns the ranking factor of a definition by what it is. */
export function factorOf(
  { kind, lineStart, lineEnd }: SymbolBrief,
  { comment, isHolder }: { readonly comment: number; readonly isHolder: boolean },
): number {
  if (FUNCTIONS.has(kind)) {
    const length = lineEnd - lineStart + 1;
    const isAccessor = length < MIN_BODY_LINES || (length <= MAX_ACCESSOR_LINES && comment >= length);
    return isAccessor ? ACCESSOR_FACTOR : 1;
  }
  if (kind === "test") return 1;
  if (TYPES.has(kind)) return isHolder ? HOLDER_FACTOR : TYPE_FACTOR;
  return DATA.has(kind) ? 1 : MEMBERS.has(kind) ? MEMBER_FACTOR : VALUE_FACTOR;
}
