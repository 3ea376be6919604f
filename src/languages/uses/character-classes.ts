import type { TokenSyntax } from "./token-syntax.ts";

/** What a character begins where code is read. */
export const SPACE = 0;
export const LINE = 1;
export const LETTER = 2;
export const DIGIT = 3;
export const OPEN = 4;
export const CLOSE = 5;
/** Punctuation that begins nothing else. */
export const MARK = 6;
/** A character that may begin a comment, a string or a regular expression. */
const SPECIAL = 7;

const known = new WeakMap<TokenSyntax, Uint8Array>();

/** Returns the classes of the ASCII characters in a language, by their codes. */
export function classesOf(syntax: TokenSyntax): Uint8Array {
  const found = known.get(syntax);
  if (found !== undefined) return found;
  const special = specialsOf(syntax);
  const classes = Uint8Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code);
    return special.includes(character) ? SPECIAL : plainClassOf(character);
  });
  known.set(syntax, classes);
  return classes;
}

function plainClassOf(character: string): number {
  if (character === "\n") return LINE;
  if (character <= " ") return SPACE;
  if (/[A-Za-z_$]/.test(character)) return LETTER;
  if (/\d/.test(character)) return DIGIT;
  if ("([{".includes(character)) return OPEN;
  return ")]}".includes(character) ? CLOSE : MARK;
}

/** Returns the marks of a language that may begin a comment, a string or a regular expression. */
function specialsOf(syntax: TokenSyntax): string {
  const { block, heredoc, hash } = syntax;
  // A block comment in braces begins like a bracket, which is read as such.
  const comment = block?.[0].trim().charAt(0).replace("{", "") ?? "";
  return [
    `"'\`${comment}`,
    hash === undefined ? "" : "#",
    syntax.slashComments === true || syntax.regex === true ? "/" : "",
    syntax.dashComments === true ? "-" : "",
    syntax.jsx === true || heredoc !== undefined ? "<" : "",
    syntax.phpTags === true ? "?" : "",
    syntax.prefixes === "csharp" ? "@" : "",
    heredoc === "ruby" ? "%?" : "",
  ].join("");
}
