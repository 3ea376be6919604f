import type { UseRole } from "../../model/use.ts";

/** A set of tokens by number. */
export interface TokenSet {
  add(token: number): void;
  has(token: number): boolean;
}

export interface TokenRoles {
  set(token: number, role: UseRole): void;
  get(token: number): UseRole | undefined;
}

/** One byte per token: its sets in the lower half, and in the upper half its role, where 0 means that there is none. */
let notes = new Uint8Array(8_192);

/** The bits of the sets that a token can belong to. */
const SKIPPED = 1;
const KEPT = 2;
const KEY = 4;
const OPAQUE = 8;
const ROLE_SHIFT = 4;
const SET_BITS = (1 << ROLE_SHIFT) - 1;

/** The roles that were noted, by their numbers. */
const roles: (UseRole | undefined)[] = [undefined];

/** The sets and roles of the tokens of the current text. */
export const TOKEN_NOTES = {
  skipped: createTokenSet(SKIPPED),
  kept: createTokenSet(KEPT),
  keys: createTokenSet(KEY),
  opaque: createTokenSet(OPAQUE),
  roles: {
    set(token: number, role: UseRole): void {
      const known = roles.indexOf(role);
      const number = known > 0 ? known : roles.push(role) - 1;
      notes[token] = ((notes[token] ?? 0) & SET_BITS) | (number << ROLE_SHIFT);
    },
    get: (token: number): UseRole | undefined => roles[(notes[token] ?? 0) >> ROLE_SHIFT],
  },
} as const;

/** Prepares the notes for the tokens of the next text. Allocating them for each would cost as much as reading a small one. */
export function clearNotes(count: number): void {
  if (notes.length < count) notes = new Uint8Array(count * 2);
  else notes.fill(0, 0, count);
}

function createTokenSet(bit: number): TokenSet {
  return {
    add: (token) => {
      notes[token] = (notes[token] ?? 0) | bit;
    },
    has: (token) => ((notes[token] ?? 0) & bit) !== 0,
  };
}
