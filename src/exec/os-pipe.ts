import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** The two ends of a pipe; the writing one is for a child, and to be closed here once the child has it. */
export interface RealPipe {
  readonly reader: Readable;
  readonly writeEnd: number;
}

/**
 * Pipes of the system. Node gives its children sockets, which are full after a few hundred short lines: a program in Node
 * that exits at once then loses the rest. Undefined where such pipes cannot be made.
 */
export function openPipes(count: number): readonly RealPipe[] | undefined {
  if (process.platform === "win32") return undefined;
  let folder: string | undefined;
  const pipes: RealPipe[] = [];
  try {
    const place = mkdtempSync(join(tmpdir(), "pith-pipe-"));
    folder = place;
    const paths = Array.from({ length: count }, (_, i) => join(place, String(i)));
    execFileSync("mkfifo", ["-m", "600", ...paths], { stdio: "ignore" });
    for (const path of paths) pipes.push(openPipe(path));
    return pipes;
  } catch {
    // No mkfifo, no folder to make it in or no more open files: the usual sockets do.
    for (const { reader, writeEnd } of pipes) {
      reader.destroy();
      closeSync(writeEnd);
    }
    return undefined;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** A reader may open at once, a writer as soon as there is a reader; both stay when the name is gone. */
function openPipe(path: string): RealPipe {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const writeEnd = openSync(path, constants.O_WRONLY);
    return { reader: new Socket({ fd, readable: true, writable: false }), writeEnd };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
