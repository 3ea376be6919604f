/** A definition found by a reference program. */
export interface Truth {
  readonly name: string;
  readonly line: number;
  /** Kind in the terms of that program. */
  readonly kind: string;
  /** True for symbols that Pith need not find, but may. */
  readonly isOptional?: boolean;
  /** Names of the enclosing definitions, joined as in that program. */
  readonly scope?: string;
  /** True for definitions inside a function. */
  readonly isLocal?: boolean;
}

/** Definitions by file. */
export type TruthByFile = ReadonlyMap<string, readonly Truth[]>;

export function addTruth(all: Map<string, Truth[]>, file: string, truth: Truth): void {
  const list = all.get(file);
  if (list === undefined) all.set(file, [truth]);
  else list.push(truth);
}

/**
 * Parses a program's output with one file per line: `[path, [[name, line, kind, isOptional, scope, isLocal]…]]`, the
 * last two if known.
 */
export function truthFrom(lines: string): Map<string, Truth[]> {
  const found = new Map<string, Truth[]>();
  for (const line of lines.split("\n")) {
    if (line === "") continue;
    const [path, names]: [string, [string, number, string, boolean, string?, boolean?][]] = JSON.parse(line);
    found.set(
      path,
      names.map(([name, at, kind, isOptional, scope = "", isLocal = false]) => ({
        name,
        line: at,
        kind,
        isOptional,
        ...(scope !== "" && { scope }),
        isLocal,
      })),
    );
  }
  return found;
}
