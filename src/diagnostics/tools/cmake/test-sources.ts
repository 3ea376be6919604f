/** Whether a source of a test program has tests by its path; others are its main function and its helpers. */
export function looksLikeTest(path: string): boolean {
  return /(?:^|[-_.])tests?(?:[-_.]|$)|Tests?\.\w+$|^Test[A-Z]/.test(path.slice(path.lastIndexOf("/") + 1));
}

/** Says which other test files run because they are part of the same programs; undefined if there are none. */
export function sayBesides(files: readonly string[]): string | undefined {
  if (files.length === 0) return undefined;
  const what = files.length > 3 ? `${files.length} other test files` : files.join(", ");
  return `${what}, in the same program`;
}
