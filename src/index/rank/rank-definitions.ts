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

/** The score of a file's definitions. */
export interface DefinitionScore {
  /** Score relative to the best word score. */
  readonly total: number;
  readonly symbol?: number;
  readonly reasons: DefinitionReasons;
}

/** The parts of the total. */
interface DefinitionReasons {
  readonly exactMatch: number;
  readonly partialMatch: number;
  readonly qualifiedName: number;
  readonly definition: number;
  readonly kindMatch: number;
  /** Part for a file that has the name of its definition. */
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
  /** Files that define a name in the query; they count even if no word matches. */
  readonly files: ReadonlySet<number>;
  /** Files that define the requested name, with their order. */
  readonly answers: ReadonlyMap<ViewFile, number>;
  /** Returns the score for names in the query, which is cheap. */
  named(file: number): number;
  /** Returns the full definition score of a file; with `closely` it inspects each definition. */
  of(file: number, closely: boolean): DefinitionScore;
}

/** Weights tuned on labelled queries; the ranking hardly changes around them. */
const NAME_MATCH_WEIGHT = 3;
const QUALIFIER_WEIGHT = 1;
const OWN_FILE_WEIGHT = 0.5;
const NAME_IN_TEXT_WEIGHT = 0.25;
const MAX_NAMES_IN_TEXT = 1.5;
const KIND_WEIGHT = 0.5;

/** Creates the definition scores of a query. */
export function scoreDefinitions(
  view: View,
  query: ParsedQuery,
  options: LocateOptions & { readonly weights: readonly number[] },
): DefinitionScores {
  return query.symbol === undefined
    ? scoreText(view, query, options)
    : scoreName(view, query.symbol, options);
}

/** Scores a query that is a name; its definitions have the order of a lookup. */
function scoreName(
  view: View,
  requested: RequestedName,
  options: LocateOptions & { readonly weights: readonly number[] },
): DefinitionScores {
  const named = new Map<number, FoundSymbol>();
  for (const one of definitionsOrNearest(view, requested, options))
    if (!named.has(one.number)) named.set(one.number, one);
  const scoreOf = (number: number) => {
    const one = named.get(number);
    return one === undefined ? NO_SCORE : symbolScore(one, requested, options);
  };
  return {
    files: new Set(named.keys()),
    answers: findAnswers(
      view,
      [...named.values()].filter(({ file, symbol }) => isAnswer(view.documentOf(file).symbols[symbol])),
      requested,
    ),
    named: (number) => scoreOf(number).total,
    of: scoreOf,
  };
}

/** Upper bound on similar names; more would push down the files that use the word itself. */
const MAX_SIMILAR_NAMES = 20;
const SEVERAL_PARTS = /\w_\w|\p{Ll}\p{Lu}/u;

/**
 * Returns the definitions of the name or, if there are none, those with a similar name. A plain word that occurs in
 * texts is not treated as a name.
 */
function definitionsOrNearest(
  view: View,
  requested: RequestedName,
  { weights, ...options }: LocateOptions & { readonly weights: readonly number[] },
): readonly FoundSymbol[] {
  const found = definitionsOf(view, requested, options);
  const isName = SEVERAL_PARTS.test(requested.name) || /^\p{Lu}/u.test(requested.name);
  if (found.length > 0 || !(isName || weights.every((weight) => weight === 0))) return found;
  return locateSymbols(view, requested.name, options).slice(0, MAX_SIMILAR_NAMES);
}

/** A prototype is not an answer, because it only declares a definition that is elsewhere. */
function isAnswer(brief: SymbolBrief | undefined): boolean {
  return brief !== undefined && brief.kind !== "prototype";
}

/**
 * Lowest weight of an answer to a plain word, that of a property in a nested class. Fields weigh less and are seldom
 * meant.
 */
const MIN_ANSWER_WEIGHT = 0.3;
/** Lowest weight of an answer to a name of several parts, which does not match by chance. */
const MIN_COMPOUND_ANSWER_WEIGHT = 0.15;

/** Returns the files with definitions that answer the query and are more than a detail, in order. */
function findAnswers(
  view: View,
  named: readonly FoundSymbol[],
  requested: RequestedName,
): ReadonlyMap<ViewFile, number> {
  const [first] = named;
  if (first === undefined || first.tier < MIN_WHOLE_NAME_TIER) return new Map();
  // `runbare` also counts as a name of several parts if it is defined as `runBare`.
  const written = view.documentOf(first.file).symbols[first.symbol]?.name ?? "";
  const isName = SEVERAL_PARTS.test(requested.name) || SEVERAL_PARTS.test(written);
  const minWeight = isName ? MIN_COMPOUND_ANSWER_WEIGHT : MIN_ANSWER_WEIGHT;
  const best = named.filter(
    ({ tier, fit, weight }) => tier === first.tier && fit === first.fit && weight >= minWeight,
  );
  // A definition in a test is an answer if the query has a qualifier or kind, or if there is no other.
  const isSpecific = first.fit > 0 || requested.kinds !== undefined;
  const sources = isSpecific ? best : best.filter(({ file }) => isSource(file));
  const isUnqualifiedName = requested.qualifiers.length === 0 && (isName || /^\p{Lu}/u.test(requested.name));
  const answers = sources.length === 0 && isUnqualifiedName ? best : sources;
  return new Map(answers.map(({ file }, rank) => [file, rank]));
}

function isSource({ facts: { role, kind } }: ViewFile): boolean {
  return kind === "code" && !role.test && !role.vendored;
}

function symbolScore(
  found: FoundSymbol,
  requested: RequestedName,
  { kinds }: LocateOptions,
): DefinitionScore {
  const { file, symbol, tier, weight, fit } = found;
  const name = foldName(requested.name);
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

/** Scores a query in words: by the names it contains and by names composed of its words. */
function scoreText(
  view: View,
  query: ParsedQuery,
  { weights, kinds }: LocateOptions & { readonly weights: readonly number[] },
): DefinitionScores {
  const spelled = findNamedDefinitions(view, query, kinds);
  const nameMatchesIn =
    query.route === "text" || query.route === "phrase" ? scoreNameMatches(query, weights, kinds) : undefined;
  const namesIn = (number: number) =>
    NAME_IN_TEXT_WEIGHT * Math.min(MAX_NAMES_IN_TEXT, spelled.get(number)?.sum ?? 0);
  return {
    files: new Set(),
    answers: new Map(),
    named: namesIn,
    of(number, closely) {
      const file = view.files[number];
      const nameMatches =
        nameMatchesIn === undefined || file === undefined || !closely
          ? 0
          : nameMatchesIn(view.documentOf(file).symbols);
      const total = namesIn(number) + nameMatches;
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

/** The best definition in a file of a name in the query, and the total weight of all such definitions. */
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

/** Returns the definitions of a name in the files of a view. */
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

/** Exponent that reduces the weight of common names in an issue text, which mentions many things. */
const COMMON_NAME_POWER = 0.5;
/** Factor for a rare name in a question, which is most likely what the question is about. */
const RARE_NAME_FACTOR = 2;
const MAX_RARE_DEFINITIONS = 2;
const MIN_RARE_NAME_LENGTH = 5;

function shareOf(query: ParsedQuery, name: string, definitionCount: number): number {
  if (query.route !== "long")
    return definitionCount <= MAX_RARE_DEFINITIONS && name.length >= MIN_RARE_NAME_LENGTH
      ? RARE_NAME_FACTOR
      : 1;
  return (query.names.get(name) ?? 1) / Math.max(1, definitionCount) ** COMMON_NAME_POWER;
}
