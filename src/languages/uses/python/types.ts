import { after, COMMA, EQUALS, isMark, OPEN_BRACKET, OPEN_PAREN, type Reading } from "../reading.ts";
import { NAME, STRING } from "../tokens.ts";

type Marked = Pick<Reading, "tokens" | "roles">;

/** Marks the names between two tokens as types, also those in strings, which name types that are defined later. */
export function markTypes(reading: Marked, first: number, end: number): void {
  const { tokens, roles } = reading;
  for (let token = first; token < end; token++) {
    if (tokens.kind[token] === NAME) roles.set(token, "type");
    token = markString(reading, token);
  }
}

/** Marks a string as a type; of the arguments of some types, strings are values. Returns the last token that was read. */
function markString(reading: Marked, token: number): number {
  const { tokens, roles } = reading;
  if (tokens.kind[token] === STRING) roles.set(token, "type");
  const open = token + 1;
  if (tokens.kind[token] !== NAME || !isMark(tokens, open, OPEN_BRACKET)) return token;
  const close = after(tokens, open) - 1;
  if (tokens.name[token] === "Literal") return close;
  if (tokens.name[token] !== "Annotated") return token;
  let comma = open + 1;
  while (comma < close && !isMark(tokens, comma, COMMA)) comma = after(tokens, comma);
  markTypes(reading, open + 1, comma);
  return close;
}

/** Types of the module `typing` whose arguments are types. */
const GENERICS: ReadonlySet<string> = new Set(
  `Union Optional List Dict Set FrozenSet Tuple Type Sequence Iterable Iterator Mapping MutableMapping Callable Awaitable
  Coroutine Generator AsyncIterator AsyncIterable AsyncGenerator ClassVar Final`.split(/\s+/u),
);

/** Marks the strings behind a word that are types outside of annotations: `Union["A", None]`, `cast("A", b)`, `bound="A"`. */
export function markTypeStrings(reading: Marked, word: number): void {
  const { tokens, roles } = reading;
  const name = tokens.name[word] ?? "";
  const next = word + 1;
  const isTaken =
    (name === "cast" && isMark(tokens, next, OPEN_PAREN)) ||
    (name === "bound" && isMark(tokens, next, EQUALS));
  if (isTaken && tokens.kind[next + 1] === STRING) roles.set(next + 1, "type");
  if (!GENERICS.has(name) || !isMark(tokens, next, OPEN_BRACKET)) return;
  const end = after(tokens, next);
  for (let token = next + 1; token < end; token++) token = markString(reading, token);
}

/** Marks the names that the statement `__all__ = ["a", "b"]` exports. */
export function markExports({ tokens, roles }: Marked, first: number, end: number): void {
  if (tokens.name[first] !== "__all__") return;
  for (let token = first + 1; token < end; token++)
    if (tokens.kind[token] === STRING) roles.set(token, "export");
}
