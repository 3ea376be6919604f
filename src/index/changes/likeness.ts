/** Share of equal words from which two definitions of the same name are the same; git uses the same share for files. */
const MIN_SHARED_WORDS = 0.5;

/** True if two texts have at least half of their words in common, however their lines are broken. */
export function isAlike(one: string, other: string): boolean {
  const [first, second] = [wordsOf(one), wordsOf(other)];
  const counts = new Map<string, number>();
  for (const word of first) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of second) {
    const count = counts.get(word) ?? 0;
    if (count === 0) continue;
    counts.set(word, count - 1);
    shared++;
  }
  return shared >= MIN_SHARED_WORDS * Math.max(first.length, second.length);
}

/** Brackets and other signs are in all code, so they say nothing about two texts. */
function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{ID_Continue}$]+/gu) ?? [];
}
