import { lstatSync, realpathSync } from "node:fs";
import { readSmallText } from "../../kernel/files/small-file.ts";

/** A line ends with the path of the socket, which is absent if it has none, and begins with @ if it is not a file. */
const SOCKET_LINE = /^[0-9a-f]+: (?:[0-9A-F]+ ){5} *\d+ (\/.*)$/gm;
const MAX_LIST_BYTES = 16 * 1024 * 1024;

/**
 * The files of this machine's sockets. A folder that cannot be changed does not keep anybody from connecting to a
 * socket in it, and the programs that listen there act outside of the sandbox.
 */
export function socketFiles(list = "/proc/net/unix"): string[] {
  const text = readSmallText(list, { maxBytes: MAX_LIST_BYTES }) ?? "";
  const paths = [...text.matchAll(SOCKET_LINE)].flatMap(([, path = ""]) => realSocket(path) ?? []);
  return [...new Set(paths)];
}

/** The path without links: a program may name /var/run, which is a link on most systems, and bubblewrap follows none. */
function realSocket(path: string): string | undefined {
  try {
    return lstatSync(path).isSocket() ? realpathSync(path) : undefined;
  } catch {
    // It is a socket of another container, or in a folder that this user, and so the command, cannot enter.
    return undefined;
  }
}
