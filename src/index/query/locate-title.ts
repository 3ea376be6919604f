import { TEST_KINDS, type CodeSymbol, type Outline } from "../../model/symbol.ts";
import type { View, ViewFile } from "../live/view.ts";
import { type FoundSymbol, type LocateOptions, type SymbolMatch, TIER } from "./locate.ts";
import { mayContain } from "./phrase-files.ts";

/** Separates the titles of nested tests, as in the qualified name of a test. */
const TITLE_JOINT = " > ";

/**
 * Finds tests by their title or a part of it, best first. Titles of enclosing blocks may precede it: `a list > is
 * empty`. The titles are in the outlines, which are read only for files that contain all the words.
 */
export async function locateTests(
  title: string,
  view: View,
  options: LocateOptions & { readonly outlineOf: (file: ViewFile) => Promise<Outline | undefined> },
): Promise<FoundSymbol[]> {
  const wanted = normalize(title).split(TITLE_JOINT);
  const last = wanted.at(-1) ?? "";
  if (last === "") return [];
  const isCandidate = mayContain(view, wanted);
  const found: FoundSymbol[] = [];
  for (const [number, file] of view.files.entries()) {
    if (!isCandidate(file) || options.accepts?.(file) === false) continue;
    if (!view.documentOf(file).symbols.some(({ kind }) => TEST_KINDS.has(kind))) continue;
    const { symbols = [] } = (await options.outlineOf(file)) ?? {};
    for (const [symbol, { kind, name, parent }] of symbols.entries()) {
      if (!TEST_KINDS.has(kind) || options.kinds?.has(kind) === false) continue;
      const match = matchOf(normalize(name), last);
      if (match === undefined || !isInside(parent, symbols, wanted.slice(0, -1))) continue;
      found.push(describe(file, { number, symbol, match, name }));
    }
  }
  return found.sort(
    (a, b) => b.tier - a.tier || b.score - a.score || a.number - b.number || a.symbol - b.symbol,
  );
}

function normalize(title: string): string {
  return title
    .trim()
    .replace(/^["'`]|["'`]$/g, "")
    .replace(/\s+/g, " ")
    .toLowerCase();
}

function matchOf(title: string, wanted: string): SymbolMatch | undefined {
  if (title === wanted) return "exact";
  if (title.startsWith(wanted)) return "prefix";
  return title.includes(wanted) ? "part" : undefined;
}

/** Returns true if blocks around the test have the given titles, outermost first. */
function isInside(
  parent: number | undefined,
  symbols: readonly CodeSymbol[],
  titles: readonly string[],
): boolean {
  let left = titles.length;
  for (let at = parent; at !== undefined && left > 0; at = symbols[at]?.parent)
    if (normalize(symbols[at]?.name ?? "").includes(titles[left - 1] ?? "")) left--;
  return left === 0;
}

function describe(
  file: ViewFile,
  { number, symbol, match, name }: { number: number; symbol: number; match: SymbolMatch; name: string },
): FoundSymbol {
  const score = 1 / (1 + name.length);
  return { file, number, symbol, match, tier: TIER[match], score, fit: 0, weight: score };
}
