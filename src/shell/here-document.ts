/** A text that is handed to a command as its input: `<<EOF`. */
export interface HereDocument {
  /** The line that ends it. */
  readonly end: string;
  /** Nothing in it is expanded. */
  readonly isLiteral: boolean;
  readonly stripsTabs: boolean;
}

/** Where a document that begins at `from` ends, and where the line behind its last one begins. */
export function documentBody(
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
