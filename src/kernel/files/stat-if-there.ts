import { statSync, type Stats } from "node:fs";

/** Returns what a path leads to; undefined if that is nothing, as for a link to itself, or cannot be reached. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // The path leads through a loop of links or a file, or into a folder without access: nothing can be read there.
    return undefined;
  }
}
