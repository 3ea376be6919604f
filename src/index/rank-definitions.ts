import type { SymbolKind } from "../model/symbol.ts";
import { kindWeight } from "./kind-weights.ts";
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
  const spelled = query.symbol === undefined ? query.names : [foldName(query.symbol.name)];
  for (const name of spelled) collectNamed(view, name, { query, named, ...(kinds && { kinds }) });
  if (query.symbol !== undefined) preferExact(named);
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
  qualified: boolean;
  kindAsked: boolean;
  sum: number;
}

/** Where a name is defined just as it was written, other spellings of it are seldom meant. */
const OTHER_SPELLING = 0.3;

function preferExact(named: Map<number, Named>): void {
  if (![...named.values()].some(({ exact }) => exact)) return;
  for (const [file, found] of named)
    if (!found.exact) named.set(file, { ...found, weight: found.weight * OTHER_SPELLING });
}

function collectNamed(
  view: View,
  folded: string,
  into: { query: ParsedQuery; named: Map<number, Named>; kinds?: ReadonlySet<SymbolKind> },
): void {
  for (const [
    segment,
    {
      segment: { names },
    },
  ] of view.segments.entries()) {
    const index = names.folded.indexOf(folded);
    if (index < 0) continue;
    names.each(index, (document, symbol) => {
      const symbols = view.segments[segment]?.segment.document(document).symbols ?? [];
      const brief = symbols[symbol];
      if (brief === undefined) return;
      const found = weigh(brief, symbols, into);
      view.eachFile(segment, document, (file) => {
        const qualified = found.qualified || pathQualifies(view.files[file]?.path ?? "", into.query);
        const before = into.named.get(file);
        const sum = (before?.sum ?? 0) + found.weight;
        const better =
          before === undefined || found.weight + Number(qualified) > before.weight + Number(before.qualified);
        into.named.set(file, better ? { ...found, qualified, symbol, sum } : { ...before, sum });
      });
    });
  }
}

function weigh(
  brief: SymbolBrief,
  symbols: readonly SymbolBrief[],
  { query, kinds }: { query: ParsedQuery; kinds?: ReadonlySet<SymbolKind> },
) {
  const exact = query.symbol === undefined || brief.name === query.symbol.name;
  const weight = definitionWeight(brief) * (exact ? 1 : 0.6);
  const owner = query.symbol?.qualifiers.at(-1);
  const qualified = owner !== undefined && foldName(symbols[brief.parent]?.name ?? "") === foldName(owner);
  return { weight, exact, qualified, kindAsked: kinds?.has(brief.kind) ?? false };
}

/** A module's name stands in the path: `hashers.make_password` in hashers.py, `auth::login` in auth/mod.rs. */
function pathQualifies(path: string, query: ParsedQuery): boolean {
  const owner = query.symbol?.qualifiers.at(-1);
  if (owner === undefined) return false;
  const folded = foldName(owner);
  return path
    .split("/")
    .slice(-2)
    .some((segment) => foldName(segment.replace(/\.\w+$/, "")) === folded);
}

function symbolScore(found: Named, stem: string, query: ParsedQuery): DefinitionScore {
  const name = foldName(query.symbol?.name ?? "");
  const folded = foldName(stem);
  const exactMatch = SYMBOL_QUERY * found.weight;
  const qualifiedName = found.qualified ? QUALIFIED : 0;
  const definition = folded === name || folded === `${name}s` ? STEM_IS_NAME : 0;
  const kindMatch = found.kindAsked ? KIND_ASKED : 0;
  return {
    total: exactMatch + qualifiedName + definition + kindMatch,
    symbol: found.symbol,
    isAnswer: found.exact && found.weight >= LEAST_ANSWER,
    reasons: { exactMatch, qualifiedName, definition, kindMatch },
  };
}
