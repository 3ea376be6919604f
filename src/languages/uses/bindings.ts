/** The ranges of tokens in which names are bound by parameters, local variables or local definitions. */
export interface Bindings {
  /** Binds a name from one token up to and including another one. */
  bind(name: string, from: number, to: number, isDefinition?: boolean): void;
  /**
   * Creates the function that tells how a name is bound at a token. It must be called with tokens in ascending order.
   */
  lookUp(): (name: string, token: number) => "free" | "variable" | "definition";
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly isDefinition: boolean;
}

export function createBindings(): Bindings {
  const ranges = new Map<string, Range[]>();
  return {
    bind(name, from, to, isDefinition = false) {
      const known = ranges.get(name);
      if (known === undefined) ranges.set(name, [{ from, to, isDefinition }]);
      else known.push({ from, to, isDefinition });
    },
    lookUp() {
      const states = new Map<string, { next: number; variableEnd: number; definitionEnd: number }>();
      for (const list of ranges.values()) list.sort((a, b) => a.from - b.from);
      return (name, token) => {
        const list = ranges.get(name);
        if (list === undefined) return "free";
        const state = states.get(name) ?? { next: 0, variableEnd: -1, definitionEnd: -1 };
        states.set(name, state);
        for (
          let range = list[state.next];
          range !== undefined && range.from <= token;
          range = list[state.next]
        ) {
          if (range.isDefinition) state.definitionEnd = Math.max(state.definitionEnd, range.to);
          else state.variableEnd = Math.max(state.variableEnd, range.to);
          state.next++;
        }
        if (state.definitionEnd >= token) return "definition";
        return state.variableEnd >= token ? "variable" : "free";
      };
    },
  };
}
