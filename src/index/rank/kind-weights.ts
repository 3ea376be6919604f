import type { SymbolKind } from "../../model/symbol.ts";
import type { SymbolBrief } from "../store/record.ts";

/** Returns the ranking weight of a definition by its kind. */
export function kindWeight(kind: SymbolKind): number {
  return KIND_WEIGHTS[kind] ?? 0.4;
}

const KIND_WEIGHTS: Partial<Record<SymbolKind, number>> = {
  class: 1,
  struct: 1,
  interface: 1,
  trait: 1,
  enum: 1,
  type: 1,
  fn: 0.9,
  macro: 0.9,
  const: 0.8,
  var: 0.8,
  module: 0.7,
  namespace: 0.5,
  method: 0.7,
  constructor: 0.5,
  property: 0.5,
  table: 0.8,
  // A prototype has a low weight, because it only declares a definition that is elsewhere.
  prototype: 0.3,
  impl: 0.25,
  import: 0,
};

/** Ranking factor for a definition inside another one, which is searched for less often. */
const NESTED_FACTOR = 0.8;
/** Ranking factor for a definition inside a function, which is not visible elsewhere. */
const LOCAL_FACTOR = 0.5;
/** Ranking factor for a definition inside the value of a member, such as a method of an anonymous class. */
const MEMBER_VALUE_FACTOR = NESTED_FACTOR * NESTED_FACTOR;
/** Ranking factor for private, protected and package-internal definitions. */
const HIDDEN_FACTOR = 0.9;
/** Ranking factors for definitions of one line, which mostly have no body, and for module declarations of one line. */
const ONE_LINE_FACTOR = 0.85;
const MODULE_LINE_FACTOR = 0.4;

/** Returns the ranking weight of a definition when its name is searched for. */
export function definitionWeight(brief: SymbolBrief, symbols: readonly SymbolBrief[]): number {
  const { kind, parent, isHidden, lineStart, lineEnd, owner } = brief;
  const body = lineEnd > lineStart ? 1 : isModuleLine(brief) ? MODULE_LINE_FACTOR : ONE_LINE_FACTOR;
  const isTop = parent < 0 && owner === undefined;
  const around = isTop
    ? 1
    : isLocal(brief, symbols)
      ? LOCAL_FACTOR
      : isInMemberValue(brief, symbols)
        ? MEMBER_VALUE_FACTOR
        : NESTED_FACTOR;
  return kindWeight(kind) * around * (isHidden ? HIDDEN_FACTOR : 1) * body;
}

/** Returns true for a line such as `mod name;` or `package name`, which declares a module whose code is elsewhere. */
export function isModuleLine({ kind, lineStart, lineEnd }: SymbolBrief): boolean {
  return kind === "module" && lineStart === lineEnd;
}

function isLocal({ parent }: SymbolBrief, symbols: readonly SymbolBrief[]): boolean {
  for (let at = parent; at >= 0; at = symbols[at]?.parent ?? -1)
    if (FUNCTIONS.has(symbols[at]?.kind ?? "import")) return true;
  return false;
}

function isInMemberValue({ parent }: SymbolBrief, symbols: readonly SymbolBrief[]): boolean {
  const holder = symbols[parent];
  return holder !== undefined && holder.parent >= 0 && VALUES.has(holder.kind);
}

const VALUES: ReadonlySet<SymbolKind> = new Set(["property", "field", "const", "var"]);
const FUNCTIONS: ReadonlySet<SymbolKind> = new Set(["fn", "method", "constructor"]);

/** Kinds of named things in data and prose, which rank below definitions in code. */
export const DATA_KINDS: ReadonlySet<SymbolKind> = new Set(["heading", "key", "rule", "stage", "section"]);
