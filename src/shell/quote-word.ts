/** Quotes a word so that a shell passes it on unchanged. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./^-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
