import { addToGroup } from "../../kernel/group-by.ts";

/** What binds a name: a parameter or local variable, a local definition, or the parameter for the object itself. */
type BindingKind = "variable" | "definition" | "self";

/** The ranges of tokens in which names are bound by parameters, local variables or local definitions. */
export interface Bindings {
  /** Binds a name from one token up to and including another one. */
  bind(name: string, from: number, to: number, isDefinition?: boolean): void;
  /** Binds the name of the parameter that is the object itself, such as the receiver of a method in Go. */
  bindSelf(name: string, from: number, to: number): void;
  /**
   * Creates the function that tells how a name is bound at a token. It must be called with tokens in ascending order.
   */
  lookUp(): (name: string, token: number) => "free" | BindingKind;
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly kind: BindingKind;
}

/** The last tokens of the ranges that have begun so far; `shadow` is that of variables inside the range of `self`. */
interface Ends {
  next: number;
  variable: number;
  definition: number;
  self: number;
  shadow: number;
}

export function createBindings(): Bindings {
  const ranges = new Map<string, Range[]>();
  return {
    bind: (name, from, to, isDefinition = false) =>
      addToGroup(ranges, name, { from, to, kind: isDefinition ? "definition" : "variable" }),
    bindSelf: (name, from, to) => addToGroup(ranges, name, { from, to, kind: "self" }),
    lookUp() {
      const states = new Map<string, Ends>();
      for (const list of ranges.values()) list.sort((a, b) => a.from - b.from);
      return (name, token) => {
        const list = ranges.get(name);
        if (list === undefined) return "free";
        const ends = states.get(name) ?? { next: 0, variable: -1, definition: -1, self: -1, shadow: -1 };
        states.set(name, ends);
        for (
          let range = list[ends.next];
          range !== undefined && range.from <= token;
          range = list[ends.next]
        ) {
          if (range.kind === "variable" && ends.self >= range.from)
            ends.shadow = Math.max(ends.shadow, range.to);
          ends[range.kind] = Math.max(ends[range.kind], range.to);
          ends.next++;
        }
        if (ends.definition >= token) return "definition";
        if (ends.self >= token && ends.shadow < token) return "self";
        return Math.max(ends.variable, ends.self) >= token ? "variable" : "free";
      };
    },
  };
}
