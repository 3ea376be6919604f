import type { Tokens } from "../tokens.ts";
import type { TokenSource } from "../type-notes.ts";
import { joined } from "./value-types.ts";

/** An open function or class, which ends before the next statement that is indented no further. */
export interface Scope {
  readonly indent: number;
  /** The first token of the body, in which the names are bound. */
  readonly from: number;
  /** The type parameters, which are bound in the header, too, and the first token of the header. */
  readonly types: string[];
  readonly header: number;
  /** The parameter of a function in a method that has the name of the object itself but may be another one. */
  otherSelf?: string;
  readonly isClass: boolean;
  readonly names: Map<string, LocalName>;
  /** The position of a class in the outline. */
  readonly symbol: number | undefined;
  /** For a class, the token from which each name means what the class itself binds; before, it is a name outside. */
  readonly since: Map<string, number>;
  /** Names that `global` or `nonlocal` declares. */
  readonly outer: Set<string>;
  /** Names to which functions inside may give values of other types. */
  changed?: Set<string>;
  /** For a class, the ranges of tokens that are in it but in none of its functions. */
  readonly gaps: (readonly [from: number, to: number])[];
  gapStart: number;
}

/** How a scope binds a name. */
export interface LocalName {
  isDefinition: boolean;
  /** Where its type shows: 0 if it may have values of several types, undefined if it has no value that shows one. */
  source: TokenSource | undefined;
}

/** Binds a name in a scope that may bind it already. */
export function bindName(tokens: Tokens, { names }: Scope, token: number, bound: LocalName): void {
  const name = tokens.name[token] ?? "";
  const known = names.get(name);
  if (known === undefined) {
    names.set(name, bound);
    return;
  }
  // A name that is both imported and assigned, as for want of the module, stays one that is imported.
  known.isDefinition ||= bound.isDefinition;
  if (bound.source !== undefined) known.source = joined(tokens, known.source, bound.source);
}
