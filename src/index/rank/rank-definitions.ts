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

/** How well the definitions of a file match a query. */
export interface DefinitionScore {
  /** Score in units of the highest score that any file gets for words in its text. */
  readonly total: number;
  readonly symbol?: number;
  readonly reasons: DefinitionReasons;
}

/** The parts that add up to the score of a file's definitions. */
interface DefinitionReasons {
  readonly exactMatch: number;
  readonly partialMatch: number;
  readonly qualifiedName: number;
  readonly definition: number;
  readonly kindMatch: number;
  /** Part of the score for a definition whose file has the same name. */
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
  /** Numbers of the files that define the requested name; they are results even if no word of the query matches. */
  readonly files: ReadonlySet<number>;
  /** Files with a definition that answers the query, in the order in which they come before all others. */
  readonly answers: ReadonlyMap<ViewFile, number>;
  /** Returns the score of a file for defining names that the query contains; this is fast. */
  named(file: number): number;
  /** Returns the whole definition score of a file; with `closely`, the names of all its definitions are compared. */
  of(file: number, closely: boolean): DefinitionScore;
}

/** Weights that were tuned on queries with known answers; values near these hardly change the ranking. */
const NAME_MATCH_WEIGHT = 3;
const QUALIFIER_WEIGHT = 1;
const OWN_FILE_WEIGHT = 0.5;
const NAME_IN_TEXT_WEIGHT = 0.25;
const MAX_NAMES_IN_TEXT = 1.5;
const KIND_WEIGHT = 0.5;

/** Creates the function that scores files by how well their definitions match a query. */
export function scoreDefinitions(
  view: View,
  query: ParsedQuery,
  options: LocateOptions & { readonly weights: readonly number[] },
): DefinitionScores {
  return query.symbol === undefined
    ? scoreText(view, query, options)
    : scoreName(view, query.symbol, options);
}

/** Scores the files for a query that is a name; their definitions are in the same order as in a lookup by name. */
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

/**
 * Upper bound on definitions with a similar name; more would push down the files that use the requested word itself.
 */
const MAX_SIMILAR_NAMES = 20;
const SEVERAL_PARTS = /\w_\w|\p{Ll}\p{Lu}/u;

/**
 * Returns the definitions of the requested name or, if there are none, those with a similar name. For a plain word that
 * occurs in files, similar names are not considered.
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

/** Returns true if a definition can answer the query; a prototype cannot, because the definition is elsewhere. */
function isAnswer(brief: SymbolBrief | undefined): boolean {
  return brief !== undefined && brief.kind !== "prototype";
}

/**
 * Lowest ranking weight of a definition that answers a query for a plain word: that of a property in a nested class.
 * Fields have a lower weight and are seldom meant.
 */
const MIN_ANSWER_WEIGHT = 0.3;
/**
 * Lowest ranking weight of a definition that answers a query for a name of several parts, which hardly matches by
 * chance.
 */
const MIN_COMPOUND_ANSWER_WEIGHT = 0.15;

/** Returns the files whose definitions answer the query, best first; mere details, such as fields, do not count. */
function findAnswers(
  view: View,
  named: readonly FoundSymbol[],
  requested: RequestedName,
): ReadonlyMap<ViewFile, number> {
  const [first] = named;
  if (first === undefined || first.tier < MIN_WHOLE_NAME_TIER) return new Map();
  // A query such as `runbare` also counts as a name of several parts if it is defined as `runBare`.
  const written = view.documentOf(first.file).symbols[first.symbol]?.name ?? "";
  const isName = SEVERAL_PARTS.test(requested.name) || SEVERAL_PARTS.test(written);
  const minWeight = isName ? MIN_COMPOUND_ANSWER_WEIGHT : MIN_ANSWER_WEIGHT;
  const best = named.filter(
    ({ tier, fit, weight }) => tier === first.tier && fit === first.fit && weight >= minWeight,
  );
  // A definition in a test counts as an answer only if the query has a qualifier or kind, or if there is no other
  // answer.
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

/** Scores the files for a query in words: by definitions that the query names, and by names composed of its words. */
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

/** The best definition in a file that the query names, and the total weight of all such definitions. */
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

/** Returns where a name is defined in the searched files. */
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

/**
 * Exponent by which names with many definitions lose weight in an issue text (a bug report), which mentions many
 * things.
 */
const COMMON_NAME_POWER = 0.5;
/** Ranking factor for a rare name in a question, because the question is most likely about it. */
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
