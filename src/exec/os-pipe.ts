import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { runProcess } from "./run-process.ts";

/**
 * The two ends of a pipe. The write end is for a child process; after the child has started, it must be closed in this
 * process.
 */
export interface OsPipe {
  readonly reader: Readable;
  readonly writeEnd: number;
}

/**
 * Opens pipes of the operating system; undefined if that is impossible. Node would give its children sockets, which are
 * full after a few hundred short lines, and a Node program that exits at once loses the rest of its output.
 */
export async function openPipes(count: number): Promise<readonly OsPipe[] | undefined> {
  if (process.platform === "win32") return undefined;
  let folder: string | undefined;
  const pipes: OsPipe[] = [];
  try {
    const place = mkdtempSync(join(tmpdir(), "pith-pipe-"));
    folder = place;
    const paths = Array.from({ length: count }, (_, i) => join(place, String(i)));
    const made = await runProcess(["mkfifo", "-m", "600", ...paths]);
    if (made.exitCode !== 0) return undefined;
    for (const path of paths) pipes.push(openPipe(path));
    return pipes;
  } catch {
    // Without mkfifo, a writable folder or free file descriptors, the sockets of Node are used instead.
    for (const { reader, writeEnd } of pipes) {
      reader.destroy();
      closeSync(writeEnd);
    }
    return undefined;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Opens both ends of a named pipe: first the reading end, because a writer needs a reader. Both stay open after the
 * pipe's file is removed.
 */
function openPipe(path: string): OsPipe {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const writeEnd = openSync(path, constants.O_WRONLY);
    const reader = new Socket({ fd, readable: true, writable: false });
    // A pipe that breaks ends the output; how the command ended is reported by its process.
    reader.on("error", () => reader.destroy());
    return { reader, writeEnd };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
