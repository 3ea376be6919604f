/** Returns the known names most similar to a misspelled one, best first, for "did you mean" suggestions. */
export function nearestNames(wrong: string, names: Iterable<string>, limit = 3): string[] {
  const query = fold(wrong);
  const scored: { name: string; score: number }[] = [];
  for (const name of names) {
    const folded = fold(name);
    const distance = editDistance(query, folded);
    const contained = isWithin(query, folded) || isWithin(folded, query);
    // Two names are similar if at most a third of the letters differ, or if one contains the other, whatever their
    // lengths.
    if (contained || distance <= Math.max(1, Math.floor(Math.max(query.length, folded.length) / 3)))
      scored.push({ name, score: contained ? distance / 4 : distance });
  }
  scored.sort((a, b) => a.score - b.score || compareText(a.name, b.name));
  return scored.slice(0, limit).map((entry) => entry.name);
}

/**
 * Returns whether a name contains another. The other must have three letters, because two occur in most words by
 * chance.
 */
function isWithin(part: string, whole: string): boolean {
  return part.length > 2 && whole.includes(part);
}

/** Compares two names by code unit, so that their order is the same on every machine, whatever its locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_\-.\s]/g, "");
}

/** Damerau-Levenshtein distance (swapped neighbours are one edit) over the first 64 characters of each name. */
function editDistance(left: string, right: string): number {
  const a = left.slice(0, 64);
  const b = right.slice(0, 64);
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
