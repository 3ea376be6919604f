/** Letters of a prefix; each has five bits. */
const PREFIX = 3;
const BITS = 5;
const A = 0x61;
const Z = 0x7a;
const TO_LOWER = 0x20;

/**
 * Returns a function that tells whether an identifier may have a part with one of some stems, by the first letters of its
 * parts. Most words of a text have none, and need not be split.
 */
export function termFilter(stems: Iterable<string>): (word: string) => boolean {
  const prefixes = new Uint8Array(1 << (PREFIX * BITS));
  for (const stem of stems) prefixes[prefixAt(stem, 0)] = 1;
  return (word) => {
    let isInside = false;
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at);
      if (code > 127) return true;
      const isLower = code >= A && code <= Z;
      const isUpper = !isLower && code + TO_LOWER >= A && code + TO_LOWER <= Z;
      // Any capital letter may begin a part.
      if ((isUpper || (isLower && !isInside)) && startsPart(prefixes, word, at)) return true;
      isInside = isLower || isUpper;
    }
    return false;
  };
}

/** Whether a stem begins at an offset of a word; short stems have shorter prefixes. */
function startsPart(prefixes: Uint8Array, word: string, at: number): boolean {
  const prefix = prefixAt(word, at);
  return prefixes[prefix] === 1 || prefixes[prefix & ~((1 << BITS) - 1)] === 1;
}

/** The first letters from an offset as one number. */
function prefixAt(word: string, at: number): number {
  let prefix = 0;
  for (let letter = at; letter < at + PREFIX; letter++) {
    const code = letter < word.length ? word.charCodeAt(letter) | TO_LOWER : 0;
    prefix = (prefix << BITS) | (code >= A && code <= Z ? code - A + 1 : 0);
  }
  return prefix;
}
