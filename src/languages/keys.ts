import type { ScannedSymbol } from "./language.ts";

/** Number of levels of keys that the outline of a data file may show; deeper keys are data rather than structure. */
export const MAX_KEY_DEPTH = 3;
/** Maximum number of keys in the outline of a data file. If there are more, only the upper levels are shown. */
const MAX_KEYS = 1000;

/** Selects as many levels of keys as `MAX_KEYS` allows, but at least the first level. */
export function selectKeys(keys: readonly ScannedSymbol[]): ScannedSymbol[] {
  for (let depth = MAX_KEY_DEPTH; depth > 1; depth -= 1) {
    const kept = keys.filter((key) => key.depth <= depth);
    if (kept.length <= MAX_KEYS) return kept;
  }
  return keys.filter((key) => key.depth <= 1).slice(0, MAX_KEYS);
}

/** Formats a key and its value for one line; a long value is truncated. */
export function keySignature(key: string, value: string): string {
  const shown = value.replace(/\s+/gu, " ").trim();
  return shown === "" ? key : `${key}: ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}`;
}
