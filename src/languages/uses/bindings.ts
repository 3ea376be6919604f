import type { TokenSource } from "./type-notes.ts";

/**
 * What binds a name: a parameter or local variable, a type parameter or the parameter of a macro, a local definition, or the
 * parameter for the object itself.
 */
type BindingKind = "variable" | "type" | "definition" | "self";

/** How a name is bound at a token, and the definition that binds it, as its position in the outline, if it is one. */
export interface Bound {
  readonly kind: "free" | BindingKind;
  readonly symbol: number | undefined;
  /** Where the type of the variable shows; set to 0 as soon as the variable may get a value of another type. */
  source: TokenSource;
}

const FREE: Bound = { kind: "free", symbol: undefined, source: 0 };

interface Range extends Bound {
  readonly from: number;
  readonly to: number;
  readonly kind: BindingKind;
}

/** The ranges in which a name is bound. */
interface BoundName {
  readonly ranges: Range[];
  /** The position in `ranges` of the next one to begin, and the ranges that contain the current token, innermost last. */
  next: number;
  readonly around: Range[];
}

/** The ranges of tokens in which names are bound by parameters, local variables or local definitions. */
export class Bindings {
  readonly #names = new Map<string, BoundName>();

  /**
   * Binds a name from one token up to and including another one. `definition` is the position of the definition in the
   * outline, or true if the name is not that of a variable although the definition is elsewhere.
   */
  bind(
    name: string,
    from: number,
    to: number,
    definition: number | boolean = false,
    source: TokenSource = 0,
  ): void {
    const kind = definition === false ? "variable" : "definition";
    const symbol = typeof definition === "number" ? definition : undefined;
    this.#add(name, { from, to, kind, symbol, source });
  }

  /** Binds the name of the parameter that is the object itself, such as the receiver of a method in Go. */
  bindSelf(name: string, from: number, to: number): void {
    this.#add(name, { from, to, kind: "self", symbol: undefined, source: 0 });
  }

  /** Binds a name that may stand for a type, so that it hides other types, too: a type parameter or the parameter of a macro. */
  bindType(name: string, from: number, to: number): void {
    this.#add(name, { from, to, kind: "type", symbol: undefined, source: 0 });
  }

  #add(name: string, range: Range): void {
    const known = this.#names.get(name);
    if (known === undefined) this.#names.set(name, { ranges: [range], next: 0, around: [] });
    else known.ranges.push(range);
  }

  /** Returns true if what was bound so far binds a name at a token. */
  isBound(name: string, token: number): boolean {
    const ranges = this.#names.get(name)?.ranges ?? [];
    return ranges.some(({ from, to }) => from <= token && token <= to);
  }

  /** Ends binding and prepares looking up. */
  finish(): void {
    for (const { ranges } of this.#names.values()) if (ranges.length > 1) ranges.sort(byBeginning);
  }

  /** Returns how a name is bound at a token. Both look-ups must be called with tokens in ascending order. */
  lookUp(name: string, token: number): Bound {
    return this.#around(name, token).at(-1) ?? FREE;
  }

  /** Returns how a name is bound at a token where the language takes no variable, such as `a` in `a::b`. */
  lookUpNoVariable(name: string, token: number): Bound {
    return this.#around(name, token).findLast(({ kind }) => kind === "type" || kind === "definition") ?? FREE;
  }

  #around(name: string, token: number): readonly Range[] {
    const bound = this.#names.get(name);
    if (bound === undefined) return [];
    const { ranges, around } = bound;
    for (
      let range = ranges[bound.next];
      range !== undefined && range.from <= token;
      range = ranges[++bound.next]
    )
      around.push(range);
    let last = around.at(-1);
    while (last !== undefined && last.to < token) {
      around.pop();
      last = around.at(-1);
    }
    return around;
  }
}

/** Of several bindings in one scope, the last in this order decides. */
const ORDER: Readonly<Record<BindingKind, number>> = { self: 0, variable: 1, type: 2, definition: 3 };

function byBeginning(a: Range, b: Range): number {
  return a.from - b.from || ORDER[a.kind] - ORDER[b.kind];
}
