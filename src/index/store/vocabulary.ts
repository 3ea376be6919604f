/** A sorted list of texts (by UTF-16 code units), stored as one string with the start of each text. */
export interface SortedTexts {
  readonly text: string;
  readonly starts: Uint32Array;
}

/** A sorted list of terms or names that is searched by bisection. */
export interface Vocabulary {
  readonly size: number;
  at(index: number): string;
  /** Returns the number of the first entry that equals the text or sorts after it. */
  lowerBound(text: string): number;
  /** Returns the number of the entry that equals the text, or -1 if there is none. */
  indexOf(text: string): number;
}

/** Joins sorted texts (by UTF-16 code units) into one string and records where each starts. */
export function joinTexts(sorted: readonly string[]): SortedTexts {
  const starts = new Uint32Array(sorted.length + 1);
  for (const [index, text] of sorted.entries()) starts[index + 1] = (starts[index] ?? 0) + text.length;
  return { text: sorted.join(""), starts };
}

export function vocabularyOf({ text: all, starts }: SortedTexts): Vocabulary {
  const size = starts.length - 1;
  const at = (index: number): string => all.slice(starts[index] ?? 0, starts[index + 1] ?? 0);
  const lowerBound = (text: string): number => {
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    size,
    at,
    lowerBound,
    indexOf(text) {
      const index = lowerBound(text);
      return index < size && at(index) === text ? index : -1;
    },
  };
}
