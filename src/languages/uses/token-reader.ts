import type { TokenSyntax } from "./token-syntax.ts";
import { addToHash } from "./intern-name.ts";
import type { TokenList } from "./tokens.ts";

/** The state of reading a text into tokens. */
export interface TokenReader {
  readonly text: string;
  /** The characters of the text, followed by zeros. */
  readonly characters: Uint16Array;
  readonly syntax: TokenSyntax;
  readonly list: TokenList;
  at: number;
  line: number;
  /** How many strings and elements of JSX contain the code that is being read. */
  nesting: number;
  /** Offsets up to which a search for the end of a string or a regular expression has already failed. */
  noQuoteBefore: number;
  noRegexBefore: number;
  /** The documents that began on the current line, and whose text begins on the next one. */
  readonly heredocs: Heredoc[];
  /**
   * Reads code up to the bracket with the code `until` that closes more than was opened, or to the end of the text if it
   * is 0.
   */
  readonly readCode: (reader: TokenReader, until: number) => void;
}

/** A document inside the code, such as `<<~SQL`. */
export interface Heredoc {
  /** The offset after its last line. */
  readonly end: number;
  /** What begins code in it, or an empty text. */
  readonly code: string;
}

/** Nesting of code in strings from which it is not read, because real code never nests so deeply. */
export const MAX_NESTING = 24;

/** For each ASCII character, whether it can begin a name. */
const NAME_STARTS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z_$]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Returns true for a character that can begin a name. */
export function isNameStart(code: number): boolean {
  return code > 0x7f || NAME_STARTS[code] === 1;
}

/** Adds the name between two offsets. */
export function addNameBetween({ list, characters, line }: TokenReader, start: number, end: number): void {
  let hash = 0;
  for (let at = start; at < end; at++) hash = addToHash(hash, characters[at] ?? 0);
  list.addName(start, end, line, hash);
}

/** Moves on to an offset and counts the lines between. */
export function skipTo(reader: TokenReader, end: number): void {
  const { text } = reader;
  for (let at = text.indexOf("\n", reader.at); at >= 0 && at < end; at = text.indexOf("\n", at + 1))
    reader.line++;
  reader.at = end;
}
