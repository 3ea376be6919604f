import { CLOSE_PAREN, DOT, EQUALS, GREATER, isMark, isPair, OPEN_PAREN } from "../reading.ts";
import { NAME, STRING, type Tokens } from "../tokens.ts";

const LOADERS: ReadonlySet<string> = new Set(["import", "require"]);

/** Returns true if a token begins a call of `import` or `require` with a string. */
export function isLoad(tokens: Tokens, token: number): boolean {
  return (
    LOADERS.has(tokens.name[token] ?? "") &&
    isMark(tokens, token + 1, OPEN_PAREN) &&
    tokens.kind[token + 2] === STRING &&
    isMark(tokens, token + 3, CLOSE_PAREN)
  );
}

/** Returns true if the value that begins at a token is a loaded module, or a member of one that gets a name. */
export function isLoadedValue(tokens: Tokens, first: number, isNamed: boolean): boolean {
  const call = tokens.name[first] === "await" ? first + 1 : first;
  if (!isLoad(tokens, call)) return false;
  return !isMark(tokens, call + 4, DOT) || (isNamed && tokens.name[call + 5] !== "then");
}

/** Returns the parameter of the function behind `.then(`, which receives the module that the token `call` loads. */
export function loadedParameter(tokens: Tokens, call: number): number | undefined {
  if (!isMark(tokens, call + 4, DOT) || tokens.name[call + 5] !== "then") return undefined;
  const open = call + 6;
  if (!isMark(tokens, open, OPEN_PAREN)) return undefined;
  if (tokens.kind[open + 1] === NAME && isPair(tokens, open + 2, EQUALS, GREATER)) return open + 1;
  return isMark(tokens, open + 1, OPEN_PAREN) ? open + 2 : undefined;
}

/** Returns true if a token is the parameter of a function that receives a loaded module. */
export function isLoadedParameter(tokens: Tokens, parameter: number): boolean {
  for (const then of [parameter - 2, parameter - 3]) {
    const call = then - 5;
    if (tokens.name[then] === "then" && isLoad(tokens, call))
      return loadedParameter(tokens, call) === parameter;
  }
  return false;
}
