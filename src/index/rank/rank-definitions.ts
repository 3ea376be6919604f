import { definitionWeight } from "./kind-weights.ts";
import {
  definitionsOf,
  locateSymbols,
  MIN_WHOLE_NAME_TIER,
  type FoundSymbol,
  type LocateOptions,
} from "../query/locate.ts";
import { FIT } from "../query/qualified.ts";
import type { RequestedName, ParsedQuery } from "../query/query.ts";
import type { SymbolBrief } from "../store/record.ts";
import { scoreNameMatches } from "./name-matches.ts";
import { foldName } from "../text/terms.ts";
import type { View, ViewFile } from "../live/view.ts";

/** What the definitions of a file earn it. */
export interface DefinitionScore {
  /** As a share of the best word score. */
  readonly total: number;
  readonly symbol?: number;
  readonly reasons: DefinitionReasons;
}

/** What the total is made of. */
interface DefinitionReasons {
  readonly exactMatch: number;
  readonly partialMatch: number;
  readonly qualifiedName: number;
  readonly definition: number;
  readonly kindMatch: number;
  /** The file is named like what it defines. */
  readonly ownFile: number;
}

const NO_REASONS: DefinitionReasons = {
  exactMatch: 0,
  partialMatch: 0,
  qualifiedName: 0,
  definition: 0,
  kindMatch: 0,
  ownFile: 0,
};

export interface DefinitionScores {
  /** Files that define a name the query spells; they count even where no word matches. */
  readonly files: ReadonlySet<number>;
  /** Files with the definition of the name that the query is, and which of them comes first. */
  readonly answers: ReadonlyMap<ViewFile, number>;
  /** What the names that the query spells earn a file: quick. */
  named(file: number): number;
  /** All that its definitions earn a file; `closely` looks at each of them. */
  of(file: number, closely: boolean): DefinitionScore;
}

/** Weights found on labelled queries; the ranking is flat around them. */
const NAME_MATCH_WEIGHT = 3;
const QUALIFIER_WEIGHT = 1;
const OWN_FILE_WEIGHT = 0.5;
const NAME_IN_TEXT_WEIGHT = 0.25;
const MAX_NAMES_IN_TEXT = 1.5;
const KIND_WEIGHT = 0.5;

/** Reads which definitions a query names. */
export function scoreDefinitions(
  view: View,
  query: ParsedQuery,
  options: LocateOptions & { readonly weights: readonly number[] },
): DefinitionScores {
  return query.symbol === undefined
    ? scoreText(view, query, options)
    : scoreName(view, query.symbol, options);
}

/** A query that is a name: the order of its definitions is that of a lookup. */
function scoreName(
  view: View,
  asked: RequestedName,
  options: LocateOptions & { readonly weights: readonly number[] },
): DefinitionScores {
  const named = new Map<number, FoundSymbol>();
  for (const one of definitionsOrNearest(view, asked, options))
    if (!named.has(one.number)) named.set(one.number, one);
  const scoreOf = (number: number) => {
    const one = named.get(number);
    return one === undefined ? NO_SCORE : symbolScore(one, asked, options);
  };
  return {
    files: new Set(named.keys()),
    answers: findAnswers(
      view,
      [...named.values()].filter(({ file, symbol }) => isAnswer(view.documentOf(file).symbols[symbol])),
      asked,
    ),
    named: (number) => scoreOf(number).total,
    of: scoreOf,
  };
}

/** More names that only begin with what was asked for would bury the files that use it as a word. */
const MAX_SIMILAR_NAMES = 20;
const SEVERAL_PARTS = /\w_\w|\p{Ll}\p{Lu}/u;

/** Where no definition bears the name, those that begin with it or have its parts; a plain word that texts have is a word. */
function definitionsOrNearest(
  view: View,
  asked: RequestedName,
  { weights, ...options }: LocateOptions & { readonly weights: readonly number[] },
): readonly FoundSymbol[] {
  const found = definitionsOf(view, asked, options);
  const isName = SEVERAL_PARTS.test(asked.name) || /^\p{Lu}/u.test(asked.name);
  if (found.length > 0 || !(isName || weights.every((weight) => weight === 0))) return found;
  return locateSymbols(view, asked.name, options).slice(0, MAX_SIMILAR_NAMES);
}

/** A prototype only says that there is a definition elsewhere, perhaps in a language without an outline. */
function isAnswer(brief: SymbolBrief | undefined): boolean {
  return brief !== undefined && brief.kind !== "prototype";
}

/** A property of a nested class; less are fields, which a single word seldom means. */
const MIN_ANSWER_WEIGHT = 0.3;
/** A name of several parts is not there by chance, whatever bears it. */
const MIN_COMPOUND_ANSWER_WEIGHT = 0.15;

/** The definitions that are what was asked for, and more than a detail, in their order. */
function findAnswers(
  view: View,
  named: readonly FoundSymbol[],
  asked: RequestedName,
): ReadonlyMap<ViewFile, number> {
  const [first] = named;
  if (first === undefined || first.tier < MIN_WHOLE_NAME_TIER) return new Map();
  // `runbare` is one as well where it is written `runBare`.
  const written = view.documentOf(first.file).symbols[first.symbol]?.name ?? "";
  const isName = SEVERAL_PARTS.test(asked.name) || SEVERAL_PARTS.test(written);
  const least = isName ? MIN_COMPOUND_ANSWER_WEIGHT : MIN_ANSWER_WEIGHT;
  const best = named.filter(
    ({ tier, fit, weight }) => tier === first.tier && fit === first.fit && weight >= least,
  );
  // A test's own definition is meant where the query says whose it is, or where nothing else can be meant.
  const isSure = first.fit > 0 || asked.kinds !== undefined;
  const sources = isSure ? best : best.filter(({ file }) => isSource(file));
  const isFree = asked.qualifiers.length === 0 && (isName || /^\p{Lu}/u.test(asked.name));
  const answers = sources.length === 0 && isFree ? best : sources;
  return new Map(answers.map(({ file }, rank) => [file, rank]));
}

function isSource({ facts: { role, kind } }: ViewFile): boolean {
  return kind === "code" && !role.test && !role.vendored;
}

function symbolScore(found: FoundSymbol, asked: RequestedName, { kinds }: LocateOptions): DefinitionScore {
  const { file, symbol, tier, weight, fit } = found;
  const name = foldName(asked.name);
  const { foldedStem } = file.facts;
  const nameMatch = NAME_MATCH_WEIGHT * weight * tier;
  const match = found.match === "exact" ? { exactMatch: nameMatch } : { partialMatch: nameMatch };
  const qualifiedName = (QUALIFIER_WEIGHT * Math.min(fit, FIT.exactOwner)) / FIT.exactOwner;
  const ownFile = foldedStem === name || foldedStem === `${name}s` ? OWN_FILE_WEIGHT : 0;
  const kindMatch = kinds === undefined ? 0 : KIND_WEIGHT;
  return {
    total: nameMatch + qualifiedName + ownFile + kindMatch,
    symbol,
    reasons: { ...NO_REASONS, ...match, qualifiedName, ownFile, kindMatch },
  };
}

/** A query in words: the names that it spells, and the names that its words make up. */
function scoreText(
  view: View,
  query: ParsedQuery,
  { weights, kinds }: LocateOptions & { readonly weights: readonly number[] },
): DefinitionScores {
  const spelled = findNamedDefinitions(view, query, kinds);
  const saidIn =
    query.route === "text" || query.route === "phrase" ? scoreNameMatches(query, weights, kinds) : undefined;
  const namesIn = (number: number) =>
    NAME_IN_TEXT_WEIGHT * Math.min(MAX_NAMES_IN_TEXT, spelled.get(number)?.sum ?? 0);
  return {
    files: new Set(),
    answers: new Map(),
    named: namesIn,
    of(number, closely) {
      const file = view.files[number];
      const said =
        saidIn === undefined || file === undefined || !closely ? 0 : saidIn(view.documentOf(file).symbols);
      const total = namesIn(number) + said;
      const symbol = spelled.get(number)?.symbol;
      if (total === 0) return NO_SCORE;
      return {
        total,
        ...(symbol !== undefined && { symbol }),
        reasons: { ...NO_REASONS, definition: total },
      };
    },
  };
}

const NO_SCORE: DefinitionScore = { total: 0, reasons: NO_REASONS };

/** The best definition of a file that bears one of some names, and what all of them are worth. */
interface NamedDefinition {
  readonly symbol: number;
  readonly weight: number;
  readonly sum: number;
}

function findNamedDefinitions(
  view: View,
  query: ParsedQuery,
  kinds: LocateOptions["kinds"],
): ReadonlyMap<number, NamedDefinition> {
  const found = new Map<number, NamedDefinition>();
  for (const name of query.names.keys()) {
    const places = placesOf(view, name);
    const share = shareOf(query, name, places.length);
    for (const { segment, document, symbol } of places) {
      const symbols = view.segments[segment]?.segment.document(document).symbols ?? [];
      const brief = symbols[symbol];
      if (brief === undefined || kinds?.has(brief.kind) === false) continue;
      const weight = definitionWeight(brief, symbols) * share;
      view.eachFile(segment, document, (file) => {
        const before = found.get(file);
        const sum = (before?.sum ?? 0) + weight;
        const isBetter = before === undefined || weight > before.weight;
        found.set(file, isBetter ? { symbol, weight, sum } : { ...before, sum });
      });
    }
  }
  return found;
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
/** A question that spells a name which hardly anything else bears is about that. */
const RARE_NAME_FACTOR = 2;
const MAX_RARE_DEFINITIONS = 2;
const MIN_RARE_NAME_LENGTH = 5;

function shareOf(query: ParsedQuery, name: string, bearers: number): number {
  if (query.route !== "long")
    return bearers <= MAX_RARE_DEFINITIONS && name.length >= MIN_RARE_NAME_LENGTH ? RARE_NAME_FACTOR : 1;
  return (query.names.get(name) ?? 1) / Math.max(1, bearers) ** COMMON_NAME_POWER;
}
