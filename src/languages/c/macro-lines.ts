import { MACRO } from "./words.ts";

/** Matches parentheses up to three levels over several lines; text with statements is not a list of arguments. */
const NESTED = "\\((?:[^(){};]|\\((?:[^(){};]|\\([^(){};]*\\))*\\))*\\)";
const MACRO_LINE = new RegExp(
  `[ \\t]*${MACRO}(?:[ \\t]*${NESTED})?[ \\t]*(;?)[ \\t]*(?:/[/*][^\\n]*)?(?=\\r?\\n|$)`,
  "uy",
);
const DIRECTIVE = /[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*(?:\n|$)/uy;
const COMMENT = /[ \t]*(?:\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)[ \t\r]*)(?:\n|$)/uy;
const COMMENTS = /\/\/[^\n]*|\/\*[^\n]*?(?:\*\/|$)/gu;
const NEXT = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*([^\s])?/uy;

/**
 * Finds macros that are on lines of their own in the place of a declaration or statement. Their expansion is
 * unknown, and the grammar would read them as part of the next line.
 */
export function macroLines(text: string): [number, number][] {
  const ranges: [number, number][] = [];
  let before = ";";
  for (let at = 0; at < text.length;) {
    const first = firstCode(text, at);
    const skipped =
      first === 0x23 ? ends(DIRECTIVE, text, at) : first === 0x2f ? ends(COMMENT, text, at) : undefined;
    const macro =
      first >= 0x41 && first <= 0x5a && ";{}:>".includes(before) ? ends(MACRO_LINE, text, at) : undefined;
    if (skipped !== undefined) at = skipped;
    else if (macro !== undefined && isBeforeDeclaration(text, macro, before)) {
      ranges.push([at, macro]);
      at = macro;
    } else {
      const end = lineEnd(text, at);
      before = lastCode(text.slice(at, end)) ?? before;
      at = end + 1;
    }
  }
  return ranges;
}

/** Returns the offset of the first character of a line that is not a space, or its end. */
function firstCode(text: string, lineStart: number): number {
  let at = lineStart;
  while (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09) at += 1;
  return text.charCodeAt(at);
}

function lastCode(line: string): string | undefined {
  return (line.includes("/") ? line.replace(COMMENTS, "") : line).trimEnd().at(-1);
}

/** Returns the end of a line, or of the line on which its comment ends. */
function lineEnd(text: string, at: number): number {
  const found = text.indexOf("\n", at);
  const end = found < 0 ? text.length : found;
  const line = text.slice(at, end);
  const open = line.lastIndexOf("/*");
  if (open < 0 || line.includes("*/", open) || line.lastIndexOf("//", open) >= 0) return end;
  const close = text.indexOf("*/", end);
  return close < 0 ? text.length : lineEnd(text, close + 2);
}

/**
 * A following body would make the macro a function, an operator would make it an expression, and alone in braces it
 * is a constant.
 */
function isBeforeDeclaration(text: string, end: number, before: string): boolean {
  NEXT.lastIndex = end;
  const next = NEXT.exec(text)?.[1];
  if (next === undefined) return true;
  return next === "}" ? before !== "{" : /[A-Za-z_#~[:]/u.test(next);
}

function ends(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
