import { posix } from "node:path";

/** The nearest folders above some files that are packages; `.` is the topmost one, which counts as a package. */
export function packageFolders(paths: readonly string[], isPackage: (folder: string) => boolean): string[] {
  return [...new Set(paths.map((path) => packageFolder(path, isPackage)))];
}

export function packageFolder(path: string, isPackage: (folder: string) => boolean): string {
  let at = posix.dirname(path);
  while (at !== "." && at !== "/" && !isPackage(at)) at = posix.dirname(at);
  return at;
}
