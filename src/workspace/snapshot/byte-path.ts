import { join, sep } from "node:path";

/**
 * A path of a git tree: one character for each byte, forward slashes. File names need not be UTF-8, and git orders
 * names by bytes, which is the order of such strings.
 */
export type BytePath = string;

export function bytePath(bytes: Buffer): BytePath {
  return bytes.toString("latin1");
}

/** What a person reads; bytes that are no UTF-8 become replacement characters. */
export function readablePath(path: BytePath): string {
  return isAscii(path) ? path : Buffer.from(path, "latin1").toString("utf8");
}

/** Where the path is on the disk, in a form that node:fs takes. */
export function placeOf(root: string, path: BytePath): string | Buffer {
  if (isAscii(path)) return `${root}/${path}`;
  if (sep === "\\") return join(root, readablePath(path));
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

/** The folder of a path; the top is the empty string. */
export function folderOf(path: BytePath): BytePath {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

function isAscii(path: BytePath): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(path);
}
