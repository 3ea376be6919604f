import type { CodeSymbol } from "../../model/symbol.ts";
import type { DefinitionMark, ModuleLink, UseRole } from "../../model/use.ts";
import type { Bindings } from "./bindings.ts";
import { NAME, type Tokens } from "./tokens.ts";

/** What is found out about the tokens of a text before its uses are listed. */
export interface Reading {
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
}

/** A set of tokens by number. */
export interface TokenSet {
  add(token: number): void;
  has(token: number): boolean;
}

export interface TokenRoles {
  set(token: number, role: UseRole): void;
  get(token: number): UseRole | undefined;
}

/** What is noted about the tokens of one text. */
type TokenNotes = Pick<Reading, "skipped" | "kept" | "keys" | "opaque" | "roles">;

/** Number of roles that a note has room for, in the upper half of its byte; 0 means that there is none. */
const ROLE_SHIFT = 4;
const SET_BITS = (1 << ROLE_SHIFT) - 1;

let scratch = new Uint8Array(8_192);

/**
 * Creates the sets and roles for the tokens of one text, with one byte per token. Those of the text before become
 * invalid, because allocating them for each text would cost as much as reading a small one.
 */
export function createTokenNotes(count: number): TokenNotes {
  if (scratch.length < count) scratch = new Uint8Array(count * 2);
  const notes = scratch.subarray(0, count);
  notes.fill(0);
  const roles: (UseRole | undefined)[] = [undefined];
  return {
    skipped: createTokenSet(notes, 1),
    kept: createTokenSet(notes, 2),
    keys: createTokenSet(notes, 4),
    opaque: createTokenSet(notes, 8),
    roles: {
      set(token, role) {
        const known = roles.indexOf(role);
        const number = known > 0 ? known : roles.push(role) - 1;
        notes[token] = ((notes[token] ?? 0) & SET_BITS) | (number << ROLE_SHIFT);
      },
      get: (token) => roles[(notes[token] ?? 0) >> ROLE_SHIFT],
    },
  };
}

function createTokenSet(notes: Uint8Array, bit: number): TokenSet {
  return {
    add: (token) => {
      notes[token] = (notes[token] ?? 0) | bit;
    },
    has: (token) => ((notes[token] ?? 0) & bit) !== 0,
  };
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
