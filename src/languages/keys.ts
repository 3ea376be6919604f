import type { ScannedSymbol } from "./language.ts";

/** Keys deeper than this are data, not structure. */
export const MAX_KEY_DEPTH = 3;
/** A data file with more keys than this is shown by its upper levels only. */
const MAX_KEYS = 1000;

/** The keys of a data file: as many levels as fit, at least the first one up to the limit. */
export function keysThatFit(keys: readonly ScannedSymbol[]): ScannedSymbol[] {
  for (let depth = MAX_KEY_DEPTH; depth > 1; depth -= 1) {
    const kept = keys.filter((key) => key.depth <= depth);
    if (kept.length <= MAX_KEYS) return kept;
  }
  return keys.filter((key) => key.depth <= 1).slice(0, MAX_KEYS);
}

/** A key with its value, the value shortened to what a line can hold. */
export function keySignature(key: string, value: string): string {
  const shown = value.replace(/\s+/gu, " ").trim();
  return shown === "" ? key : `${key}: ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}`;
}
