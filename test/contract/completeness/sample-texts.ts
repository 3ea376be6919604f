/** Texts that do not fit into a reply, or whose lines are easily counted wrong. */
export const TEXTS: Readonly<Record<string, readonly string[]>> = {
  empty: [],
  one: ["the only line"],
  fifty: Array.from({ length: 50 }, (_, index) => `line ${index + 1} of fifty`),
  many: Array.from({ length: 2_500 }, (_, index) => String(index + 1)),
  blanks: Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? "" : `  indented ${index}`)),
  wide: Array.from(
    { length: 120 },
    (_, index) => `${index} 漢字かな交じり文 😀🎉 naïve ﷽ ${"é".repeat(index % 40)}`,
  ),
  long: ["before", "x".repeat(100_000), "after", "😀".repeat(3_000), "the last"],
  single: [Array.from({ length: 3_000 }, (_, index) => `word${index}`).join(" ")],
  repeated: [
    "begin",
    ...Array.from({ length: 1_200 }, () => "a"),
    ...Array.from({ length: 200 }, () => ["retrying", "connection refused", ""]).flat(),
    ...Array.from({ length: 300 }, (_, index) => `fetched part ${index} of 300`),
    ...Array.from({ length: 100 }, (_, index) => [`copied ${index * 7}`, `  to shelf ${index}`]).flat(),
    ...Array.from({ length: 600 }, (_, index) => `own words ${index.toString(36).replaceAll(/\d/g, "z")}`),
    ...Array.from({ length: 40 }, () => "the end"),
  ],
  diff: Array.from({ length: 60 }, (_, index) => [
    `diff --git a/src/${index % 4}/part${index}.ts b/src/${index % 4}/part${index}.ts`,
    `--- a/src/${index % 4}/part${index}.ts`,
    `+++ b/src/${index % 4}/part${index}.ts`,
    `@@ -1,2 +1,${index + 2} @@`,
    " before",
    ...Array.from({ length: index }, (__, line) => `+added line ${line} of ${index}`),
    " after",
    ...(index % 20 === 7
      ? ["", "commit 1234", "", ...Array.from({ length: 20 }, (__, line) => `    why ${line}`), ""]
      : []),
  ]).flat(),
  paths: Array.from({ length: 9 }, (_, index) =>
    Array.from(
      { length: 40 + index * 30 },
      (__, file) => `lib/part${index}/area${file % 3}/file${file}.ts`,
    ).sort(),
  ).flat(),
  lastError: [
    ...Array.from({ length: 1_500 }, (_, index) => `step ${index} done`),
    "fatal: it ends here with an error",
  ],
};

/** The content of a file with these lines. */
export function asFile(lines: readonly string[], end = "\n"): string {
  return lines.map((line) => `${line}${end}`).join("");
}

export const FORMATS = ["text", "json", "markdown"] as const;

/** Budgets that split a text into at most a few dozen replies. */
export function budgetsFor(name: string): readonly number[] {
  if (/^(?:long|single)\b/.test(name)) return [9_000];
  if (/^(?:many|lastError|repeated|diff|paths)\b/.test(name)) return [2_000];
  return /^wide\b/.test(name) ? [230] : [100, 700];
}

/**
 * Pairs each format with one of the choices in turn, so that all formats and all choices occur without every
 * combination of them, which would take minutes.
 */
export function formatsWith<T>(choices: readonly T[]): readonly (readonly [(typeof FORMATS)[number], T])[] {
  const length = Math.max(FORMATS.length, choices.length);
  return Array.from({ length }, (_, at) => {
    const format = FORMATS[at % FORMATS.length];
    const choice = choices[at % choices.length];
    return format === undefined || choice === undefined ? [] : [[format, choice] as const];
  }).flat();
}
