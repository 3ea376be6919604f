import type { PathRarity } from "./path-rarity.ts";
import type { PathFacts } from "../text/paths.ts";
import type { ParsedQuery } from "../query/query.ts";
import { stemOf } from "../text/stems.ts";
import type { View, ViewFile } from "../live/view.ts";

/** Weight of a full match of the folder names, relative to the best word score. */
const FOLDER_WEIGHT = 0.4;
/** Weight of an abbreviation in a path. */
const ABBREVIATION_WEIGHT = 0.5;
/** Weight if the joined file name equals one or two adjacent words of the query. */
const JOINED_WEIGHT = 0.5;
/** Weight of a path that the query contains. */
export const SPELLED_WEIGHT = 3;
/** Weights in an issue text, where a path may be one of many and a bare file name may be another file's. */
const SPELLED_WEIGHT_LONG = 1;
const FILE_NAME_WEIGHT_LONG = 0.3;
/** Factor for path words in an issue text, where they say less. */
const LONG_FACTOR = 0.5;

/** Weight of a file named like a phrase of the query including stop words: "to json schema" for to-json-schema. */
const PHRASE_WEIGHT = 0.3;
/** At least one contained word must have this length, because shorter ones occur inside others by chance. */
const MIN_CONTAINED_WORD = 4;
/** Shortest word that is looked for inside a name. */
const MIN_CONTAINED_PART = 3;
/** Share of a joined name that the query's words must cover. */
const MIN_COVERAGE = 0.5;

/** Weight of a word that occurs in all file names. */
const COMMON_NAME_WEIGHT = 0.2;

/** Creates the path score of a query, relative to the best word score. The file name is the strongest signal of all. */
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

/** Weights of words in the file name and in folder names, compared to words in the text. */
const FILE_NAME_WORD_WEIGHT = 0.5;
const FOLDER_WORD_WEIGHT = 0.15;

/**
 * Adds the words of the path to a file's word score. A file can be found by its name alone, but not by its folders
 * alone.
 */
export function addPathWords(
  { route, groups }: ParsedQuery,
  weights: readonly number[],
): (facts: PathFacts, inText: number) => number {
  if (route !== "text") return (_, inText) => inText;
  const byStem = new Map<string, number>();
  // A word that occurs in no text gets the weight of the rarest one.
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

/** The forms of a query word that may be part of a joined name, longest first. */
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

/** Caches matches, because many file names share words. */
function cacheInsideMatches(pieces: readonly WordForms[]): (stem: string) => ReturnType<typeof matchInside> {
  const known = new Map<string, ReturnType<typeof matchInside>>();
  return (stem) => {
    if (known.has(stem)) return known.get(stem);
    const found = matchInside(stem, pieces);
    known.set(stem, found);
    return found;
  };
}

/** Finds query words inside a joined name, such as `multipartparser`, `slowlog` or `codegen`. */
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

/** Returns two and three adjacent words, joined. */
function phrasesOf(words: readonly string[]): ReadonlySet<string> {
  const phrases = new Set<string>();
  for (const [index, word] of words.entries()) {
    const two = word + (words[index + 1] ?? "");
    phrases.add(two);
    phrases.add(two + (words[index + 2] ?? ""));
  }
  return phrases;
}

/** Creates the score of files whose path, or the end of it, the query contains. */
export function scoreSpelledPaths(query: ParsedQuery): (file: ViewFile) => number {
  const isLong = query.route === "long";
  const byName = new Map<string, string[]>();
  for (const path of query.paths)
    byName.set(fileNameOf(path), [...(byName.get(fileNameOf(path)) ?? []), path]);
  return ({ path, facts }) => {
    const spelled = byName.get(fileNameOf(path))?.find((one) => isSamePath(one, path));
    if (spelled === undefined) return 0;
    if (!isLong) return SPELLED_WEIGHT;
    // An issue text mentions the reporter's own settings and documents.
    if (facts.kind !== "code") return 0;
    return spelled.includes("/") ? SPELLED_WEIGHT_LONG : FILE_NAME_WEIGHT_LONG;
  };
}

function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Compares paths of which one may start further out, at the file system's root or at a package's root. */
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
 * Weight of the innermost stack frame's file relative to the best word score, and the factor for each further frame.
 */
const INNERMOST_FRAME_WEIGHT = 0.6;
const OUTER_FRAME_FACTOR = 0.6;

/** Scores the files that occur in the query's stack traces. Frames outside the project do not count. */
export function scoreStackFrames(view: View, { frames }: ParsedQuery): ReadonlyMap<ViewFile, number> {
  const byName = new Map<string, number[]>();
  for (const [order, frame] of frames.entries()) {
    const name = fileNameOf(frame);
    byName.set(name, [...(byName.get(name) ?? []), order]);
  }
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
