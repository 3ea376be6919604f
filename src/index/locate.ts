import { nearestNames } from "../kernel/nearest.ts";
import type { SymbolKind } from "../model/symbol.ts";
import type { ImportGraph } from "./imports.ts";
import { copiesIn } from "./mirrors.ts";
import { fitOf, type Qualifier } from "./qualified.ts";
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
  /** How well it fits what stands before the name; see FIT. */
  readonly fit: number;
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
/** What a definition in a file that copies another one is multiplied with. */
const COPY = 0.7;

/** Definitions of a name: exact, else by case, else by beginning, parts and likeness. Best first. */
export function locateSymbols(view: View, name: string, options: LocateOptions = {}): FoundSymbol[] {
  const { name: last, ...qualifier } = splitName(name);
  const folded = foldName(last);
  const copies = copiesIn(view);
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
        found.push(weigh(view, { file, symbol, brief, match: fits, qualifier, copies, ...options }));
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
  return best(found.some(({ fit }) => fit > 0) ? found.filter(({ fit }) => fit > 0) : found);
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

function splitName(name: string): { name: string } & Qualifier {
  const parsed = parseQuery(name).symbol;
  if (parsed !== undefined) return parsed;
  const spelled = name.trim();
  const words = spelled.split(/\s+|::|\.|->|#/).filter((word) => word !== "");
  return { name: words.at(-1) ?? name, qualifiers: /\s/.test(spelled) ? [] : words.slice(-2, -1) };
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
    qualifier: Qualifier;
    copies: ReadonlySet<ViewFile>;
  },
): FoundSymbol {
  const { file, symbol, brief, match } = found;
  const document = view.documentOf(file);
  const fit = fitOf(found.qualifier, { symbols: document.symbols, brief, file });
  const weight = definitionWeight(brief);
  const importers = found.imports?.importers(file.path) ?? 0;
  const prior = rolePrior(file, { generated: document.generated, importers });
  const score = weight * prior * (found.copies.has(file) ? COPY : 1);
  return { file, symbol, match, score, fit, weight };
}

/** An exact name comes before every other, however good the other's place. */
function best(found: FoundSymbol[]): FoundSymbol[] {
  return found.sort(
    (a, b) =>
      TIER[b.match] - TIER[a.match] ||
      b.fit - a.fit ||
      b.score - a.score ||
      (a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : a.symbol - b.symbol),
  );
}
