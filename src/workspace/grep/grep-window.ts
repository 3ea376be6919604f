import type { FileMatches, GrepLine, GrepPlace, GrepResult } from "../../model/grep-result.ts";
import { firstMatches } from "./grep-matches.ts";

export interface WindowQuestion {
  /** Where earlier replies ended, in rows; or how many matches the caller wants to skip. */
  readonly from: { readonly rows: number } | { readonly matches: number };
  readonly maxMatches: number;
  readonly afterLines: number;
}

export interface GrepWindow {
  /** The rows of the window; the counts are still those of the whole search. */
  readonly result: GrepResult;
  readonly before: GrepPlace;
}

/**
 * The next matches with all their context, after those of earlier replies. A row is a line of a file, a match or context;
 * in the outputs without lines it is a file. The rows of a search keep their order however many matches are asked for, so
 * a number of rows is a place to go on from, also in the middle of a context.
 */
export function windowOf(result: GrepResult, question: WindowQuestion): GrepWindow {
  const { from, maxMatches, afterLines } = question;
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

/** How many rows the first matches take, with the context that belongs to them. */
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
