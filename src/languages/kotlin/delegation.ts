/**
 * Matches `by name(…)` before a class body, which looks like a lambda. Arguments may contain calls but no lambdas.
 */
const BY = /\bby\s+[\w.]+(?:<[\w., ]*>)?(?:\((?:[^(){}]|\((?:[^(){}]|\([^(){}]*\))*\))*\))?(?=\s*\{)/gu;
const WORD_END = /(?<![\w.])(class|object|interface|val|var|fun)$/u;
/** Maximum length of the head of a class in real code. */
const MAX_HEAD = 3000;

/** Finds `by name` before a class body, which the grammar would read as a call with a lambda. */
export function delegations(text: string): [number, number][] {
  if (!text.includes(" by ")) return [];
  return Array.from(text.matchAll(BY)).flatMap(({ index, 0: match }) =>
    isInClassHead(text, index) ? [[index, index + match.length] as [number, number]] : [],
  );
}

/** Searches backwards for the keyword that declares a class or a property. */
function isInClassHead(text: string, at: number): boolean {
  let depth = 0;
  for (let index = at - 1; index > Math.max(0, at - MAX_HEAD); index -= 1) {
    const code = text.charCodeAt(index);
    if (code === 0x29) depth += 1;
    else if (code === 0x28) depth -= 1;
    if (depth < 0) return false;
    if (depth > 0) continue;
    if (code === 0x7b || code === 0x7d || code === 0x3b || code === 0x3d) return false;
    // Tests the last letters of `class`, `object`, `interface`, `val`, `var` and `fun` before a space.
    if (text.charCodeAt(index + 1) !== 0x20 || !"steclrn".includes(text.charAt(index))) continue;
    const word = WORD_END.exec(text.slice(Math.max(0, index - 9), index + 1))?.[1];
    if (word !== undefined) return /^(?:class|object|interface)$/u.test(word);
  }
  return false;
}
