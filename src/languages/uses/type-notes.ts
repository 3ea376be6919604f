import type { AssignedMember, DefinitionType, TypeFacts, TypeOrigin, TypeSource } from "../../model/use.ts";

/**
 * Where the tokens show the type of a value, as a number, so that a text with many variables creates no objects: the
 * token of the name, how it shows the type, and whether the variable keeps the type when it is assigned again. 0 if
 * nothing shows it.
 */
export type TokenSource = number;

const ORIGINS: readonly TypeOrigin[] = [
  "type",
  "applied",
  "promise",
  "value",
  "awaited",
  "entered",
  "created",
  "language",
  "own",
];
const CODES_PER_TOKEN = 32;

/** Returns the source whose type the name at a token shows. */
export function sourceAt(token: number, origin: TypeOrigin): TokenSource {
  return (token + 1) * CODES_PER_TOKEN + ORIGINS.indexOf(origin) * 2;
}

/** The type is one of the language, such as that of a string. */
export const OF_LANGUAGE: TokenSource = sourceAt(0, "language");
/** The type is that of the object itself, or is written at the definition. */
export const OWN: TokenSource = sourceAt(0, "own");

/** Returns the source for a variable that keeps its type, because the type is declared or the variable is a constant. */
export function fixed(source: TokenSource): TokenSource {
  return source === 0 ? 0 : source | 1;
}

export function isFixed(source: TokenSource): boolean {
  return (source & 1) === 1;
}

export function originOf(source: TokenSource): TypeOrigin {
  return ORIGINS[(source % CODES_PER_TOKEN) >> 1] ?? "own";
}

/** Returns the same source with another way in which it shows the type. */
export function withOrigin(source: TokenSource, origin: TypeOrigin): TokenSource {
  return sourceAt(tokenOf(source), origin);
}

export function tokenOf(source: TokenSource): number {
  return Math.floor(source / CODES_PER_TOKEN) - 1;
}

/** What is found out about the types of values before the uses of a text are listed. */
export interface TypeNotes {
  /** By the position of the definition in the outline. */
  readonly definitions: Map<number, { readonly source: TokenSource; readonly isResult: boolean }>;
  /** By the position of the type in the outline and the name of the member. 0 if assignments differ. */
  readonly members: Map<number, Map<string, TokenSource>>;
  /** The type of which a key is a member, by the token of the key. */
  readonly keys: Map<number, TokenSource>;
  /** The type of a name that a pattern binds, by its token; 0 if nothing shows it. */
  readonly inPatterns: Map<number, TokenSource>;
}

export function createTypeNotes(): TypeNotes {
  return { definitions: new Map(), members: new Map(), keys: new Map(), inPatterns: new Map() };
}

/** A local variable; its source is 0 as soon as it may get a value of another type. */
export interface TypedVariable {
  readonly source: TokenSource;
}

/** No text has so many uses. */
const FIRST_VARIABLE = 2 ** 31;
/** Number of variables that get their value from each other: `const a = b`. */
const MAX_VARIABLES = 8;

/** Returns the source of the type of `await a`, given that of `a`. */
function awaited({ origin, use }: TypeSource): TypeSource {
  if (origin === "promise") return { origin: "applied", use };
  return { origin: origin === "value" ? "awaited" : origin, use };
}

/** Notes of a text the tokens that show the types of receivers, and turns tokens into positions of uses. */
export class ReceiverTypes {
  /** For each token, the position of its use, counted from 1, or FIRST_VARIABLE and the position of a variable. */
  #positions = new Uint32Array(8_192);
  readonly #uses: number[] = [];
  readonly #sources: (TokenSource | TypedVariable)[] = [];
  /** The variables whose type shows, by the order in which tokens name them. */
  readonly #variables: TypedVariable[] = [];
  /** The names of members and of other than local variables that are assigned again. */
  readonly #assigned = new Set<string>();

  begin(count: number): void {
    if (this.#positions.length < count) this.#positions = new Uint32Array(count * 2);
    else this.#positions.fill(0, 0, count);
    this.#uses.length = 0;
    this.#sources.length = 0;
    this.#variables.length = 0;
    this.#assigned.clear();
  }

  /** Notes that the token is the use at a position. */
  setPosition(token: number, position: number): void {
    this.#positions[token] = position + 1;
  }

  /** Notes that the token names a local variable, which is no use. */
  setVariable(token: number, variable: TypedVariable): void {
    this.#positions[token] = FIRST_VARIABLE + this.#variables.push(variable) - 1;
  }

  /** Notes that a statement gives another value to a member or to what a name refers to outside of functions. */
  assign(name: string): void {
    this.#assigned.add(name);
  }

  /** Returns the variable that a token names, if its type shows. */
  variableAt(token: number): TypedVariable | undefined {
    return this.#variables[(this.#positions[token] ?? 0) - FIRST_VARIABLE];
  }

  /** Notes the source of the type of what is before the member at a position; a variable has it if it keeps it. */
  add(position: number, source: TokenSource | TypedVariable | undefined): void {
    if (source === undefined || source === 0) return;
    this.#uses.push(position);
    this.#sources.push(source);
  }

  /** Returns the types of the text; undefined if it shows none. */
  finish(
    { definitions, members }: TypeNotes,
    symbols: readonly { readonly name: string }[],
  ): TypeFacts | undefined {
    const receivers = new Map<number, TypeSource>();
    for (const [at, position] of this.#uses.entries()) {
      const noted = this.#sources[at] ?? 0;
      const source = this.#resolve(typeof noted === "number" ? noted : noted.source);
      if (source !== undefined) receivers.set(position, source);
    }
    const types = new Map<number, DefinitionType>();
    for (const [symbol, { source, isResult }] of definitions) {
      const isKept = isFixed(source) || !this.#assigned.has(symbols[symbol]?.name ?? "");
      const found = isKept ? this.#resolve(source) : undefined;
      if (found !== undefined) types.set(symbol, { ...found, isResult });
    }
    const assigned: AssignedMember[] = [];
    for (const [owner, names] of members)
      for (const [name, source] of names) {
        const found = this.#resolve(source);
        if (found !== undefined) assigned.push({ owner, name, ...found });
      }
    return receivers.size + types.size + assigned.length === 0
      ? undefined
      : { receivers, definitions: types, members: assigned };
  }

  #resolve(source: TokenSource, steps = 0): TypeSource | undefined {
    if (source === 0 || steps > MAX_VARIABLES) return undefined;
    const origin = originOf(source);
    if (origin === "language" || origin === "own") return { origin, use: 0 };
    const token = tokenOf(source);
    const position = this.#positions[token] ?? 0;
    if (position > 0 && position < FIRST_VARIABLE) return { origin, use: position - 1 };
    const variable = this.variableAt(token);
    if (variable === undefined || (origin !== "value" && origin !== "awaited")) return undefined;
    const held = this.#resolve(variable.source, steps + 1);
    return origin === "value" || held === undefined ? held : awaited(held);
  }
}
