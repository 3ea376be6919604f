import type { FileOutline, NestedImport } from "../../model/index-report.ts";
import type { CodeSymbol, SymbolKind } from "../../model/symbol.ts";

/**
 * An entry of a file's outline: a definition or an import. `parent` is the index of the enclosing entry in the same
 * list.
 */
export interface OutlineEntry extends Omit<CodeSymbol, "kind"> {
  readonly kind: SymbolKind | "use";
}

/** The definitions and imports of a file as entries of its outline, in source order and parents before children. */
export function entriesOf({ symbols, imports }: FileOutline): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  const places: number[] = [];
  let next = 0;
  const addImports = (before: number): void => {
    for (let found = imports[next]; found !== undefined && found.line < before; found = imports[++next])
      entries.push(withParent(useEntry(found), found.parent, places));
  };
  for (const symbol of symbols) {
    addImports(symbol.lineStart);
    places.push(entries.push(withParent(symbol, symbol.parent, places)) - 1);
  }
  addImports(Number.POSITIVE_INFINITY);
  return entries;
}

function useEntry({ source, line, lineEnd }: NestedImport): OutlineEntry {
  return {
    kind: "use",
    name: source,
    qualifiedName: source,
    signature: "",
    lineStart: line,
    lineEnd: lineEnd ?? line,
  };
}

/** Replaces the index of the parent among the symbols by its index among the entries of the outline. */
function withParent(
  entry: OutlineEntry,
  parent: number | undefined,
  places: readonly number[],
): OutlineEntry {
  const { parent: _before, ...own } = entry;
  const place = parent === undefined ? undefined : places[parent];
  return place === undefined ? own : { ...own, parent: place };
}

/**
 * The most characters of import names in an outline. They are only a hint; the line numbers beside them lead to all
 * imports.
 */
const MAX_NAMES_LENGTH = 100;

/**
 * The imports of a file in one line, such as `imports 1-9: node:fs, ./cache (+3)`; nothing for a file without imports.
 */
export function importsLine({ imports }: FileOutline): string[] {
  const outer = imports.filter(({ parent }) => parent === undefined);
  const listed = outer.length > 0 ? outer : imports;
  const first = listed[0];
  if (first === undefined) return [];
  const last = listed.reduce((line, one) => Math.max(line, one.lineEnd ?? one.line), first.line);
  const names = new Set(listed.map(({ source }) => source));
  const shown: string[] = [];
  let length = 0;
  for (const name of names) {
    length += name.length + 2;
    if (length > MAX_NAMES_LENGTH) break;
    shown.push(name);
  }
  const all = new Set(imports.map(({ source }) => source)).size;
  const more = all > shown.length ? [`(+${all - shown.length})`] : [];
  const lines = last > first.line ? `${first.line}-${last}` : `${first.line}`;
  return [[`imports ${lines}:`, ...(shown.length > 0 ? [shown.join(", ")] : []), ...more].join(" ")];
}
