import type { CodeSymbol } from "../../model/symbol.ts";
import type { Definition, Grammar, Scope } from "../language.ts";

/** Kinds of symbols whose members are definitions even inside a function. */
export const TYPE_KINDS: ReadonlySet<string> = new Set([
  "module",
  "namespace",
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "type",
  "impl",
]);

/** Returns the nearest scope that is not a test block: a definition in a test has no other name than outside of one. */
export function withoutTests(scope: Scope | undefined): Scope | undefined {
  let around = scope;
  while (around?.kind === "suite" || around?.kind === "test") around = around.around;
  return around;
}

/** Returns the nearest scope that is a type. */
export function typeAround(scope: Scope | undefined): Scope | undefined {
  let around = scope;
  while (around !== undefined && !TYPE_KINDS.has(around.kind)) around = around.around;
  return around;
}

/** Returns the name of a definition with those of the definitions around it, in the notation of the language. */
export function qualifiedName(definition: Definition, scope: Scope | undefined, grammar: Grammar): string {
  const { name, owner = "" } = definition;
  const around = scope?.qualifiedName ?? "";
  const separator = (scope === undefined ? undefined : grammar.joint?.(scope)) ?? grammar.separator;
  const prefix = around !== "" && owner !== "" ? `${around}${separator}${owner}` : `${around}${owner}`;
  return prefix === "" ? name : `${prefix}${definition.joint ?? separator}${name}`;
}

/** Returns the title of a test after those of the blocks around it, or after the name of the definition around it. */
export function titlePath(
  { name, joint = "" }: Definition,
  scope: Scope | undefined,
  symbols: readonly CodeSymbol[],
): string {
  const around = symbols[scope?.symbol ?? -1]?.qualifiedName ?? scope?.qualifiedName ?? "";
  return around === "" ? name : `${around}${joint}${name}`;
}
