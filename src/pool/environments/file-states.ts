import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { forEachYielding } from "../../kernel/for-each-yielding.ts";

/**
 * What shows whether files were changed, by their relative paths; a folder comes before what is in it. A program can
 * set any time of a file but that of its last change.
 */
export type FileStates = ReadonlyMap<string, string>;

/** Reads the states of some paths and of everything below them. */
export async function readStates(folder: string, entries: readonly string[]): Promise<FileStates> {
  const states = new Map<string, string>();
  await forEachYielding(walk(folder, entries), ([path, stats]) => states.set(path, stateOf(stats)));
  return states;
}

function* walk(folder: string, entries: readonly string[]): Generator<readonly [string, BigIntStats]> {
  for (const path of entries) {
    const stats = lstatSync(join(folder, path), { bigint: true });
    yield [path, stats];
    if (!stats.isDirectory()) continue;
    const names = readdirSync(join(folder, path));
    yield* walk(
      folder,
      names.map((name) => posix.join(path, name)),
    );
  }
}

/** The times of a folder change with the names in it, so only its mode counts. */
function stateOf(stats: BigIntStats): string {
  const { mode, size, ino, ctimeNs, mtimeNs } = stats;
  return stats.isDirectory() ? String(mode) : [mode, size, ino, ctimeNs, mtimeNs].join(" ");
}
