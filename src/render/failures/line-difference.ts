/**
 * The most lines of a text that is compared; the comparison takes time and memory in the square of the number of lines.
 */
const MAX_LINES = 400;

/**
 * Writes the difference of two texts like `diff`: common lines after a space, lines of the first text after a minus,
 * lines of the second after a plus. Nothing is left out, so both texts can be read from it.
 */
export function lineDifference(first: readonly string[], second: readonly string[]): string[] {
  const from = first.map((line) => `-${line}`);
  const to = second.map((line) => `+${line}`);
  if (first.length > MAX_LINES || second.length > MAX_LINES) return [...from, ...to];
  const common = longestCommon(first, second);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < first.length || j < second.length) {
    if (i < first.length && j < second.length && first[i] === second[j]) {
      lines.push(` ${first[i]}`);
      i++;
      j++;
    } else if (
      j >= second.length ||
      (i < first.length && lengthAt(common, i + 1, j) >= lengthAt(common, i, j + 1))
    )
      lines.push(from[i++] ?? "");
    else lines.push(to[j++] ?? "");
  }
  return lines;
}

/**
 * The table for the longest common subsequence: entry [i][j] is its length for the lines of the texts from i and j on.
 */
function longestCommon(first: readonly string[], second: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: first.length + 1 }, () => new Uint16Array(second.length + 1));
  for (let i = first.length - 1; i >= 0; i--)
    for (let j = second.length - 1; j >= 0; j--) {
      const row = table[i];
      if (row === undefined) continue;
      row[j] =
        first[i] === second[j]
          ? lengthAt(table, i + 1, j + 1) + 1
          : Math.max(lengthAt(table, i + 1, j), lengthAt(table, i, j + 1));
    }
  return table;
}

function lengthAt(table: readonly Uint16Array[], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}
