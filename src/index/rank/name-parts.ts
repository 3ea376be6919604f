import type { SymbolBrief } from "../store/record.ts";
import { partsOfIdentifier } from "../text/terms.ts";
import { FUNCTIONS } from "./unit-kinds.ts";

/** Number of functions in a file from which their names show which part is a mere prefix. */
const MIN_FUNCTIONS = 4;
/** Share of the functions of a file from which a part of their names is a prefix that says nothing about any of them. */
const MIN_PREFIX_SHARE = 0.5;

/**
 * Creates a function that counts the parts of a name without the prefix that the functions of the file share in
 * languages without namespaces, such as `nvm` in `nvm_get_arch`.
 */
export function namePartCounter(
  symbols: readonly Pick<SymbolBrief, "kind" | "name">[],
): (name: string) => number {
  let prefixes: ReadonlySet<string> | undefined;
  return (name) => {
    prefixes ??= prefixesOf(symbols);
    const shared = prefixes;
    const telling = partsOfIdentifier(name).filter((part) => !shared.has(part));
    return Math.max(1, telling.length);
  };
}

/** Returns the first parts of names that most functions of the file share. */
function prefixesOf(symbols: readonly Pick<SymbolBrief, "kind" | "name">[]): ReadonlySet<string> {
  const holders = new Map<string, number>();
  let functions = 0;
  for (const { kind, name } of symbols) {
    if (!FUNCTIONS.has(kind)) continue;
    functions++;
    const [first] = partsOfIdentifier(name);
    if (first !== undefined) holders.set(first, (holders.get(first) ?? 0) + 1);
  }
  const prefixes = new Set<string>();
  if (functions >= MIN_FUNCTIONS)
    for (const [part, count] of holders) if (count >= functions * MIN_PREFIX_SHARE) prefixes.add(part);
  return prefixes;
}
