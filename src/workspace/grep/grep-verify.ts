import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { contains } from "../../kernel/files/opened-path.ts";
import { readSmallFile } from "../../kernel/files/small-file.ts";
import type { FileMatches, GrepResult } from "../../model/grep-result.ts";
import { decodeText } from "./grep-text.ts";

/** Maximum size of a file whose lines are compared. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** The longest tick of a file system's clock: usually at most 10 ms, but up to two seconds if it has whole seconds only. */
const FINE_TICK_MS = 20;
const COARSE_TICK_MS = 2_000;

/**
 * Finds the files of a result that may have been replaced while ripgrep read them. Ripgrep opens files by their paths,
 * and another process can replace a folder of a path by a symbolic link that leads out of the workspace, even for an
 * instant. That changes the time of the folder around it, which programs cannot set. `startedAt` is the time before the
 * search.
 */
export function findSuspects(
  files: readonly FileMatches[],
  cwd: string,
  startedAt: number,
): Set<FileMatches> {
  const known = new Map<string, boolean>();
  const isStable = (folder: string): boolean => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const above = dirname(folder);
    const isAsBefore = wasUnchanged(folder, startedAt);
    const stable = isAsBefore && (folder === cwd || !contains(cwd, above) || isStable(above));
    known.set(folder, stable);
    return stable;
  };
  return new Set(files.filter(({ path }) => !isStable(dirname(resolve(cwd, path)))));
}

function wasUnchanged(folder: string, startedAt: number): boolean {
  try {
    const stats = lstatSync(folder);
    const tick = stats.ctimeMs % 1_000 === 0 ? COARSE_TICK_MS : FINE_TICK_MS;
    return stats.isDirectory() && stats.ctimeMs + tick < startedAt;
  } catch (error) {
    // The folder was removed since the search.
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

/** Tests whether the lines of a search are in the file inside the workspace that its path names. */
function isVerified({ path, lines }: FileMatches, cwd: string): boolean {
  const read = readSmallFile(diskPathOf(resolve(cwd, path)), { within: cwd, maxBytes: MAX_FILE_BYTES });
  if ("refused" in read) return false;
  const { text } = decodeText(read.bytes);
  return lines.every((line) => text.includes(line.text));
}

/** Finds the real name of a file that is not valid UTF-8, of which a result shows replacement characters. */
function diskPathOf(path: string): string | Buffer {
  const name = basename(path);
  if (!name.includes("\uFFFD")) return path;
  try {
    const names = readdirSync(dirname(path), { encoding: "buffer" });
    const real = names.find((bytes) => bytes.toString("utf8") === name);
    return real === undefined ? path : Buffer.concat([Buffer.from(`${dirname(path)}/`), real]);
  } catch (error) {
    // The folder was removed since the search, so the file cannot be read either.
    if (errnoOf(error) === undefined) throw error;
    return path;
  }
}

/** Removes files from a result whose lines may come from outside the workspace. They count as unreadable. */
export function dropForeignLines(result: GrepResult, cwd: string, startedAt: number): GrepResult {
  const suspects = findSuspects(result.files, cwd, startedAt);
  const foreign = new Set([...suspects].filter((file) => !isVerified(file, cwd)));
  return withoutFiles(result, foreign);
}

export function withoutFiles(result: GrepResult, dropped: ReadonlySet<FileMatches>): GrepResult {
  if (dropped.size === 0) return result;
  const matchesIn = ({ lines, count }: FileMatches): number =>
    count ?? lines.filter(({ isMatch }) => isMatch).length;
  const gone = [...dropped].reduce((sum, file) => sum + matchesIn(file), 0);
  const { skipped } = result;
  return {
    ...result,
    files: result.files.filter((file) => !dropped.has(file)),
    shown: result.shown - (result.output === "lines" ? gone : dropped.size),
    matchedFiles: result.matchedFiles - dropped.size,
    ...(result.matchedLines !== undefined && { matchedLines: result.matchedLines - gone }),
    skipped: { ...skipped, unreadable: skipped.unreadable + dropped.size },
  };
}
