import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A marker in a file outside of every workspace of a test; no reply may contain it. */
export const OUTSIDE_TEXT = "text-from-outside";

/** Puts something in the place of a file; returns what to close afterwards. */
type Place = (path: string, outside: string) => Promise<Server> | void;

/** Everything that a repository or another process can put in the place of a file that is read for its meaning. */
export const SPECIAL_KINDS: Readonly<Record<string, Place>> = {
  "link to /dev/zero": (path) => symlinkSync("/dev/zero", path),
  "named pipe": (path) => void execFileSync("mkfifo", [path]),
  "link to a named pipe": (path) => {
    execFileSync("mkfifo", [`${path}.pipe`]);
    symlinkSync(`${path}.pipe`, path);
  },
  folder: (path) => mkdirSync(path),
  socket: async (path) => {
    const server = createServer();
    // The path of a socket may have only 107 bytes, so it is made in its folder.
    await new Promise<void>((resolve) => {
      server.listen(path, resolve);
    });
    return server;
  },
  "huge file": (path) => {
    writeFileSync(path, "# a\n");
    truncateSync(path, 64 * 1024 ** 3);
  },
  "dangling link": (path) => symlinkSync("nowhere", path),
  "link to itself": (path) => symlinkSync(path, path),
  "link out of the workspace": (path, outside) => symlinkSync(outside, path),
  unreadable: (path) => {
    writeFileSync(path, "x");
    chmodSync(path, 0o000);
  },
};

/** Character devices can be made only by root, so this kind is added where that works. */
export function canMakeDevices(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "pith-device-"));
  try {
    execFileSync("mknod", [join(folder, "device"), "c", "1", "5"], { stdio: "ignore" });
    return true;
  } catch {
    // Only the right to make devices is missing.
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Replaces a file by something special. Sockets are closed by the returned function. */
export async function putSpecial(kind: string, path: string, outside: string): Promise<() => void> {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  if (kind === "device") execFileSync("mknod", [path, "c", "1", "5"]);
  const server = await SPECIAL_KINDS[kind]?.(path, outside);
  return () => void server?.close();
}
