/** A table of diagnostics as a reader knows it: the numbers of its rows and of what did not fit, by rule and by file. */
export interface ReadTable {
  readonly rules: readonly number[];
  readonly files: readonly number[];
}

/** Parses a rendered table; undefined if the text has none. */
export function readTable(text: string): ReadTable | undefined {
  const lines = text.split("\n");
  const start = lines.indexOf("by rule:");
  if (start < 0) return undefined;
  const middle = lines.indexOf("by file:");
  const end = lines.findIndex((line) => /^all \d+: /.test(line));
  return {
    rules: lines.slice(start + 1, middle < 0 ? end : middle).flatMap(countsIn),
    files: middle < 0 ? [] : lines.slice(middle + 1, end).flatMap(countsIn),
  };
}

/** Reads a row such as ` 12 error E1: …`, or the last one, such as ` and 3 more rules: 5 E2, 4 E3, 2 in 1 other`. */
function countsIn(line: string): number[] {
  const [, rest] = /^ and \d+ more (?:rule|file)s?: (.*)$/.exec(line) ?? [];
  if (rest !== undefined) return rest.split(", ").map((part) => Number.parseInt(part, 10));
  const [, count] = /^ (\d+) /.exec(line) ?? [];
  return count === undefined ? [] : [Number(count)];
}

/** Adds up the numbers of rows. */
export function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
