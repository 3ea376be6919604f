import type { ImportedName } from "../model/symbol.ts";

/** Creates an import with the first and last line of its statement; an import on a single line has no last line. */
export function importedName(source: string, line: number, lineEnd: number): ImportedName {
  return lineEnd > line ? { source, line, lineEnd } : { source, line };
}
