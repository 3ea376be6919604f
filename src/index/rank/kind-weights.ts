import type { SymbolKind } from "../../model/symbol.ts";
import type { SymbolBrief } from "../store/record.ts";

/** How much the definition of a name is worth by its kind. */
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
  // Only says that there is a definition elsewhere: no answer by itself.
  prototype: 0.3,
  impl: 0.25,
  import: 0,
};

/** What is inside another definition, or not for the outside, is looked for less, and so is a line without a body. */
const NESTED_FACTOR = 0.8;
/** What is inside a function is seen by nobody else. */
const LOCAL_FACTOR = 0.5;
/** What a member's value has, such as a class without a name, is seen through that member alone. */
const MEMBER_VALUE_FACTOR = NESTED_FACTOR * NESTED_FACTOR;
const HIDDEN_FACTOR = 0.9;
const ONE_LINE_FACTOR = 0.85;
const MODULE_LINE_FACTOR = 0.4;

/** How much a definition is worth to somebody who asks for its name. */
export function definitionWeight(brief: SymbolBrief, symbols: readonly SymbolBrief[]): number {
  const { kind, parent, hidden, lineStart, lineEnd, owner } = brief;
  const body = lineEnd > lineStart ? 1 : isModuleLine(brief) ? MODULE_LINE_FACTOR : ONE_LINE_FACTOR;
  const isTop = parent < 0 && owner === undefined;
  const around = isTop
    ? 1
    : isLocal(brief, symbols)
      ? LOCAL_FACTOR
      : isInMemberValue(brief, symbols)
        ? MEMBER_VALUE_FACTOR
        : NESTED_FACTOR;
  return kindWeight(kind) * around * (hidden ? HIDDEN_FACTOR : 1) * body;
}

/** `mod name;` only says that there is a file of that name, and `package name` that the file is a part of it. */
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

/** Names in data and prose: what a program defines is meant before them, in whatever spelling. */
export const DATA_KINDS: ReadonlySet<SymbolKind> = new Set(["heading", "key", "rule", "stage", "section"]);
