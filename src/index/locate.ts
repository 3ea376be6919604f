import { nearestNames } from "../kernel/nearest.ts";
import type { SymbolKind } from "../model/symbol.ts";
import type { ImportGraph } from "./imports.ts";
import { parseQuery } from "./query.ts";
import { definitionWeight } from "./rank-definitions.ts";
import { rolePrior } from "./rank-files.ts";
import type { SymbolBrief } from "./record.ts";
import { foldName, partsOfIdentifier } from "./terms.ts";
import type { View, ViewFile } from "./view.ts";

/** A definition that a lookup found. */
export interface FoundSymbol {
  readonly file: ViewFile;
  readonly symbol: number;
  readonly match: SymbolMatch;
  readonly score: number;
  readonly qualified: boolean;
  readonly weight: number;
}

export type SymbolMatch = "exact" | "case_insensitive" | "prefix" | "part" | "fuzzy";

export interface LocateOptions {
  readonly kinds?: ReadonlySet<SymbolKind>;
  readonly accepts?: (file: ViewFile) => boolean;
  readonly imports?: ImportGraph;
}

/** What a match by less than the whole name is worth. */
const TIER: Readonly<Record<SymbolMatch, number>> = {
  exact: 1,
  case_insensitive: 0.8,
  prefix: 0.5,
  part: 0.3,
  fuzzy: 0.2,
};
/** The name of its owner as well. */
const QUALIFIED = 1;

/** Definitions of a name: exact, else by case, else by beginning, parts and likeness. Best first. */
export function locateSymbols(view: View, name: string, options: LocateOptions = {}): FoundSymbol[] {
  const { name: last, qualifiers } = splitName(name);
  const folded = foldName(last);
  const found: FoundSymbol[] = [];
  const add = (index: number, segment: number, match?: SymbolMatch): void => {
    const names = view.segments[segment]?.segment.names;
    names?.each(index, (document, symbol) => {
      view.eachFile(segment, document, (number) => {
        const file = view.files[number];
        if (file === undefined || options.accepts?.(file) === false) return;
        const brief = view.documentOf(file).symbols[symbol];
        if (brief === undefined || options.kinds?.has(brief.kind) === false) return;
        const fits = match ?? (brief.name === last ? "exact" : "case_insensitive");
        found.push(weigh(view, { file, symbol, brief, match: fits, qualifiers, ...options }));
      });
    });
  };
  for (const [
    segment,
    {
      segment: { names },
    },
  ] of view.segments.entries()) {
    const index = names.folded.indexOf(folded);
    if (index >= 0) add(index, segment);
  }
  if (found.length === 0) addApproximate(view, last, add);
  if (qualifiers.length > 0 && found.some((entry) => entry.qualified))
    return best(found.filter((entry) => entry.qualified));
  return best(found);
}

/** Names near a wrong one, for a lookup that found nothing. */
export function nearestSymbolNames(view: View, name: string, limit = 3): string[] {
  const { name: last } = splitName(name);
  const folded = foldName(last);
  const close = new Map<string, string>();
  for (const [, { segment, fileOf }] of view.segments.entries()) {
    const { folded: names } = segment.names;
    for (let index = 0; index < names.size; index++) {
      const candidate = names.at(index);
      if (!resembles(candidate, folded)) continue;
      segment.names.each(index, (document, symbol) => {
        if ((fileOf[document] ?? -1) >= 0)
          close.set(candidate, segment.document(document).symbols[symbol]?.name ?? "");
      });
      if (close.size > MAX_NEAR) break;
    }
  }
  return nearestNames(last, new Set(close.values()), limit);
}

const MAX_NEAR = 2_000;

/** A cheap test before the edit distance: like lengths and most letter pairs in common. */
function resembles(candidate: string, wanted: string): boolean {
  if (Math.abs(candidate.length - wanted.length) > Math.max(2, wanted.length / 3))
    return wanted.length > 3 && candidate.includes(wanted);
  let shared = 0;
  for (let at = 0; at + 1 < wanted.length; at++) if (candidate.includes(wanted.slice(at, at + 2))) shared++;
  return shared * 2 >= wanted.length - 1;
}

function splitName(name: string): { name: string; qualifiers: readonly string[] } {
  const parsed = parseQuery(name).symbol;
  if (parsed !== undefined) return parsed;
  const words = name
    .trim()
    .split(/\s+|::|\.|->|#/)
    .filter((word) => word !== "");
  return { name: words.at(-1) ?? name, qualifiers: [] };
}

function addApproximate(
  view: View,
  name: string,
  add: (index: number, segment: number, match: SymbolMatch) => void,
): void {
  const folded = foldName(name);
  const parts = partsOfIdentifier(name);
  if (folded.length < 2) return;
  for (const [
    segment,
    {
      segment: {
        names: { folded: names },
      },
    },
  ] of view.segments.entries()) {
    for (
      let index = names.lowerBound(folded);
      index < names.size && names.at(index).startsWith(folded);
      index++
    )
      add(index, segment, "prefix");
    if (parts.length < 2 && folded.length < 5) continue;
    for (let index = 0; index < names.size; index++) {
      const candidate = names.at(index);
      if (!candidate.startsWith(folded) && parts.every((part) => candidate.includes(part)))
        add(index, segment, "part");
    }
  }
}

function weigh(
  view: View,
  found: LocateOptions & {
    file: ViewFile;
    symbol: number;
    brief: SymbolBrief;
    match: SymbolMatch;
    qualifiers: readonly string[];
  },
): FoundSymbol {
  const { file, symbol, brief, match, qualifiers } = found;
  const document = view.documentOf(file);
  const qualified = isQualified(document.symbols, brief, { file, qualifiers });
  const weight = definitionWeight(brief);
  const importers = found.imports?.importers(file.path) ?? 0;
  const prior = rolePrior(file, { generated: document.generated, importers });
  const score = (weight + (qualified ? QUALIFIED : 0)) * prior;
  return { file, symbol, match, score, qualified, weight };
}

/** Every word before the name is an enclosing definition's, or a folder's or file's of the path. */
function isQualified(
  symbols: readonly SymbolBrief[],
  brief: SymbolBrief,
  { file, qualifiers }: { file: ViewFile; qualifiers: readonly string[] },
): boolean {
  if (qualifiers.length === 0) return false;
  const owners = new Set<string>();
  for (let at = brief.parent; at >= 0; at = symbols[at]?.parent ?? -1)
    owners.add(foldName(symbols[at]?.name ?? ""));
  const inPath = new Set(file.path.split("/").map((segment) => foldName(segment.replace(/\.\w+$/, ""))));
  const words = qualifiers.map(foldName).filter((word) => !SELF_WORDS.has(word));
  const [owner] = words.slice(-1);
  if (owner === undefined) return true;
  return owners.has(owner) || [...owners].some((name) => name.startsWith(`${owner}<`)) || inPath.has(owner);
}

/** Words that stand for the package or the instance. */
const SELF_WORDS: ReadonlySet<string> = new Set(["crate", "self", "super", "this"]);

/** An exact name comes before every other, however good the other's place. */
function best(found: FoundSymbol[]): FoundSymbol[] {
  return found.sort(
    (a, b) =>
      TIER[b.match] - TIER[a.match] ||
      b.score - a.score ||
      (a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : a.symbol - b.symbol),
  );
}
