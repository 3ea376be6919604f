import type { SymbolBrief } from "../store/record.ts";
import { foldName } from "../text/terms.ts";
import type { ViewFile } from "../live/view.ts";

/** The qualifiers before a name in a query, as in `Class.method`, `a::b` or `src/a.ts:name`. */
export interface Qualifier {
  readonly qualifiers: readonly string[];
  /** The file before the name. */
  readonly path?: string;
}

/** How well a definition fits the qualifier before its name. Less than 1 is added for qualifiers further out. */
export const FIT = { none: 0, nearPath: 1, owner: 2, ownFolder: 3, ownPath: 4, exactOwner: 5 } as const;
/** Upper bound on what all outer qualifiers add. */
const OUTER_QUALIFIERS_WEIGHT = 0.5;

interface CandidateSymbol {
  readonly symbols: readonly SymbolBrief[];
  readonly brief: SymbolBrief;
  readonly file: ViewFile;
}

/** Compares the qualifiers with the definition's owners, then with the path of its file. */
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
  // A folder may be a package: `com.google.gson.Gson` is the class, not its constructor.
  if (folders.at(-1) === word) return FIT.ownFolder + more;
  if (owners.some((owner) => foldName(owner) === folded)) return FIT.owner + more;
  return foldedStem === folded || foldName(folders.at(-1) ?? "") === folded ? FIT.nearPath + more : FIT.none;
}

/** Compares paths. A space may be part of the path or separate it from the words before it. */
function isPath(path: string, spelled: string): boolean {
  const last = spelled.slice(spelled.lastIndexOf(" ") + 1);
  return [spelled, last].some((one) => path === one || path.endsWith(`/${one}`));
}

/** Returns the names that a definition belongs to, nearest first, without type parameters. */
function ownersOf(brief: SymbolBrief, symbols: readonly SymbolBrief[]): string[] {
  const owners = [brief.name.replace(/(?:::|[.\\])?[^.:\\]*$/s, "")];
  if (brief.owner !== undefined) owners.push(brief.owner);
  for (let at = brief.parent; at >= 0; at = symbols[at]?.parent ?? -1) owners.push(symbols[at]?.name ?? "");
  // A namespace may have several parts: `a::b`.
  return owners.flatMap((owner) =>
    owner
      .replace(/<.*$/s, "")
      .split(/::|[.\\]/)
      .reverse()
      .filter((part) => part !== ""),
  );
}

/** Words for the package itself, the instance or the exports of a module. */
const SELF_WORDS: ReadonlySet<string> = new Set([
  "crate",
  "self",
  "super",
  "this",
  "cls",
  "prototype",
  "exports",
]);
