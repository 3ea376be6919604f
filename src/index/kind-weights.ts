import type { SymbolKind } from "../model/symbol.ts";

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
