import type { SymbolBrief } from "../store/record.ts";
import { foldName } from "../text/terms.ts";
import type { ViewFile } from "../live/view.ts";

/** The qualifiers in front of a name in a query, as in `Class.method`, `a::b` or `src/a.ts:name`. */
export interface Qualifier {
  readonly qualifiers: readonly string[];
  /** The path of the file that the query names before the name. */
  readonly path?: string;
}

/**
 * How well a definition fits the qualifier directly before the name in a query. Further qualifiers add less than 1 to
 * this.
 */
export const FIT = { none: 0, nearPath: 1, owner: 2, ownFolder: 3, ownPath: 4, exactOwner: 5 } as const;
/** Upper bound on what all qualifiers but the innermost one add to the fit. */
const OUTER_QUALIFIERS_WEIGHT = 0.5;

interface CandidateSymbol {
  readonly symbols: readonly SymbolBrief[];
  readonly brief: SymbolBrief;
  readonly file: ViewFile;
}

/**
 * Compares the qualifiers of a query with the classes and modules around a definition, then with the path of its file.
 */
export function fitOf({ qualifiers, path }: Qualifier, found: CandidateSymbol): number {
  const words = qualifiers.filter((word) => !SELF_WORDS.has(word));
  if (path !== undefined) {
    if (!isPath(found.file.path, path)) return FIT.none;
    return FIT.exactOwner + (OUTER_QUALIFIERS_WEIGHT * wordsFit(words, found)) / FIT.exactOwner;
  }
  if (words.length === 0) return qualifiers.length === 0 ? FIT.none : FIT.exactOwner;
  return wordsFit(words, found);
}

function wordsFit(words: readonly string[], found: CandidateSymbol): number {
  const word = words.at(-1);
  if (word === undefined) return FIT.none;
  const { stem, foldedStem } = found.file.facts;
  const owners = ownersOf(found.brief, found.symbols);
  const folders = found.file.path.split("/").slice(0, -1);
  const folded = foldName(word);
  const around = new Set([...owners, stem, ...folders].map(foldName));
  const further = words.slice(0, -1).filter((one) => around.has(foldName(one))).length;
  const more = words.length < 2 ? 0 : (OUTER_QUALIFIERS_WEIGHT * further) / (words.length - 1);
  if (owners[0] === word) return FIT.exactOwner + more;
  if (stem === word) return FIT.ownPath + more;
  // A folder may be a package, so in `com.google.gson.Gson` the folder `gson` makes the class fit better than its
  // constructor.
  if (folders.at(-1) === word) return FIT.ownFolder + more;
  if (owners.some((owner) => foldName(owner) === folded)) return FIT.owner + more;
  return foldedStem === folded || foldName(folders.at(-1) ?? "") === folded ? FIT.nearPath + more : FIT.none;
}

/**
 * Compares a file's path with one in a query. A space there may be part of the path or separate it from the words
 * before.
 */
function isPath(path: string, spelled: string): boolean {
  const last = spelled.slice(spelled.lastIndexOf(" ") + 1);
  return [spelled, last].some((one) => path === one || path.endsWith(`/${one}`));
}

/**
 * Returns the names of the classes and modules that a definition belongs to, innermost first, without type parameters.
 */
function ownersOf(brief: SymbolBrief, symbols: readonly SymbolBrief[]): string[] {
  const owners = [brief.name.replace(/(?:::|[.\\])?[^.:\\]*$/s, "")];
  if (brief.owner !== undefined) owners.push(brief.owner);
  for (let at = brief.parent; at >= 0; at = symbols[at]?.parent ?? -1) owners.push(symbols[at]?.name ?? "");
  // The name of a namespace may have several parts, as in `a::b`; each of them counts.
  return owners.flatMap((owner) =>
    owner
      .replace(/<.*$/s, "")
      .split(/::|[.\\]/)
      .reverse()
      .filter((part) => part !== ""),
  );
}

/** Qualifiers that refer to the package itself, the current object or the exports of a module; they are ignored. */
const SELF_WORDS: ReadonlySet<string> = new Set([
  "crate",
  "self",
  "super",
  "this",
  "cls",
  "prototype",
  "exports",
]);
