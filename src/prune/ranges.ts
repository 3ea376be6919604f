/** Line numbers, counted from `first`, as ranges in order. */
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
