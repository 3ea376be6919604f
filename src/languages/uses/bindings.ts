import { addToGroup } from "../../kernel/group-by.ts";

/** What binds a name: a parameter or local variable, a local definition, or the parameter for the object itself. */
type BindingKind = "variable" | "definition" | "self";

/** How a name is bound at a token, and the definition that binds it, as its position in the outline, if it is one. */
export interface Bound {
  readonly kind: "free" | BindingKind;
  readonly symbol?: number;
}

const FREE: Bound = { kind: "free" };

/** The ranges of tokens in which names are bound by parameters, local variables or local definitions. */
export interface Bindings {
  /**
   * Binds a name from one token up to and including another one. `definition` is the position of the definition in the
   * outline, or true if the name is not that of a variable although the definition is elsewhere.
   */
  bind(name: string, from: number, to: number, definition?: number | boolean): void;
  /** Binds the name of the parameter that is the object itself, such as the receiver of a method in Go. */
  bindSelf(name: string, from: number, to: number): void;
  /**
   * Creates the function that tells how a name is bound at a token. It must be called with tokens in ascending order.
   */
  lookUp(): (name: string, token: number) => Bound;
}

interface Range extends Bound {
  readonly from: number;
  readonly to: number;
  readonly kind: BindingKind;
}

/** The ranges of a name that contain a token, the innermost last, and the next one to begin. */
interface Open {
  next: number;
  readonly around: Range[];
}

export function createBindings(): Bindings {
  const ranges = new Map<string, Range[]>();
  return {
    bind: (name, from, to, definition = false) =>
      addToGroup(
        ranges,
        name,
        typeof definition === "number"
          ? { from, to, kind: "definition", symbol: definition }
          : { from, to, kind: definition ? "definition" : "variable" },
      ),
    bindSelf: (name, from, to) => addToGroup(ranges, name, { from, to, kind: "self" }),
    lookUp() {
      const states = new Map<string, Open>();
      for (const list of ranges.values())
        list.sort((a, b) => a.from - b.from || ORDER[a.kind] - ORDER[b.kind]);
      return (name, token) => {
        const list = ranges.get(name);
        if (list === undefined) return FREE;
        const open = states.get(name) ?? { next: 0, around: [] };
        states.set(name, open);
        const { around } = open;
        for (
          let range = list[open.next];
          range !== undefined && range.from <= token;
          range = list[++open.next]
        )
          around.push(range);
        while ((around.at(-1)?.to ?? token) < token) around.pop();
        return around.at(-1) ?? FREE;
      };
    },
  };
}

/** Of several bindings in one scope, the last in this order decides. */
const ORDER: Readonly<Record<BindingKind, number>> = { self: 0, variable: 1, definition: 2 };
