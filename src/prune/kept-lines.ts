/** Converts line indexes to sorted ranges of line numbers; `first` is the number of the line with index 0. */
export function rangesOf(indexes: Iterable<number>, first: number): (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const line = index + first;
    const last = ranges.at(-1);
    if (last !== undefined && last[1] >= line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}

/**
 * Keeps a single omitted line between two kept lines if it is short, because the mark for an omitted line would cost as
 * much as the line. The same applies to the first line of the text if the second is kept.
 */
export function closeSmallGaps(kept: Uint8Array, isShort: (index: number) => boolean): void {
  for (let index = 0; index + 1 < kept.length; index++)
    if ((index === 0 || kept[index - 1] === 1) && kept[index + 1] === 1 && isShort(index)) kept[index] = 1;
}
