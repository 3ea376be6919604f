/** A definition that another program found, by its name and its line. */
export interface Truth {
  readonly name: string;
  readonly line: number;
  /** In that program's words. */
  readonly kind: string;
  /** Known to it, but no definition in Pith's sense: it excuses a symbol, and is not asked for. */
  readonly isOptional?: boolean;
  /** The names around it, joined as that program joins them. */
  readonly scope?: string;
  /** Inside a function: nothing that somebody elsewhere asks for. */
  readonly isLocal?: boolean;
}

/** What a program found, by file. */
export type TruthByFile = ReadonlyMap<string, readonly Truth[]>;

/** Adds to a file's list. */
export function addTruth(all: Map<string, Truth[]>, file: string, truth: Truth): void {
  const list = all.get(file);
  if (list === undefined) all.set(file, [truth]);
  else list.push(truth);
}

/** Reads what a program printed, a file a line: `[path, [[name, line, kind, isOptional, scope, isLocal]…]]`, the last two if known. */
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
