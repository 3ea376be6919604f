import { fstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { errnoOf } from "../errors.ts";

/** Tests whether `path` is the folder `root` or below it. Both must be free of symbolic links. */
export function contains(root: string, path: string): boolean {
  const route = relative(root, path);
  return route === "" || !(route === ".." || route.startsWith(`..${sep}`) || isAbsolute(route));
}

/**
 * Tests whether an open file is inside a folder. The file itself is asked and not its path, because another process may
 * have replaced a folder of the path by a symbolic link before the file was opened, and may have undone that since.
 */
export function isOpenedWithin(file: number, path: string | Buffer, folder: string): boolean {
  const opened = openedPath(file) ?? pathIfUnchanged(file, path);
  if (opened === undefined) return false;
  const root = resolve(folder);
  return opened.startsWith(`${root}${sep}`) || contains(realpathSync(root), opened);
}

/**
 * Returns the real path of an open file or folder, as the system knows it; undefined on systems that do not show it.
 * The path of a file that was deleted since ends with ` (deleted)`.
 */
export function openedPath(file: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${file}`);
  } catch (error) {
    // Without /proc, the path is checked instead.
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Returns the real path if the open file is the one that is there now. */
function pathIfUnchanged(file: number, path: string | Buffer): string | undefined {
  try {
    const real = realpathSync(path, "utf8");
    const [opened, current] = [fstatSync(file, { bigint: true }), statSync(real, { bigint: true })];
    return opened.ino === current.ino && opened.dev === current.dev ? real : undefined;
  } catch (error) {
    // The path was removed or replaced after the file was opened.
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
