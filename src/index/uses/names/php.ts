import type { SymbolKind } from "../../../model/symbol.ts";
import type { ModuleLink, NameUse } from "../../../model/use.ts";
import { briefOf, TYPE_KINDS } from "../definition.ts";
import { importedNames } from "./imported-names.ts";
import type { NameEntity, NameLookup, NamePlace, NameRules } from "./name-rules.ts";
import { join } from "./name-table.ts";

/**
 * PHP: the namespace that a file declares and the name make the full name; the autoloader's folders only say where it
 * is probably defined. A name begins with an alias of a `use` or in the current namespace; functions and constants that
 * the namespace does not have are global. At run time there is one table of names, so a full name needs no other proof.
 */
export const phpNames: NameRules = {
  languages: ["php"],
  fileNamespace: "namespace",
  hasLowerCaseMembers: true,
  overridden: new Set<SymbolKind>(["method", "property", "field", "const"]),
  accepts,
  lookUp,
  ignoresCase: (kind) => FUNCTIONS.has(kind) || TYPE_KINDS.has(kind),
  builtIn: (name) => (name === "class" ? "outside" : undefined),
};

const FUNCTIONS: ReadonlySet<SymbolKind> = new Set(["fn", "method", "constructor", "macro"]);

/** Functions, constants and classes have names of their own, and only the use shows which of them is meant. */
function accepts(kind: SymbolKind, { role }: NameUse): boolean {
  if (role === "import") return true;
  if (role === "type" || role === "inheritance" || role === "extension" || role === "decorator")
    return TYPE_KINDS.has(kind);
  if (role === "call") return FUNCTIONS.has(kind) || TYPE_KINDS.has(kind);
  return !FUNCTIONS.has(kind);
}

/** Returns a name that an import gives which differs from this one only by capitals, which do not matter. */
function aliasLike(links: readonly ModuleLink[], name: string): string | undefined {
  const folded = name.toLowerCase();
  for (const { names } of links)
    for (const { as } of names) if (as !== name && as.toLowerCase() === folded) return as;
  return undefined;
}

async function lookUp(lookup: NameLookup, place: NamePlace): Promise<readonly NameEntity[]> {
  const { use, namespace } = place;
  // The keyword in `namespace\a` stands for the current namespace, whatever is imported.
  if (use.name === "namespace") return [{ kind: "namespace", name: namespace }];
  const { links } = await lookup.tree.factsOf(place.file);
  const bound = await importedNames(lookup, place, links);
  if (bound.length > 0) return bound;
  const spelled = aliasLike(links, use.name);
  if (spelled !== undefined) {
    const found = await importedNames(lookup, { ...place, use: { ...use, name: spelled } }, links);
    // It may also be a constant of this name.
    return found.map((one) => (one.kind === "definition" ? { ...one, isPossible: true } : one));
  }
  const own = await lookup.membersOf(namespace, use.name, place);
  if (own.some(({ kind }) => kind === "definition")) return own;
  const everywhere = namespace === "" ? [] : await lookup.membersOf("", use.name, place);
  const global = everywhere.filter(
    (one) =>
      one.kind === "unknown" ||
      (one.kind === "definition" &&
        !TYPE_KINDS.has(briefOf(lookup.tree.view, one.definition)?.kind ?? "section")),
  );
  if (global.some(({ kind }) => kind === "definition")) return global;
  // A function or constant that the namespace does not have is a global one, perhaps of PHP itself.
  const mayBeGlobal = use.role === "call" ? /^\P{Lu}/u.test(use.name) : /^[^\p{Ll}]+$/u.test(use.name);
  return [{ kind: "namespace", name: join(namespace, use.name), isGuess: mayBeGlobal }];
}
