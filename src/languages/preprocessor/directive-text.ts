import type { Range } from "./branch-choice.ts";
import { skipLiteral } from "./literals.ts";

/** Returns the offset at which a directive ends, including its continuation lines. */
export function directiveEnd(text: string, start: number): number {
  for (let from = start; ;) {
    const found = text.indexOf("\n", from);
    const end = found < 0 ? text.length : found;
    const isCarriedOn = /\\\r?$/u.test(text.slice(Math.max(from, end - 2), end));
    const open = openComment(text.slice(from, end));
    if (found >= 0 && isCarriedOn) from = end + 1;
    else if (open !== undefined) from = skipLiteral(text, from + open, "c");
    else return text.charCodeAt(end - 1) === 0x0d ? end - 1 : end;
  }
}

/**
 * Finds the comments in a directive that must be replaced with spaces. A comment at the end is left in place, because
 * grammars accept it but do not accept trailing spaces.
 */
export function commentsIn(text: string, [start, end]: Range): Range[] {
  const directive = text.slice(start, end).trimEnd();
  const found: Range[] = [];
  for (let at = directive.indexOf("/*"); at >= 0;) {
    const close = directive.indexOf("*/", at + 2);
    if (close < 0 || close + 2 === directive.length) break;
    found.push([start + at, start + close + 2]);
    at = directive.indexOf("/*", close + 2);
  }
  return found;
}

/** Returns the offset of a comment that begins on a line and continues on the next. */
function openComment(line: string): number | undefined {
  for (let at = line.indexOf("/"); at >= 0; at = line.indexOf("/", at)) {
    const next = line.charAt(at + 1);
    if (next === "/") return undefined;
    if (next === "*") {
      const close = line.indexOf("*/", at + 2);
      if (close < 0) return at;
      at = close + 2;
    } else at++;
  }
  return undefined;
}
