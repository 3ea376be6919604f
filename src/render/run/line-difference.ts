/** Beyond so many lines a side the table of the comparison would cost more than it saves. */
const MOST_LINES = 400;

/**
 * Two texts as one: common lines once after a space, those of the first only after a minus, of the second only after a
 * plus. Nothing is left out, so that both can be read from it.
 */
export function lineDifference(first: readonly string[], second: readonly string[]): string[] {
  const from = first.map((line) => `-${line}`);
  const to = second.map((line) => `+${line}`);
  if (first.length > MOST_LINES || second.length > MOST_LINES) return [...from, ...to];
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

/** How many lines the rests of both texts have in common, by where the rests begin. */
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
