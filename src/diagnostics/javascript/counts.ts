/** What runners call the outcomes in lines such as `2 failed | 3 passed (5)`. */
const COUNT = /(\d{1,9}) ([a-z]+)/g;

/** The numbers of a line of counts by their words: `{ failed: 2, passed: 3 }`. */
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

/** Milliseconds of `1.24s`, `350ms`, `1 m 2 s`, `1m 20s`; undefined where there is no such time. */
export function durationMs(text: string): number | undefined {
  let sum: number | undefined;
  for (const [, number, unit = ""] of text.slice(0, 200).matchAll(DURATION)) {
    const name = unit.startsWith("min") ? "m" : unit.startsWith("sec") ? "s" : unit;
    sum = (sum ?? 0) + Number(number) * (UNITS[name] ?? 0);
  }
  return sum === undefined ? undefined : Math.round(sum * 1000) / 1000;
}
