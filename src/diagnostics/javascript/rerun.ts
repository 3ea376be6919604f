/** What a shell would not hand on as it is between double quotes. */
const NEEDS_SINGLE_QUOTES = /["$`\\!]/;

/** A test's name as an exact regular expression in quotes, as the runners' name filters take it from a shell. */
export function quotedPattern(name: string): string {
  const pattern = name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  if (!NEEDS_SINGLE_QUOTES.test(pattern)) return `"${pattern}"`;
  return `'${pattern.replaceAll("'", String.raw`'\''`)}'`;
}
