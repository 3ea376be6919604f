import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { openedPath } from "../../kernel/files/opened-path.ts";

/** A folder with the numbers by which the system knows it, whatever is at its path later. */
export interface PinnedFolder {
  readonly path: string;
  /** The device and the number on it, as `stat -Lc %d:%i` prints them. */
  readonly identity: string;
}

/**
 * Opens a folder whose path is free of symbolic links. Returns undefined if there is a link now: a command that runs in
 * the workspace at the same time can replace a folder there by one.
 */
export function pinFolder(path: string): PinnedFolder | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    if (openedPath(file) !== path) return undefined;
    const { dev, ino } = fstatSync(file, { bigint: true });
    return { path, identity: `${dev}:${ino}` };
  } finally {
    closeSync(file);
  }
}

/** Ends with an error unless each path before the word `--` is the folder it is meant to be; then runs the rest. */
const CHECK = `stat=$1; shift; while case $1 in --) shift; exec "$@";; esac; do
case $("$stat" -Lc %d:%i -- "$1") in "$2") shift 2;; *) echo "$1 was replaced while the sandbox was made" >&2; exit 126;; esac
done`;

/**
 * The words that check folders inside of a sandbox before the command begins. Bubblewrap looks them up by their paths,
 * and only what it has mounted cannot be replaced any more.
 */
export function checkFolders(stat: string, folders: readonly PinnedFolder[]): string[] {
  // The shell names itself in its complaint about a command that does not exist, so its name is not that of stat.
  return [
    "/bin/sh",
    "-c",
    CHECK,
    "sh",
    stat,
    ...folders.flatMap(({ path, identity }) => [path, identity]),
    "--",
  ];
}
