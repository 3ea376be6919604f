import { after, AT, COMMA, DOT, isMark, LESS, OPEN_BRACE, SEMICOLON, type Reading } from "../reading.ts";
import { NAME } from "../tokens.ts";
import { typeArgumentsEnd } from "./type-syntax.ts";

const BACKSLASH = 0x5c;
const IN_LIST: ReadonlySet<number> = new Set([COMMA, DOT, AT, BACKSLASH]);
const INHERITS: ReadonlySet<string> = new Set(["extends", "implements"]);

/**
 * Marks the names after `extends` and `implements` in the header of a type, which begins after its name. Returns the
 * token after the header: the brace of its body, if there is one.
 */
export function markBaseTypes(
  { tokens, roles }: Reading,
  first: number,
  role: "inheritance" | "extension" | "type" = "inheritance",
): number {
  let isBase = false;
  let at = first;
  while (at < tokens.count && !isMark(tokens, at, OPEN_BRACE) && !isMark(tokens, at, SEMICOLON)) {
    if (isMark(tokens, at, LESS)) {
      const end = typeArgumentsEnd(tokens, at);
      at = end < 0 ? at + 1 : end + 1;
      continue;
    }
    if (tokens.kind[at] === NAME) {
      const word = tokens.name[at] ?? "";
      if (INHERITS.has(word)) isBase = true;
      else if (word === "permits") isBase = false;
      // Of a qualified name, only the last part is the type.
      else if (isBase)
        roles.set(at, isMark(tokens, at + 1, DOT) || isMark(tokens, at + 1, BACKSLASH) ? "read" : role);
    } else if (isBase && !IN_LIST.has(tokens.code[at] ?? 0)) return at;
    at = after(tokens, at);
  }
  return at;
}
