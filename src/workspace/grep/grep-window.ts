import type { FileMatches, GrepLine, GrepPlace, GrepResult } from "../../model/grep-result.ts";
import { firstMatches } from "./grep-matches.ts";

export interface WindowOptions {
  /** Where the page starts: after the rows that earlier replies have shown, or after a number of matches to skip. */
  readonly from: { readonly rows: number } | { readonly matches: number };
  readonly maxMatches: number;
  readonly afterLines: number;
}

export interface GrepWindow {
  /** The rows of this page; the counts in it refer to the whole search. */
  readonly result: GrepResult;
  readonly before: GrepPlace;
}

/**
 * Returns the next page of matches with their context. A row is a line of a file or, in outputs without lines, a file.
 * The order of rows does not depend on the requested number of matches, so a search can continue from any row, even
 * within the context of a match.
 */
export function windowOf(result: GrepResult, options: WindowOptions): GrepWindow {
  const { from, maxMatches, afterLines } = options;
  const rows = "rows" in from ? from.rows : rowsOfFirst(result.files, from.matches, afterLines);
  const matches = sliceRows(result.files, 0, rows).reduce((sum, file) => sum + matchesIn(file), 0);
  const end = rowsOfFirst(result.files, matches + maxMatches, afterLines);
  return { result: { ...result, files: sliceRows(result.files, rows, end) }, before: { rows, matches } };
}

function rowsIn({ lines }: FileMatches): number {
  return Math.max(1, lines.length);
}

function matchesIn({ lines }: FileMatches): number {
  return lines.length === 0 ? 1 : countMatches(lines);
}

function countMatches(lines: readonly GrepLine[]): number {
  return lines.filter(({ isMatch }) => isMatch).length;
}

/** Counts the rows that the first matches take, including their context. */
function rowsOfFirst(files: readonly FileMatches[], wanted: number, afterLines: number): number {
  let rows = 0;
  let left = wanted;
  for (const file of files) {
    if (left <= 0) break;
    rows += file.lines.length === 0 ? 1 : firstMatches(file.lines, left, afterLines).length;
    left -= matchesIn(file);
  }
  return rows;
}

function sliceRows(files: readonly FileMatches[], start: number, end: number): readonly FileMatches[] {
  let first = 0;
  return files.flatMap((file) => {
    const from = Math.max(0, start - first);
    const to = Math.min(rowsIn(file), end - first);
    first += rowsIn(file);
    return from < to ? [{ ...file, lines: file.lines.slice(from, to) }] : [];
  });
}
