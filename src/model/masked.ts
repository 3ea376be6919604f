/** A secret that was masked in some lines. A private key spans several. */
export interface MaskedSecret {
  /** 1-based. */
  readonly line: number;
  readonly lastLine: number;
}

/** What a reply or a record says of the secrets that were masked in it. */
export interface Masked {
  readonly count: number;
  /** `14`, `18-45`, `.env:3`; the first ones, as far as it is known where they are. */
  readonly places: readonly string[];
}

/** As many places as are worth naming. */
const MAX_PLACES = 20;

/** The secrets as a reply speaks of them; undefined where there are none. */
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
