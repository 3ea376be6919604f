import { realpathSync, statSync } from "node:fs";
import { opendir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { MAX_SMALL_FILE_BYTES } from "../../kernel/files/small-file.ts";

/** Files with rules that a program reads by itself in every folder of a tree. */
export const RULE_FILES = {
  git: [".gitignore", ".gitattributes", ".gitmodules"],
  ripgrep: [".gitignore", ".ignore", ".rgignore"],
} as const;
/** Time after which a program is suspected to hang, and the rule files of its tree are looked at. */
const SUSPECT_AFTER_MS = 1_500;
/** Files that the kernel makes up when they are read. Each of them looks like an empty file. */
const KERNEL_FILE = /^\/(?:proc|sys)\//;
/** Upper bound on the folders that are searched for rule files. */
const MAX_FOLDERS = 100_000;

/**
 * Tests whether a program would hang or run out of memory if it read this file: a named pipe, a device, a file of the
 * kernel such as `/proc/kmsg`, or one that is far too large. A repository can have such a file, or a link to one, in the place of any rule file.
 */
export function isHarmful(path: string, maxBytes = MAX_SMALL_FILE_BYTES): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    if (stats.isFIFO() || stats.isCharacterDevice() || stats.isBlockDevice()) return true;
    if (!stats.isFile()) return false;
    return stats.size > maxBytes || (stats.size === 0 && KERNEL_FILE.test(realpathSync(path)));
  } catch (error) {
    // A file that cannot be looked at, such as a loop of links, cannot be read either.
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

/** Finds a harmful file in a folder or in a folder above it. This is fast enough to do before each search. */
export function harmfulFileAbove(folder: string, names: readonly string[]): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = names.map((name) => join(at, name)).find((path) => isHarmful(path));
    if (found !== undefined || dirname(at) === at) return found;
  }
}

/** Searches a whole tree for a harmful rule file, to explain why a program that reads the tree does not end. */
export async function findHarmfulRuleFile(
  root: string,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  const pending = [root];
  for (let searched = 0; searched < MAX_FOLDERS; searched++) {
    const folder = pending.pop();
    if (folder === undefined || signal?.aborted === true) return undefined;
    try {
      for await (const entry of await opendir(folder)) {
        const path = join(folder, entry.name);
        if (names.includes(entry.name) && isHarmful(path)) return path;
        if (entry.isDirectory() && entry.name !== ".git") pending.push(path);
      }
    } catch (error) {
      // A folder that was removed or is not readable is not searched by other programs either.
      if (errnoOf(error) === undefined) throw error;
    }
  }
  return undefined;
}

/** Thrown if a program was ended because it would never have finished reading a rule file. */
export class HarmfulRuleFileError extends Error {
  override readonly name = "HarmfulRuleFileError";
}

/**
 * Runs a program that reads a tree with its rule files. If it takes long, they are looked at, and if one is harmful, the
 * program is ended through the signal and a `HarmfulRuleFileError` is thrown.
 */
export async function withRuleFileWatch<T>(
  { root, names, signal }: { root: string; names: readonly string[]; signal?: AbortSignal | undefined },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const harmful = new AbortController();
  const look = async (): Promise<void> => {
    const found = await findHarmfulRuleFile(root, names, harmful.signal);
    if (found !== undefined) harmful.abort(new HarmfulRuleFileError(found));
  };
  const timer = setTimeout(() => void look(), SUSPECT_AFTER_MS);
  try {
    return await run(signal === undefined ? harmful.signal : AbortSignal.any([signal, harmful.signal]));
  } catch (error) {
    if (harmful.signal.reason instanceof HarmfulRuleFileError) throw harmful.signal.reason;
    throw error;
  } finally {
    clearTimeout(timer);
    // A look that is still under way is not needed any more.
    harmful.abort();
  }
}
