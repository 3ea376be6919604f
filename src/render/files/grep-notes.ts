import { pluralize } from "../../kernel/pluralize.ts";
import type { GrepResult } from "../../model/grep-result.ts";

/** Names the paths that do not exist. */
export function missingNote(paths: readonly string[]): string {
  return `[not found: ${listPaths(paths)}]`;
}

/** The most paths that a note lists; further ones are only counted. */
const MAX_LISTED_PATHS = 5;

/** The first paths of a list and the number of the others. */
export function listPaths(paths: readonly string[]): string {
  const more = paths.length - MAX_LISTED_PATHS;
  return `${paths.slice(0, MAX_LISTED_PATHS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Says what was searched and what was not, for a reply without matches. */
export function describeSearched({
  searchedFiles,
  skipped: { binary = 0, tooLarge = 0, unreadable },
}: GrepResult): string {
  const left = (
    [
      [binary, "binary"],
      [tooLarge, "too large"],
      [unreadable, "unreadable"],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, why]) => `${count} ${why}`);
  const files = searchedFiles === undefined ? "" : ` in ${pluralize(searchedFiles, "file")}`;
  return `${files}; not searched: ${[...left, "ignored files"].join(", ")}`;
}
