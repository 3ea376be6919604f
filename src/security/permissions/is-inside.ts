import { isAbsolute, relative, sep } from "node:path";

/** Checks whether a path is a folder or something in it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}
