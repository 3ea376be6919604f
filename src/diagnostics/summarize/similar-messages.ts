import { GAP, type ExtractedMessage } from "./template.ts";

/** Maximum number of words of a message that is compared with others word by word. */
const MAX_WORDS = 60;
/** Upper bound on the gaps in a merged message; with more of them it would be unreadable. */
const MAX_GAPS = 4;
/** Minimum share of words that two similar messages have in common. */
const MIN_SHARED_RATIO = 0.5;
/** Minimum number of words that two similar messages have in common. */
const MIN_SHARED_WORDS = 2;
/** Upper bound on the other messages with which each message is compared. */
const MAX_COMPARED = 40;
/**
 * Upper bound on compared pairs of words for one list of messages, about a tenth of a second of work, so that a list of
 * unrelated messages stays cheap.
 */
const MAX_PAIRS = 5_000_000;

/** The number of comparisons of words that may still be made for one list of messages. */
export interface ComparisonBudget {
  pairs: number;
}

/** Creates the budget of comparisons for one list of messages. */
export function createComparisonBudget(): ComparisonBudget {
  return { pairs: MAX_PAIRS };
}

/** A set of similar messages with their common words; undefined marks a gap where they differ. */
interface Pattern<T> {
  words: readonly Word[];
  known: ReadonlySet<Word>;
  size: number;
  readonly kinds: (readonly T[])[];
}

/** A word that all messages of the set share, or undefined for a gap where they differ. */
type Word = string | undefined;

/**
 * Merges groups of messages that differ only in some words, so that the shared words are written once. All messages of
 * a merged group get the same text with gaps; the words in the gaps become the values of each message.
 */
export function mergeSimilar<T extends { readonly extracted: ExtractedMessage }>(
  kinds: readonly (readonly T[])[],
  budget: ComparisonBudget,
): T[][] {
  const patterns: Pattern<T>[] = [];
  for (const kind of kinds) {
    const words = budget.pairs > 0 ? wordsOf(kind[0]) : undefined;
    const near = patterns.slice(-MAX_COMPARED);
    const found = words === undefined ? undefined : bestPattern(near, { words, size: kind.length }, budget);
    if (found === undefined)
      patterns.push({ words: words ?? [], known: new Set(words), kinds: [kind], size: kind.length });
    else {
      found.pattern.words = found.words;
      found.pattern.known = new Set(found.words);
      found.pattern.kinds.push(kind);
      found.pattern.size += kind.length;
    }
  }
  return patterns.flatMap(({ words, kinds }) =>
    kinds.length < 2 ? kinds.map((kind) => [...kind]) : rewriteMembers(words, kinds),
  );
}

function wordsOf(member: { readonly extracted: ExtractedMessage } | undefined): string[] | undefined {
  const words = member?.extracted.skeleton.split(" ") ?? [];
  if (words.some((word) => word.includes("…"))) return undefined;
  return words.length < MIN_SHARED_WORDS || words.length > MAX_WORDS ? undefined : words;
}

/** Finds the pattern that shares the most words with a message, and the words that both share. */
function bestPattern<T>(
  patterns: readonly Pattern<T>[],
  { words, size }: { readonly words: readonly string[]; readonly size: number },
  budget: ComparisonBudget,
): { pattern: Pattern<T>; words: Word[] } | undefined {
  let best: { pattern: Pattern<T>; words: Word[] } | undefined;
  for (const pattern of patterns) {
    const length = Math.max(pattern.words.length, words.length);
    if (pattern.words.length === 0 || !mayShare(pattern.known, words, length) || budget.pairs <= 0) continue;
    budget.pairs -= pattern.words.length * words.length;
    const shared = sharedWords(pattern.words, words);
    if (!isReadable(shared, length)) continue;
    const wrapped = wraps(pattern.words, shared) * pattern.size + wraps(words, shared) * size;
    const moved =
      (count(pattern.words) - count(shared)) * (pattern.size - 1) +
      (count(words) - count(shared)) * (size - 1);
    if (wrapped * WRAP_TOKENS + moved * MOVED_TOKENS > count(shared) + HEAD_TOKENS) continue;
    if (best === undefined || count(shared) > count(best.words)) best = { pattern, words: shared };
  }
  return best;
}

/**
 * Returns whether enough words occur in both messages, in any order. This cheap test rules out most pairs before the
 * exact comparison.
 */
function mayShare(known: ReadonlySet<Word>, words: readonly string[], length: number): boolean {
  let same = 0;
  for (const word of words) if (known.has(word)) same++;
  return same >= MIN_SHARED_WORDS && same >= length * MIN_SHARED_RATIO;
}

function isReadable(words: readonly Word[], length: number): boolean {
  const same = count(words);
  const gaps = words.reduce((sum, word) => sum + (word === undefined ? 1 : word.split(GAP).length - 1), 0);
  return same >= MIN_SHARED_WORDS && same >= length * MIN_SHARED_RATIO && gaps <= MAX_GAPS;
}

/**
 * Estimated tokens per value for quotes and similar characters that become part of the value when messages are merged.
 */
const WRAP_TOKENS = 2;
/**
 * Estimated tokens for a word that becomes part of a value. Values are written next to each line of a file, but usually
 * many lines share one value.
 */
const MOVED_TOKENS = 0.1;
/**
 * Estimated tokens for the severity, the code and the line end that a message costs if it is not merged with another
 * one.
 */
const HEAD_TOKENS = 4;

/** Counts the words next to a value that would become part of a larger gap if two messages were merged. */
function wraps(words: readonly Word[], shared: readonly Word[]): number {
  const inWords = (all: readonly Word[]): number =>
    all.filter((word) => word !== undefined && word !== GAP && word.includes(GAP)).length;
  return inWords(words) - inWords(shared);
}

/** Counts the words that contain at least two letters in a row. */
function count(words: readonly Word[]): number {
  return words.filter((word) => word !== undefined && /\p{L}{2}/u.test(word)).length;
}

/** Returns the longest common sequence of words, with a gap wherever both messages have other words in between. */
function sharedWords(pattern: readonly Word[], words: readonly string[]): Word[] {
  const pairs = filledBetween(commonPairs(pattern, words), pattern, words.length);
  const shared: Word[] = [];
  let last: Pair = [-1, -1];
  for (const pair of [...pairs, [pattern.length, words.length] satisfies Pair]) {
    if (pair[0] - last[0] > 1) shared.push(undefined);
    if (pair[0] < pattern.length) shared.push(pattern[pair[0]]);
    last = pair;
  }
  return shared;
}

/** Position of a shared word in the pattern and in the message. */
type Pair = readonly [inPattern: number, inWords: number];

/** Drops shared words next to a gap that would be empty in the pattern or in the message, until no such gap is left. */
function filledBetween(pairs: readonly Pair[], pattern: readonly Word[], length: number): readonly Pair[] {
  const before: Pair = [-1, -1];
  const after: Pair = [pattern.length, length];
  const at = [...pairs, after].findIndex((pair, index) => {
    const last = pairs[index - 1] ?? before;
    return pair[0] - last[0] > 1 !== pair[1] - last[1] > 1;
  });
  if (at < 0) return pairs;
  const [left, right] = [pairs[at - 1], pairs[at]];
  const holdsGap = (pair: Pair | undefined): boolean =>
    pair !== undefined && pattern[pair[0]]?.includes(GAP) === true;
  // A word that already contains a gap is dropped first, because it varies anyway.
  const given =
    left === undefined || (right !== undefined && holdsGap(right) && !holdsGap(left)) ? right : left;
  return given === undefined
    ? []
    : filledBetween(
        pairs.filter((pair) => pair !== given),
        pattern,
        length,
      );
}

function commonPairs(pattern: readonly Word[], words: readonly string[]): Pair[] {
  const width = words.length + 1;
  const lengths = commonLengths(pattern, words);
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < pattern.length && j < words.length) {
    const word = pattern[i];
    if (word !== undefined && word === words[j]) pairs.push([i++, j++]);
    else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  return pairs;
}

/**
 * Computes the length of the longest common sequence of words that starts at position i of one message and j of the
 * other, and stores it at index `i * (words.length + 1) + j`. Messages have fewer words than a byte can count.
 */
function commonLengths(pattern: readonly Word[], words: readonly string[]): Uint8Array {
  const width = words.length + 1;
  const lengths = new Uint8Array((pattern.length + 1) * width);
  for (let i = pattern.length - 1; i >= 0; i--)
    for (let j = words.length - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] =
        pattern[i] !== undefined && pattern[i] === words[j]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  return lengths;
}

/**
 * Rewrites the messages of similar groups to one text with gaps. Groups whose messages do not fill every gap stay
 * separate.
 */
function rewriteMembers<T extends { readonly extracted: ExtractedMessage }>(
  pattern: readonly Word[],
  kinds: readonly (readonly T[])[],
): T[][] {
  const skeleton = pattern.map((word) => word ?? GAP).join(" ");
  const joined: T[] = [];
  const apart: T[][] = [];
  for (const kind of kinds) {
    const ends = gapEnds(pattern, wordsOf(kind[0]) ?? []);
    if (ends === undefined) apart.push([...kind]);
    else
      for (const member of kind)
        joined.push({
          ...member,
          extracted: { skeleton, values: valuesOf(member.extracted, pattern, ends) },
        });
  }
  return joined.length > 0 ? [joined, ...apart] : apart;
}

/**
 * Returns, for each word and gap of the pattern, the index in the message after the words that it stands for. Every gap
 * takes at least one word; the result is undefined if the pattern does not match.
 */
function gapEnds(pattern: readonly Word[], words: readonly string[]): number[] | undefined {
  const dead = new Set<number>();
  const from = (at: number, used: number): number[] | undefined => {
    if (at === pattern.length) return used === words.length ? [] : undefined;
    const key = at * (MAX_WORDS + 1) + used;
    if (dead.has(key)) return undefined;
    const most = pattern[at] === undefined ? words.length : Math.min(used + 1, words.length);
    for (let end = used + 1; end <= most; end++) {
      if (pattern[at] !== undefined && pattern[at] !== words[used]) break;
      const rest = from(at + 1, end);
      if (rest !== undefined) return [end, ...rest];
    }
    dead.add(key);
    return undefined;
  };
  return from(0, 0);
}

function valuesOf(extracted: ExtractedMessage, pattern: readonly Word[], ends: readonly number[]): string[] {
  const words = extracted.skeleton.split(" ");
  const given = [...extracted.values];
  const values: string[] = [];
  let used = 0;
  for (const [at, end] of ends.entries()) {
    const text = words.slice(used, end).join(" ");
    used = end;
    if (pattern[at] === undefined) values.push(text.replaceAll(GAP, () => given.shift() ?? ""));
    else values.push(...given.splice(0, text.split(GAP).length - 1));
  }
  return values;
}
