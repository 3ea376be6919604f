/** A here-document (`<<EOF`): text that the shell passes to a command as its input. */
export interface HereDocument {
  /** The line that ends the document. */
  readonly end: string;
  /** True if the delimiter is quoted, so that the shell expands nothing in the text. */
  readonly isLiteral: boolean;
  readonly stripsTabs: boolean;
}

/**
 * Finds where the text of the here-document that begins at `from` ends, and where the line after its delimiter begins.
 */
export function findDocumentBody(
  text: string,
  from: number,
  { end, stripsTabs }: HereDocument,
): { readonly end: number; readonly next: number } | undefined {
  for (let at = from; at < text.length;) {
    const lineEnd = text.indexOf("\n", at);
    const to = lineEnd < 0 ? text.length : lineEnd;
    const line = text.slice(at, to);
    if ((stripsTabs ? line.replace(/^\t+/, "") : line) === end)
      return { end: at, next: Math.min(to + 1, text.length) };
    at = to + 1;
  }
  return undefined;
}
