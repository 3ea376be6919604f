import { join, sep } from "node:path";

/**
 * A path in a git tree as a string with one character per byte and forward slashes. File names need not be UTF-8, and
 * such strings sort by bytes, as git sorts names.
 */
export type BytePath = string;

export function bytePath(bytes: Buffer): BytePath {
  return bytes.toString("latin1");
}

/** Decodes a path for display; bytes that are not UTF-8 become replacement characters. */
export function readablePath(path: BytePath): string {
  return isAscii(path) ? path : Buffer.from(path, "latin1").toString("utf8");
}

/** Returns the location of a path on disk, in a form that node:fs accepts. */
export function diskPath(root: string, path: BytePath): string | Buffer {
  if (isAscii(path)) return `${root}/${path}`;
  if (sep === "\\") return join(root, readablePath(path));
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

/** Returns the path of the folder that contains a path; for the top level it is the empty string. */
export function folderOf(path: BytePath): BytePath {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

function isAscii(path: BytePath): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(path);
}
