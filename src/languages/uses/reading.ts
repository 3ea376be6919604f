import type { CodeSymbol } from "../../model/symbol.ts";
import type { DefinitionMark, ModuleLink } from "../../model/use.ts";
import type { Bindings } from "./bindings.ts";
import type { TokenRoles, TokenSet } from "./token-notes.ts";
import { NAME, type Tokens } from "./tokens.ts";
import type { TypeNotes } from "./type-notes.ts";

/** What is found out about the tokens of a text before its uses are listed. */
export interface Reading {
  readonly language: string;
  readonly tokens: Tokens;
  readonly bindings: Bindings;
  readonly links: ModuleLink[];
  /** The lines of imports whose names are bound only in the function or block around them. */
  readonly innerLinks: Set<number>;
  /** Returns true if the token is the name of a definition in the outline of the text. */
  readonly defines: (token: number) => boolean;
  /** The definitions of the text. */
  readonly symbols: readonly CodeSymbol[];
  /** Returns the position in `symbols` of the definition whose name is at a token; undefined for other tokens. */
  readonly symbolAt: (token: number) => number | undefined;
  /** What is known of definitions, by their position in `symbols`, that their place in the outline does not show. */
  readonly marks: Map<number, DefinitionMark>;
  /** Names that are no uses: parameters, labels, and the names in imports that a link already tells. */
  readonly skipped: TokenSet;
  /** Names that are uses although a definition has the same token or name, such as an embedded type in Go. */
  readonly kept: TokenSet;
  /** Names that are keys of objects or named arguments. */
  readonly keys: TokenSet;
  /** Names that may be members of a type which is not known, as in the body of an anonymous class, or that name its object. */
  readonly opaque: TokenSet;
  /** Roles that the neighbours of a name do not show. */
  readonly roles: TokenRoles;
  /** Words that call the method with this name of a base type, such as `super` in Ruby. */
  readonly baseCalls: Map<number, string>;
  /**
   * Members that an assignment calls as a method with `=` behind the name, such as `a` in `self.a = 1` of Ruby; true if
   * it calls the member itself, too, as in `self.a += 1`.
   */
  readonly setters: Map<number, boolean>;
  /** Where the types of values show. */
  readonly types: TypeNotes;
}

/** Returns true if a token is the given character. */
export function isMark({ code }: Tokens, token: number, mark: number): boolean {
  return code[token] === mark;
}

/** Returns true if two characters follow each other without a space, as in `=>`. */
export function isPair({ code, start, end }: Tokens, token: number, first: number, second: number): boolean {
  return code[token] === first && code[token + 1] === second && end[token] === start[token + 1];
}

/** Returns the bracket that closes the one at `open`, or the end of the text if nothing closes it. */
export function closeOf({ match, count }: Tokens, open: number): number {
  const close = match[open] ?? -1;
  return close > open ? close : count;
}

/** Returns the first name of a path `a.b.c` whose last name is at `last`. */
export function firstOfPath(tokens: Tokens, last: number): number {
  let first = last;
  while (isMark(tokens, first - 1, DOT) && tokens.kind[first - 2] === NAME) first -= 2;
  return first;
}

/** Returns the token after a bracket and everything inside it; after another token, the next one. */
export function after({ match }: Tokens, token: number): number {
  const end = match[token] ?? -1;
  return end > token ? end + 1 : token + 1;
}

/** Returns the content of a string token. */
export function stringAt({ text, start, end }: Tokens, token: number): string {
  return text.slice(start[token], end[token]);
}

export const OPEN_PAREN = 0x28;
export const CLOSE_PAREN = 0x29;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const EQUALS = 0x3d;
export const LESS = 0x3c;
export const GREATER = 0x3e;
export const DOT = 0x2e;
export const STAR = 0x2a;
export const QUESTION = 0x3f;
export const AT = 0x40;
