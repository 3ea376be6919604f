/**
 * Returns the stem of a word. The stemmer only removes suffixes, so a stem is always a prefix of its word, and all
 * words with one stem form one range of a sorted vocabulary. For example, authenticate, authentication and
 * authenticator have the same stem. Mistakes of the stemmer cost less than missing such matches (measured: strong
 * stemming ranks better than light stemming, and light better than plurals only).
 */
export function stemOf(word: string): string {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const stem = stemWord(word);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(word, stem);
  return stem;
}

/** Caches stems, because queries stem the same words again and again. */
const cache = new Map<string, string>();
const MAX_CACHED = 100_000;

function stemWord(word: string): string {
  if (word.length < 4 || word.charCodeAt(0) > 127) return word;
  let stem = cutPlural(word);
  stem = cutFirst(stem, VERBAL, 3);
  stem = cutFirst(cutFirst(stem, DERIVED, 4), REMAINDERS, 4);
  if (stem.length > 3 && /[ey]$/.test(stem)) stem = stem.slice(0, -1);
  if (stem.length > 3 && stem.endsWith("i")) stem = stem.slice(0, -1);
  return stem;
}

function cutPlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (word.endsWith("ies") && word.length > 4) return word.slice(0, -2);
  if (/(?:ss|us|is)$/.test(word) || !word.endsWith("s")) return word;
  if (/(?:ch|sh|x|z)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** Suffixes of verbs; a doubled consonant before them is reduced too, as in running and stopped. */
const VERBAL = ["ing", "ed"];

const DERIVED = [
  "ization",
  "isation",
  "ation",
  "ator",
  "ition",
  "able",
  "ible",
  "ance",
  "ence",
  "ment",
  "ness",
  "ive",
  "ion",
  "ity",
  "ize",
  "ise",
  "ate",
  "ant",
  "ent",
  "al",
  "er",
  "or",
  "ly",
];

/** Endings that are left of words in -ating, -izer and the like after the other suffixes were removed. */
const REMAINDERS = ["at", "iz", "is"];

function cutFirst(word: string, suffixes: readonly string[], leave: number): string {
  for (const suffix of suffixes) {
    if (!word.endsWith(suffix) || word.length - suffix.length < leave) continue;
    const stem = word.slice(0, -suffix.length);
    if (suffixes === VERBAL && !/[aeiouy]/.test(stem)) return word;
    return suffixes === VERBAL ? removeDoubledConsonant(stem) : stem;
  }
  return word;
}

function removeDoubledConsonant(stem: string): string {
  const last = stem.at(-1) ?? "";
  const doubled = last === stem.at(-2) && !"aeiouls".includes(last);
  return doubled && stem.length > 3 ? stem.slice(0, -1) : stem;
}
