import type { ScannedSymbol } from "./language.ts";

/** Deeper keys are data rather than structure. */
export const MAX_KEY_DEPTH = 3;
/** If a data file has more keys than this, only its upper levels are shown. */
const MAX_KEYS = 1000;

/** Selects as many levels of keys as fit into the limit, at least the first level. */
export function selectKeys(keys: readonly ScannedSymbol[]): ScannedSymbol[] {
  for (let depth = MAX_KEY_DEPTH; depth > 1; depth -= 1) {
    const kept = keys.filter((key) => key.depth <= depth);
    if (kept.length <= MAX_KEYS) return kept;
  }
  return keys.filter((key) => key.depth <= 1).slice(0, MAX_KEYS);
}

/** Formats a key with its value, which is truncated to fit on a line. */
export function keySignature(key: string, value: string): string {
  const shown = value.replace(/\s+/gu, " ").trim();
  return shown === "" ? key : `${key}: ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}`;
}
