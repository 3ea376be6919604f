import { groupBy } from "../../kernel/group-by.ts";
import { isTestFile, subjectStem } from "./test-file.ts";

/**
 * Returns a function that tells what a file of the history is called now, if it was moved since then: the file
 * of the same name, without its ending and what marks a test, whose folders have most in common with the old ones. Git
 * would compare contents to find moves, which takes too long for thousands of commits. Files outside of `folder` stay as
 * they are, since `files` does not list them.
 */
export function followMoves({
  folder,
  files,
}: {
  readonly folder: string;
  readonly files: readonly string[];
}): (path: string) => string {
  const byName = groupBy(files, keyOf);
  const present = new Set(files);
  const known = new Map<string, string>();
  return (path) => {
    if (present.has(path) || !path.startsWith(folder)) return path;
    const before = known.get(path);
    if (before !== undefined) return before;
    const now = nearest(path, byName.get(keyOf(path)) ?? []) ?? path;
    known.set(path, now);
    return now;
  };
}

function keyOf(path: string): string {
  return `${isTestFile(path) ? "test" : "code"} ${subjectStem(path)}`;
}

/** The path that shares most folders with another, counted from the file; undefined if two do, or none of several. */
function nearest(path: string, candidates: readonly string[]): string | undefined {
  if (candidates.length > MAX_CANDIDATES) return undefined;
  const folders = foldersOf(path);
  const shared = candidates.map((one) => commonFolders(folders, foldersOf(one)));
  const most = Math.max(...shared);
  const best = candidates.filter((_, at) => shared[at] === most);
  return best.length === 1 && (most > 0 || candidates.length === 1) ? best[0] : undefined;
}

/** A name that so many files have says nothing about any of them. */
const MAX_CANDIDATES = 20;

function foldersOf(path: string): string[] {
  return path.split("/").slice(0, -1);
}

function commonFolders(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}
