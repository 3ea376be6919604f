import { extname } from "node:path";
import type { FileVersions } from "./file-versions.ts";

/** Share of equal lines from which a removed file and an added one are the same; git uses the same share. */
const MIN_SHARED_LINES = 0.5;
/** Upper bound on the pairs that are compared, so that a change of thousands of files stays fast. */
const MAX_PAIRS = 2_000;

/**
 * Joins removed files with added ones of mostly the same lines. Git does this for tracked files, but a file that was
 * moved in the working tree is untracked at its new place.
 */
export function pairRenames(files: readonly FileVersions[]): readonly FileVersions[] {
  const removed = files.filter(({ was, is }) => was?.text !== undefined && is === undefined);
  const added = files.filter(({ was, is }) => was === undefined && is?.text !== undefined);
  if (removed.length === 0 || added.length === 0 || removed.length * added.length > MAX_PAIRS) return files;
  const scored = removed
    .flatMap((from) => added.map((to) => ({ from, to, share: sharedLines(from, to) })))
    .filter(({ share }) => share >= MIN_SHARED_LINES)
    .toSorted((a, b) => b.share - a.share);
  const partners = new Map<FileVersions, FileVersions>();
  const taken = new Set<FileVersions>();
  for (const { from, to } of scored) {
    if (taken.has(from) || partners.has(to)) continue;
    taken.add(from);
    partners.set(to, from);
  }
  return files
    .filter((file) => !taken.has(file))
    .map((file) => {
      const from = partners.get(file);
      return from?.was === undefined ? file : { ...file, oldPath: from.path, was: from.was };
    });
}

function sharedLines({ path: oldPath, was }: FileVersions, { path, is }: FileVersions): number {
  if (extname(oldPath) !== extname(path)) return 0;
  const lines = linesOf(is?.text);
  const counts = new Map<string, number>();
  for (const line of linesOf(was?.text)) counts.set(line, (counts.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of lines) {
    const count = counts.get(line) ?? 0;
    if (count === 0) continue;
    counts.set(line, count - 1);
    shared++;
  }
  return shared / Math.max(1, lines.length, linesOf(was?.text).length);
}

function linesOf(text = ""): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}
