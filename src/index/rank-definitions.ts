import type { SymbolKind } from "../model/symbol.ts";
import { kindWeight } from "./kind-weights.ts";
import { FIT, fitOf } from "./qualified.ts";
import type { ParsedQuery } from "./query.ts";
import type { SymbolBrief } from "./record.ts";
import { createSaidNames } from "./said-names.ts";
import { foldName } from "./terms.ts";
import type { View } from "./view.ts";

/** What the definitions of a file earn it. */
export interface DefinitionScore {
  /** As a share of the best word score. */
  readonly total: number;
  readonly symbol?: number;
  /** The name that the query is, defined just as written, and as more than a detail. */
  readonly isAnswer: boolean;
  readonly reasons: { exactMatch: number; qualifiedName: number; definition: number; kindMatch: number };
}

export interface DefinitionSignal {
  /** Files that define a name the query spells; they count even where no word matches. */
  readonly files: ReadonlySet<number>;
  /** What the names that the query spells earn a file: quick. */
  named(file: number): number;
  /** All that its definitions earn a file; `closely` looks at each of them. */
  of(file: number, closely: boolean): DefinitionScore;
}

/** Weights found on labelled queries; the ranking is flat around them. */
const SYMBOL_QUERY = 3;
const QUALIFIED = 1;
const STEM_IS_NAME = 0.5;
const NAME_IN_TEXT = 0.25;
const MAX_NAMES_IN_TEXT = 1.5;
const KIND_ASKED = 0.5;

/** What is inside another definition, or not for the outside, is looked for less, and so is a line without a body. */
const NESTED = 0.8;
const HIDDEN = 0.9;
const BODILESS = 0.85;
const MODULE_LINE = 0.4;

/** How much a definition is worth to somebody who asks for its name. */
export function definitionWeight({ kind, parent, hidden, lineStart, lineEnd }: SymbolBrief): number {
  // `mod name;` only says that there is a file of that name.
  const body = lineEnd > lineStart ? 1 : kind === "module" ? MODULE_LINE : BODILESS;
  return kindWeight(kind) * (parent >= 0 ? NESTED : 1) * (hidden ? HIDDEN : 1) * body;
}

/** Reads which definitions a query names. */
export function createDefinitionSignal(
  view: View,
  query: ParsedQuery,
  weights: readonly number[],
  kinds?: ReadonlySet<SymbolKind>,
): DefinitionSignal {
  const named = new Map<number, Named>();
  const spelled = query.symbol === undefined ? query.names.keys() : [foldName(query.symbol.name)];
  for (const name of spelled) collectNamed(view, name, { query, named, ...(kinds && { kinds }) });
  if (query.symbol !== undefined) {
    preferExact(named);
    preferFitting(named);
  }
  const saidIn =
    query.route === "text" || query.route === "phrase" ? createSaidNames(query, weights) : undefined;
  return {
    files: new Set(query.symbol === undefined ? [] : named.keys()),
    named(number) {
      const found = named.get(number);
      if (found === undefined) return 0;
      if (query.symbol === undefined) return NAME_IN_TEXT * Math.min(MAX_NAMES_IN_TEXT, found.sum);
      return symbolScore(found, view.files[number]?.facts.stem ?? "", query).total;
    },
    of(number, closely) {
      const found = named.get(number);
      const file = view.files[number];
      if (query.symbol !== undefined)
        return found === undefined || file === undefined
          ? NOTHING
          : symbolScore(found, file.facts.stem, query);
      const names = NAME_IN_TEXT * Math.min(MAX_NAMES_IN_TEXT, found?.sum ?? 0);
      const said =
        saidIn === undefined || file === undefined || !closely ? 0 : saidIn(view.documentOf(file).symbols);
      const total = names + said;
      if (total === 0) return NOTHING;
      return {
        total,
        isAnswer: false,
        ...(found !== undefined && { symbol: found.symbol }),
        reasons: { exactMatch: 0, qualifiedName: 0, definition: total, kindMatch: 0 },
      };
    },
  };
}

const NOTHING: DefinitionScore = {
  total: 0,
  isAnswer: false,
  reasons: { exactMatch: 0, qualifiedName: 0, definition: 0, kindMatch: 0 },
};

/** A property of a nested class; less are keys, headings and fields. */
const LEAST_ANSWER = 0.3;

/** The best definition of a file that bears a spelled name. */
interface Named {
  symbol: number;
  weight: number;
  exact: boolean;
  /** How well it fits what stands before the name; see FIT. */
  fit: number;
  kindAsked: boolean;
  sum: number;
}

/** Where a name is defined just as it was written, other spellings of it are seldom meant. */
const OTHER_SPELLING = 0.3;
/** And another owner's where there is the one that was asked for. */
const OTHER_OWNER = 0.5;

function preferExact(named: Map<number, Named>): void {
  if (![...named.values()].some(({ exact }) => exact)) return;
  for (const [file, found] of named)
    if (!found.exact) named.set(file, { ...found, weight: found.weight * OTHER_SPELLING });
}

/** Whoever says whose it is does not mean another's, unless nobody has it. */
function preferFitting(named: Map<number, Named>): void {
  let most = 0;
  for (const { fit, exact } of named.values()) if (exact) most = Math.max(most, fit);
  if (most === 0) return;
  for (const [file, found] of named)
    if (found.fit < most) named.set(file, { ...found, exact: false, weight: found.weight * OTHER_OWNER });
}

function collectNamed(
  view: View,
  folded: string,
  into: { query: ParsedQuery; named: Map<number, Named>; kinds?: ReadonlySet<SymbolKind> },
): void {
  const places = placesOf(view, folded);
  const share = shareOf(into.query, folded, places.length);
  const asked = into.query.symbol;
  for (const { segment, document, symbol } of places) {
    const symbols = view.segments[segment]?.segment.document(document).symbols ?? [];
    const brief = symbols[symbol];
    if (brief === undefined) continue;
    const found = weigh(brief, share, into);
    view.eachFile(segment, document, (file) => {
      const of = view.files[file];
      const fit = of === undefined || asked === undefined ? 0 : fitOf(asked, { symbols, brief, file: of });
      const before = into.named.get(file);
      const sum = (before?.sum ?? 0) + found.weight;
      const better = before === undefined || found.weight + fit > before.weight + before.fit;
      into.named.set(file, better ? { ...found, fit, symbol, sum } : { ...before, sum });
    });
  }
}

/** Where a name is defined in the files of a view. */
function placesOf(view: View, folded: string) {
  const places: { segment: number; document: number; symbol: number }[] = [];
  for (const [
    segment,
    {
      segment: { names },
      fileOf,
    },
  ] of view.segments.entries()) {
    const index = names.folded.indexOf(folded);
    if (index < 0) continue;
    names.each(index, (document, symbol) => {
      if ((fileOf[document] ?? -1) >= 0) places.push({ segment, document, symbol });
    });
  }
  return places;
}

/** An issue text names many things: a name that many bear tells little. */
const COMMON_NAME_POWER = 0.5;

function shareOf(query: ParsedQuery, name: string, bearers: number): number {
  if (query.route !== "long") return 1;
  return (query.names.get(name) ?? 1) / Math.max(1, bearers) ** COMMON_NAME_POWER;
}

function weigh(
  brief: SymbolBrief,
  share: number,
  { query, kinds }: { query: ParsedQuery; kinds?: ReadonlySet<SymbolKind> },
) {
  const exact = query.symbol === undefined || brief.name === query.symbol.name;
  const weight = definitionWeight(brief) * share * (exact ? 1 : 0.6);
  return { weight, exact, kindAsked: kinds?.has(brief.kind) ?? false };
}

function symbolScore(found: Named, stem: string, query: ParsedQuery): DefinitionScore {
  const name = foldName(query.symbol?.name ?? "");
  const folded = foldName(stem);
  const exactMatch = SYMBOL_QUERY * found.weight;
  const qualifiedName = (QUALIFIED * found.fit) / FIT.exactOwner;
  const definition = folded === name || folded === `${name}s` ? STEM_IS_NAME : 0;
  const kindMatch = found.kindAsked ? KIND_ASKED : 0;
  return {
    total: exactMatch + qualifiedName + definition + kindMatch,
    symbol: found.symbol,
    isAnswer: found.exact && found.weight >= LEAST_ANSWER,
    reasons: { exactMatch, qualifiedName, definition, kindMatch },
  };
}
