import type { SymbolBrief } from "./record.ts";
import { foldName } from "./terms.ts";
import type { ViewFile } from "./view.ts";

/** What stands before a name in a query: `Class.method`, `a::b`, `src/a.ts:name`. */
export interface Qualifier {
  readonly qualifiers: readonly string[];
  /** The file that the query spells before the name. */
  readonly path?: string;
}

/** How well a definition fits what stands before its name. */
export const FIT = { none: 0, nearPath: 1, owner: 2, ownPath: 3, exactOwner: 4 } as const;

/** Compares the words before a name with the definition's owners, then with the path of its file. */
export function fitOf(
  { qualifiers, path }: Qualifier,
  found: { readonly symbols: readonly SymbolBrief[]; readonly brief: SymbolBrief; readonly file: ViewFile },
): number {
  const { brief, symbols, file } = found;
  if (path !== undefined) return isPath(file.path, path) ? FIT.exactOwner : FIT.none;
  const word = qualifiers.findLast((one) => !SELF_WORDS.has(one));
  if (word === undefined) return qualifiers.length === 0 ? FIT.none : FIT.exactOwner;
  const owners = ownersOf(brief, symbols);
  if (owners[0] === word) return FIT.exactOwner;
  const { stem, foldedStem } = file.facts;
  if (stem === word) return FIT.ownPath;
  const folded = foldName(word);
  if (owners.some((owner) => foldName(owner) === folded)) return FIT.owner;
  const folder = file.path.split("/").at(-2) ?? "";
  return foldedStem === folded || foldName(folder) === folded ? FIT.nearPath : FIT.none;
}

function isPath(path: string, spelled: string): boolean {
  return path === spelled || path.endsWith(`/${spelled}`);
}

/** The names of what a definition belongs to, nearest first, without their type parameters. */
function ownersOf(brief: SymbolBrief, symbols: readonly SymbolBrief[]): string[] {
  const owners = brief.owner === undefined ? [] : [brief.owner];
  for (let at = brief.parent; at >= 0; at = symbols[at]?.parent ?? -1) owners.push(symbols[at]?.name ?? "");
  return owners.map((owner) => owner.replace(/<.*$/s, ""));
}

/** Words that stand for the package or the instance. */
const SELF_WORDS: ReadonlySet<string> = new Set(["crate", "self", "super", "this"]);
