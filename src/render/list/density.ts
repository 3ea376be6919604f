import { estimateTokens } from "../../kernel/tokens.ts";

/**
 * How much a list of findings says: every message whole, only the first line of each, or a table that counts them by
 * rule and file.
 */
export type Density = "whole" | "brief" | "table";

export interface Written {
  readonly text: string;
  /** The number of diagnostics and failed tests that did not fit into the list. */
  readonly missing: number;
}

/** Writes a list of findings in the first of the given densities that has room for all of them. */
export function chooseDensity(densities: readonly Density[], write: (density: Density) => Written): string {
  let best: Written | undefined;
  for (const density of densities) {
    const written = write(density);
    if (best === undefined || isBetter(written, best)) best = written;
    if (best.missing === 0) break;
  }
  return best?.text ?? "";
}

function isBetter(one: Written, other: Written): boolean {
  if (one.missing !== other.missing) return one.missing < other.missing;
  return estimateTokens(one.text) < estimateTokens(other.text);
}
