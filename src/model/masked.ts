/** A secret that was masked in a text, by its lines; a private key spans several lines. */
export interface MaskedSecret {
  /** The 1-based number of the first line. */
  readonly line: number;
  readonly lastLine: number;
}

/** A summary of the masked secrets that a reply or a record shows. */
export interface Masked {
  readonly count: number;
  /** The locations of the first masked secrets, where known: `14`, `18-45`, `.env:3`. */
  readonly places: readonly string[];
}

/** Upper bound on the locations of masked secrets that a reply names. */
const MAX_PLACES = 20;

/** Summarizes masked secrets for a reply; undefined if there are none. */
export function maskedAt(
  secrets: readonly (MaskedSecret & { readonly path?: string })[],
): Masked | undefined {
  if (secrets.length === 0) return undefined;
  const places = secrets.map(({ path, line, lastLine }) => {
    const lines = lastLine > line ? `${line}-${lastLine}` : `${line}`;
    return path === undefined ? lines : `${path}:${lines}`;
  });
  return { count: secrets.length, places: [...new Set(places)].slice(0, MAX_PLACES) };
}
