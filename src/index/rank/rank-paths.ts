import { groupBy } from "../../kernel/group-by.ts";
import type { PathRarity } from "./path-rarity.ts";
import type { PathFacts } from "../text/paths.ts";
import type { ParsedQuery } from "../query/query.ts";
import { stemOf } from "../text/stems.ts";
import type { View, ViewFile } from "../live/view.ts";

/**
 * Weight of a file whose folder names contain all words of the query, relative to the highest score for words in a
 * text.
 */
const FOLDER_WEIGHT = 0.4;
/** Weight of an abbreviation of a query word in a path, compared to the word itself. */
const ABBREVIATION_WEIGHT = 0.5;
/** Weight of a file whose name, without separators, equals one word or two adjacent words of the query. */
const JOINED_WEIGHT = 0.5;
/** Weight of a file whose path occurs in the query. */
export const SPELLED_WEIGHT = 3;
/**
 * Weights of a path and of a mere file name in an issue text (a bug report): it may contain many paths, and the name
 * may be that of another file.
 */
const SPELLED_WEIGHT_LONG = 1;
const FILE_NAME_WEIGHT_LONG = 0.3;
/** Ranking factor for path words if the query is a bug report, because they say less there. */
const LONG_FACTOR = 0.5;

/**
 * Weight of a file that is named like adjacent words of the query including stop words: "to json schema" for
 * to-json-schema.
 */
const PHRASE_WEIGHT = 0.3;
/**
 * Length that at least one of the query words found inside a name must have, because shorter ones occur there by
 * chance.
 */
const MIN_CONTAINED_WORD = 4;
/** Length of the shortest query word that is looked for inside a name. */
const MIN_CONTAINED_PART = 3;
/** Share of the letters of a name that the query words found inside it must cover. */
const MIN_COVERAGE = 0.5;

/** Lowest weight of a query word in a file name, for a word that occurs in all file names. */
const COMMON_NAME_WEIGHT = 0.2;

/**
 * Creates a function that scores a path by the query words in it, relative to the highest score of a file for words in
 * its text. The file name is the strongest signal of all.
 */
export function scorePaths(
  query: ParsedQuery,
  weights: readonly number[],
  rarityOf: PathRarity,
): (facts: PathFacts) => number {
  const { byStem, total } = wordWeights(query, weights);
  const inside = cacheInsideMatches(wordFormsOf(query, weights));
  const joined = joinedWords(query.words);
  const phrases = query.route === "text" ? phrasesOf(query.allWords) : new Set<string>();
  const share = query.route === "long" ? LONG_FACTOR : 1;
  return (facts) => {
    let hits = 0;
    let weight = 0;
    for (const [index, stem] of facts.stemStems.entries()) {
      const found = byStem.get(stem) ?? inside(stem) ?? inside(facts.meaningfulParts[index] ?? "");
      if (found === undefined) continue;
      hits += found.share * (COMMON_NAME_WEIGHT + (1 - COMMON_NAME_WEIGHT) * rarityOf(stem));
      weight += found.weight * found.share;
    }
    let signal = 0;
    if (hits > 0) signal = (hits / facts.stemStems.length) * (0.25 + 0.75 * Math.min(1, weight / total));
    else if (facts.stem.length > 3 && joined.has(facts.foldedStem)) signal = JOINED_WEIGHT;
    if (facts.stemParts.length > 1 && phrases.has(facts.foldedStem)) signal += PHRASE_WEIGHT;
    let folders = 0;
    for (const stem of facts.folderStems) {
      const found = byStem.get(stem);
      if (found !== undefined) folders += found.weight * found.share;
    }
    return share * (signal + FOLDER_WEIGHT * Math.min(1, folders / total));
  };
}

/** Weights of query words in the file name and in folder names, compared to words in the text. */
const FILE_NAME_WORD_WEIGHT = 0.5;
const FOLDER_WORD_WEIGHT = 0.15;

/**
 * Adds the query words in a file's path to the score for words in its text. A file can be found by its name alone, but
 * not by its folders alone.
 */
export function addPathWords(
  { route, groups }: ParsedQuery,
  weights: readonly number[],
): (facts: PathFacts, inText: number) => number {
  if (route !== "text") return (_, inText) => inText;
  const byStem = new Map<string, number>();
  // A query word that occurs in no text gets the same weight as the rarest word that does.
  const rarest = Math.max(1, ...weights);
  for (const [index, { stem, isWhole, isShortForm }] of groups.entries()) {
    const weight = weights[index] ?? 0;
    if (stem !== undefined && !isWhole && isShortForm !== true)
      byStem.set(stem, weight === 0 ? rarest : weight);
  }
  return ({ stemStems, folderStems }, inText) => {
    let score = inText;
    for (const stem of stemStems) score += FILE_NAME_WORD_WEIGHT * (byStem.get(stem) ?? 0);
    if (score === 0) return 0;
    for (const stem of folderStems)
      if (!stemStems.includes(stem)) score += FOLDER_WORD_WEIGHT * (byStem.get(stem) ?? 0);
    return score;
  };
}

/** The forms of a query word that may be part of a name without separators, longest first. */
interface WordForms {
  readonly texts: readonly string[];
  readonly weight: number;
}

function wordFormsOf({ groups }: ParsedQuery, weights: readonly number[]): readonly WordForms[] {
  return groups.flatMap(({ isWhole, isShortForm, exact, stem = "", abbreviations }, index) => {
    if (isWhole || isShortForm === true) return [];
    const texts = [...new Set([...exact, stem, ...abbreviations])].filter(
      (text) => text.length >= MIN_CONTAINED_PART,
    );
    return [{ weight: weights[index] ?? 0, texts: texts.sort((a, b) => b.length - a.length) }];
  });
}

/** Caches which query words are inside a word of a file name, because many file names share words. */
function cacheInsideMatches(pieces: readonly WordForms[]): (stem: string) => ReturnType<typeof matchInside> {
  const known = new Map<string, ReturnType<typeof matchInside>>();
  return (stem) => {
    if (known.has(stem)) return known.get(stem);
    const found = matchInside(stem, pieces);
    known.set(stem, found);
    return found;
  };
}

/** Finds query words inside a name that has no separators, such as `multipartparser`, `slowlog` or `codegen`. */
function matchInside(
  stem: string,
  pieces: readonly WordForms[],
): { weight: number; share: number } | undefined {
  if (stem.length < MIN_CONTAINED_WORD + 2) return undefined;
  let rest = stem;
  let covered = 0;
  let longest = 0;
  let weight = 0;
  for (const piece of pieces) {
    const text = piece.texts.find((one) => rest.includes(one));
    if (text === undefined) continue;
    rest = rest.replace(text, " ");
    covered += text.length;
    longest = Math.max(longest, text.length);
    weight += piece.weight;
  }
  const cover = Math.min(1, covered / stem.length);
  return longest < MIN_CONTAINED_WORD || cover < MIN_COVERAGE ? undefined : { weight, share: cover };
}

/** Returns all sequences of two and three adjacent words, joined without a space. */
function phrasesOf(words: readonly string[]): ReadonlySet<string> {
  const phrases = new Set<string>();
  for (const [index, word] of words.entries()) {
    const two = word + (words[index + 1] ?? "");
    phrases.add(two);
    phrases.add(two + (words[index + 2] ?? ""));
  }
  return phrases;
}

/** Creates a function that scores a file if its path, or the end of it, occurs in the query. */
export function scoreSpelledPaths(query: ParsedQuery): (file: ViewFile) => number {
  const isLong = query.route === "long";
  const byName = groupBy(query.paths, fileNameOf);
  return ({ path, facts }) => {
    const spelled = byName.get(fileNameOf(path))?.find((one) => isSamePath(one, path));
    if (spelled === undefined) return 0;
    if (!isLong) return SPELLED_WEIGHT;
    // If the query is a bug report, only code files count, because it also mentions the reporter's own settings and
    // documents.
    if (facts.kind !== "code") return 0;
    return spelled.includes("/") ? SPELLED_WEIGHT_LONG : FILE_NAME_WEIGHT_LONG;
  };
}

function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Returns true if two paths are equal or one ends with the other, because one may start further out, for example at the
 * root of the file system.
 */
function isSamePath(spelled: string, path: string): boolean {
  return path === spelled || path.endsWith(`/${spelled}`) || spelled.endsWith(`/${path}`);
}

function wordWeights(query: ParsedQuery, weights: readonly number[]) {
  const byStem = new Map<string, { weight: number; share: number }>();
  let total = 0;
  for (const [index, group] of query.groups.entries()) {
    if (group.isWhole || group.stem === undefined) continue;
    const weight = weights[index] ?? 0;
    if (group.isShortForm !== true) total += weight;
    for (const word of group.abbreviations) {
      const stem = stemOf(word);
      if (!byStem.has(stem)) byStem.set(stem, { weight, share: ABBREVIATION_WEIGHT });
    }
    byStem.set(group.stem, { weight, share: 1 });
  }
  return { byStem, total: total === 0 ? 1 : total };
}

function joinedWords(words: readonly string[]): ReadonlySet<string> {
  const joined = new Set(words);
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (next !== undefined) joined.add(word + next);
  }
  return joined;
}

/**
 * Weight of the file of the innermost call in a stack trace, relative to the highest score for words in a text, and the
 * factor for each further call.
 */
const INNERMOST_FRAME_WEIGHT = 0.6;
const OUTER_FRAME_FACTOR = 0.6;

/** Scores the files that occur in the stack traces of a query. Calls outside the project do not count. */
export function scoreStackFrames(view: View, { frames }: ParsedQuery): ReadonlyMap<ViewFile, number> {
  const byName = groupBy(frames.keys(), (order) => fileNameOf(frames[order] ?? ""));
  const orders = new Map<ViewFile, number>();
  if (frames.length === 0) return orders;
  for (const file of view.files) {
    if (file.facts.kind !== "code") continue;
    const order = byName.get(fileNameOf(file.path))?.find((at) => isSamePath(frames[at] ?? "", file.path));
    if (order !== undefined) orders.set(file, order);
  }
  const own = [...new Set(orders.values())].sort((a, b) => a - b);
  return new Map(
    [...orders].map(([file, order]) => [
      file,
      INNERMOST_FRAME_WEIGHT * OUTER_FRAME_FACTOR ** own.indexOf(order),
    ]),
  );
}
