import type { SymbolBrief } from "../store/record.ts";
import { LINES_PER_CHUNK, scanWords } from "../text/terms.ts";
import { isModuleLine } from "./kind-weights.ts";
import { namePartCounter } from "./name-parts.ts";
import { DATA, factorOf, FUNCTIONS, isTest, TYPES } from "./unit-kinds.ts";
import { commentStart, groupsOfName, NO_PLACES, type Place, type WordMatcher } from "./place.ts";

/** A stretch of a file that can be shown as an answer: a definition, or lines between the definitions. */
export interface Unit extends Place {
  readonly score: number;
}

export interface UnitOptions {
  /** Numbers of the file's chunks that match the query, best first. */
  readonly chunks: readonly number[];
  readonly matcher: WordMatcher;
  /** True if the query asks for tests, so that these are not ranked lower. */
  readonly asksForTests: boolean;
}

/** Number of the best chunks of a file whose lines are compared; the answer is hardly ever outside these. */
const MAX_COMPARED_CHUNKS = 20;

/**
 * Constants of the score of a unit, which is that of the ranking function BM25 over the units of one file. They were
 * chosen on questions over nine public repositories (test/quality/places); values near these hardly change the result.
 */
const SATURATION = 1;
const LENGTH_SHARE = 0.4;
const LINES_PER_MEAN_UNIT = 40;
const MIN_COUNTED_LINES = 12;
const MAX_COUNTED_LINES = 240;
/** How much the lines of the comment above a definition count for its length. */
const COMMENT_LINE_SHARE = 0.5;
/** How often a word in the comment or the first line of a definition, and one in its name, counts. */
const HEAD_COUNT = 1.2;
const NAME_COUNT = 3;
/** Weight of a name that consists of words of the query, relative to the weight of all words of the query. */
const NAME_WEIGHT = 0.5;
/** Weight of a word that occurs only in the name of the enclosing class or module. */
const OWNER_WEIGHT = 0.4;
/** How much a word counts less if most functions of the file contain it. */
const FILE_RARITY_SHARE = 0.6;
/** Discount for each doubling of a definition's length beyond this number of lines; it contains more words anyway. */
const LONG_DISCOUNT = 0.04;
const MIN_LONG_LINES = 40;

/** Share of the query, by weight, that the name of a class must have for the class to be the answer itself. */
const MIN_NAMED_SHARE = 0.9;

/** Ranking factors for lines outside all definitions, and for tests. */
const GAP_FACTOR = 0.5;
const TEST_FACTOR = 0.35;

interface OpenUnit {
  readonly symbol?: number;
  /** Indices of the first line including the comment above, of the first line of the code, and after the last line. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
  readonly counts: Map<number, number>;
  readonly inName: ReadonlySet<number>;
  readonly inOwner: ReadonlySet<number>;
  /** Number of the parts of the name, for names that match the query. */
  readonly nameParts: number;
  readonly factor: number;
}

/** Returns the definitions of a file, and the lines between them, that contain words of the query, best first. */
export function rankUnits(
  lines: readonly string[],
  symbols: readonly SymbolBrief[],
  options: UnitOptions,
): readonly Unit[] {
  const { matcher } = options;
  const groups = groupsByLine(lines, options.chunks.slice(0, MAX_COMPARED_CHUNKS), matcher);
  const takers = new Int32Array(lines.length).fill(-1);
  const units = definitionUnits(lines, symbols, { ...options, takers });
  units.push(...gapUnits(lines, symbols, takers, groups));
  for (const unit of units) {
    const isWhole = unit.symbol === undefined || !isContainer(symbols[unit.symbol]);
    for (let line = unit.from; line < unit.end; line++) {
      const found = groups[line];
      if (found === undefined || (!isWhole && takers[line] !== unit.symbol)) continue;
      const count = unit.symbol !== undefined && line <= unit.start ? HEAD_COUNT : 1;
      for (const group of found) unit.counts.set(group, (unit.counts.get(group) ?? 0) + count);
    }
  }
  const weights = weightsInFile(units, symbols, matcher);
  const ranked = units
    .flatMap((unit) => scoreUnit(unit, weights))
    .sort((a, b) => b.score - a.score || a.lineStart - b.lineStart);
  return preferMember(ranked, symbols);
}

/** Lowest score of a function, as a share of that of the class around it, from which the function is shown instead. */
const MIN_MEMBER_SHARE = 0.8;

/** Moves a function before the class that it is part of if it matches the query nearly as well. */
function preferMember(units: readonly Unit[], symbols: readonly SymbolBrief[]): readonly Unit[] {
  const [first] = units;
  if (first?.symbol === undefined || !TYPES.has(symbols[first.symbol]?.kind ?? "import")) return units;
  const member = units.find(
    ({ symbol = -1, lineStart, lineEnd, score }) =>
      FUNCTIONS.has(symbols[symbol]?.kind ?? "import") &&
      lineStart >= first.lineStart &&
      lineEnd <= first.lineEnd &&
      score >= MIN_MEMBER_SHARE * first.score,
  );
  if (member === undefined) return units;
  return [{ ...member, score: first.score }, ...units.filter((unit) => unit !== member)];
}

/** Returns the search terms in each line of some chunks of a file. */
function groupsByLine(
  lines: readonly string[],
  chunks: readonly number[],
  matcher: WordMatcher,
): readonly (readonly number[] | undefined)[] {
  const groups: (number[] | undefined)[] = [];
  for (const chunk of chunks) {
    const end = Math.min((chunk + 1) * LINES_PER_CHUNK, lines.length);
    for (let line = chunk * LINES_PER_CHUNK; line < end; line++) {
      const text = lines[line] ?? "";
      if (!matcher.mayMatch(text)) continue;
      scanWords(text, 0, text.length, (word) => {
        const found = matcher.groupsOf(word);
        if (found.length > 0) (groups[line] ??= []).push(...found);
      });
    }
  }
  return groups;
}

/** Returns true for definitions whose lines count only as far as they are not lines of a definition inside them. */
function isContainer(symbol: SymbolBrief | undefined): boolean {
  return symbol !== undefined && (TYPES.has(symbol.kind) || DATA.has(symbol.kind));
}

function definitionUnits(
  lines: readonly string[],
  symbols: readonly SymbolBrief[],
  { matcher, asksForTests, takers }: UnitOptions & { readonly takers: Int32Array },
): OpenUnit[] {
  const names = symbols.map(({ name }) => groupsOfName(name, matcher));
  const partsIn = namePartCounter(symbols);
  const holders = new Set(symbols.map(({ kind, parent }) => (FUNCTIONS.has(kind) ? parent : -1)));
  const tests = new Set<number>();
  const units: OpenUnit[] = [];
  for (const [index, symbol] of symbols.entries()) {
    if (NO_PLACES.has(symbol.kind) || isModuleLine(symbol)) continue;
    if (tests.has(symbol.parent) || isTest(symbol)) tests.add(index);
    const start = symbol.lineStart - 1;
    const from = commentStart(lines, start);
    const end = Math.min(symbol.lineEnd, lines.length);
    if (isContainer(symbol) || FUNCTIONS.has(symbol.kind)) takers.fill(index, from, end);
    else for (let line = from; line < end; line++) if ((takers[line] ?? -1) < 0) takers[line] = index;
    const test = tests.has(index) && !asksForTests ? TEST_FACTOR : 1;
    units.push({
      symbol: index,
      from,
      start,
      end,
      counts: new Map(),
      inName: names[index] ?? new Set(),
      inOwner: groupsOfOwners(symbol, symbols, names, matcher),
      nameParts: names[index]?.size === 0 ? 1 : partsIn(symbol.name),
      factor: test * factorOf(symbol, { comment: start - from, isHolder: holders.has(index) }),
    });
  }
  return units;
}

function groupsOfOwners(
  { parent, owner }: SymbolBrief,
  symbols: readonly SymbolBrief[],
  names: readonly ReadonlySet<number>[],
  matcher: WordMatcher,
): ReadonlySet<number> {
  const found = new Set<number>(owner === undefined ? [] : groupsOfName(owner, matcher));
  for (let at = parent; at >= 0; at = symbols[at]?.parent ?? -1)
    for (const group of names[at] ?? []) found.add(group);
  return found;
}

/** Matches a line that imports something. It names what it imports, but is not the place that uses it. */
const IMPORT =
  /^\s*(?:import|from|use|using|package|#\s*include|export\s+(?:\*|\{[^}]*\})\s+from|(?:const|let|var)\b.*=\s*require\(|require|source|open)\b/u;

/** Returns the stretches of matching lines outside all definitions. Imports count only if there is nothing else. */
function gapUnits(
  lines: readonly string[],
  symbols: readonly SymbolBrief[],
  takers: Int32Array,
  groups: readonly (readonly number[] | undefined)[],
): OpenUnit[] {
  const hasModule = ({ kind }: Pick<SymbolBrief, "kind">): boolean =>
    kind === "module" || kind === "namespace";
  const isOutside = (line: number): boolean => {
    const symbol = symbols[takers[line] ?? -1];
    return groups[line] !== undefined && (symbol === undefined || hasModule(symbol));
  };
  const factor = symbols.length === 0 ? 1 : GAP_FACTOR;
  const units: OpenUnit[] = [];
  for (let line = 0; line < groups.length; line++) {
    if (!isOutside(line)) continue;
    const isImport = IMPORT.test(lines[line] ?? "");
    const start = line;
    let end = line + 1;
    for (let next = end; next < groups.length && next - start < LINES_PER_CHUNK; next++)
      if (isOutside(next) && IMPORT.test(lines[next] ?? "") === isImport) end = next + 1;
      else if (takers[next] !== takers[start] || isOutside(next)) break;
    line = end - 1;
    units.push({
      from: start,
      start,
      end,
      counts: new Map(),
      inName: new Set(),
      inOwner: new Set(),
      nameParts: 1,
      factor: isImport && symbols.length > 0 ? 0 : factor,
    });
  }
  return units;
}

/** Returns the weight of each search term in this file: one that most of its functions contain says little. */
function weightsInFile(
  units: readonly OpenUnit[],
  symbols: readonly SymbolBrief[],
  { weights }: WordMatcher,
): readonly number[] {
  const holders = new Map<number, number>();
  let count = 0;
  for (const { symbol, counts } of units) {
    if (symbol !== undefined && !FUNCTIONS.has(symbols[symbol]?.kind ?? "import")) continue;
    count++;
    for (const group of counts.keys()) holders.set(group, (holders.get(group) ?? 0) + 1);
  }
  const rarityOf = (n: number): number => Math.log(1 + (count - n + 0.5) / (n + 0.5));
  return weights.map((weight, group) => {
    const share = rarityOf(holders.get(group) ?? 0) / rarityOf(0);
    return weight * (1 - FILE_RARITY_SHARE + FILE_RARITY_SHARE * share);
  });
}

function scoreUnit(unit: OpenUnit, weights: readonly number[]): readonly Unit[] {
  const { symbol, from, start, end, counts, inName, inOwner, nameParts, factor } = unit;
  if (counts.size === 0 && inName.size === 0) return [];
  const length = end - start + COMMENT_LINE_SHARE * (start - from);
  const counted = Math.min(MAX_COUNTED_LINES, Math.max(MIN_COUNTED_LINES, length)) / LINES_PER_MEAN_UNIT;
  const norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * counted);
  let total = 0;
  let named = 0;
  let sum = 0;
  for (const [group, weight] of weights.entries()) {
    total += weight;
    if (inName.has(group)) named += weight;
    const count = (counts.get(group) ?? 0) + (inName.has(group) ? NAME_COUNT : 0);
    if (count > 0) sum += (weight * (SATURATION + 1) * count) / (count + norm);
    else if (inOwner.has(group)) sum += OWNER_WEIGHT * weight;
  }
  const doublings = Math.log2(1 + Math.max(0, end - start - MIN_LONG_LINES) / MIN_LONG_LINES);
  // A class whose name is the query is the answer itself.
  const isNamed = symbol !== undefined && named >= MIN_NAMED_SHARE * total && inName.size >= nameParts;
  const byName = NAME_WEIGHT * Math.min(total, named * Math.min(1, inName.size / nameParts));
  const score = (sum / (1 + LONG_DISCOUNT * doublings) + byName) * (isNamed ? Math.max(1, factor) : factor);
  return [{ ...(symbol !== undefined && { symbol }), lineStart: start + 1, lineEnd: end, score }];
}
