import type { ImportedName } from "../model/symbol.ts";

/** An import with the lines of its statement. */
export function importedName(source: string, line: number, lineEnd: number): ImportedName {
  return lineEnd > line ? { source, line, lineEnd } : { source, line };
}
