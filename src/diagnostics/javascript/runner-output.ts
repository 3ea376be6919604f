/** Matches the counts in lines such as `2 failed | 3 passed (5)`. */
const COUNT = /(\d{1,9}) ([a-z]+)/g;

/** Returns the numbers in a line of counts by their word: `{ failed: 2, passed: 3 }`. */
export function countsByWord(text: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [, number, word = ""] of text.slice(0, 500).matchAll(COUNT)) counts[word] = Number(number);
  return counts;
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const DURATION = /(\d{1,12}(?:\.\d{1,12})?) ?(ns|µs|ms|minutes?|min|seconds?|h|m|s)(?![a-z])/g;

/** Converts `1.24s`, `350ms`, `1 m 2 s` and `1m 20s` to milliseconds; undefined if the text contains no duration. */
export function durationMs(text: string): number | undefined {
  let sum: number | undefined;
  for (const [, number, unit = ""] of text.slice(0, 200).matchAll(DURATION)) {
    const name = unit.startsWith("min") ? "m" : unit.startsWith("sec") ? "s" : unit;
    sum = (sum ?? 0) + Number(number) * (UNITS[name] ?? 0);
  }
  return sum === undefined ? undefined : Math.round(sum * 1000) / 1000;
}

const TITLE = /^::(?:error|warning|notice) [^:]{0,2000}?\btitle=([^,:]*)/;
/** Number of characters of an annotation in which its title is searched; the rest of a long line is ignored. */
const HEAD = 4_000;

/**
 * Returns the title of a GitHub annotation, or undefined for other lines. Test runners write one for each failure that they have already printed.
 */
export function annotationTitle(text: string): string | undefined {
  if (!text.startsWith("::")) return undefined;
  const title = TITLE.exec(text.slice(0, HEAD))?.[1];
  return title?.replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%0A", "\n").replaceAll("%25", "%");
}

/** Matches characters that a shell would interpret inside double quotes. */
const NEEDS_SINGLE_QUOTES = /["$`\\!]/;

/** Quotes a test's name as an exact regular expression, for the name filters of test runners on a shell command line. */
export function quotedPattern(name: string): string {
  const pattern = name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  if (!NEEDS_SINGLE_QUOTES.test(pattern)) return `"${pattern}"`;
  return `'${pattern.replaceAll("'", String.raw`'\''`)}'`;
}
