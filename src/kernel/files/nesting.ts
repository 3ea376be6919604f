/** The deepest nesting that recursive parsers of settings get; no settings that people write come near it. */
const MAX_DEPTH = 500;

/**
 * Tests for a text with so many open brackets that a recursive parser would run out of stack. Unlike in
 * `json-depth.ts`, brackets in quotes count too, because a quote in a comment of such a file would hide all others.
 */
export function isNestedTooDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
