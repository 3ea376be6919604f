import type { ImportedName } from "../model/symbol.ts";

/** Creates an import with the lines of its statement; a single-line import has no end line. */
export function importedName(source: string, line: number, lineEnd: number): ImportedName {
  return lineEnd > line ? { source, line, lineEnd } : { source, line };
}
