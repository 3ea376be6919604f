import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { forEachYielding } from "../../kernel/for-each-yielding.ts";

/**
 * Copies a file, a link or a folder to where nothing is yet, with modes, the times of files, and links as they are written. Where the
 * file system can share blocks, files are clones. Each system call waits for the one before it, so giving each to another
 * thread, as Node's own function does, takes twice the processor time and, on a busy machine, twice as long.
 */
export async function copyTree(from: string, to: string): Promise<void> {
  await forEachYielding(copySteps(from, to), () => undefined);
}

/** Copies one file, link or folder per step. */
function* copySteps(from: string, to: string): Generator<void> {
  const stats = lstatSync(from);
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (stats.isDirectory()) {
    mkdirSync(to);
    for (const name of readdirSync(from)) yield* copySteps(join(from, name), join(to, name));
    // Last, because nothing could be written into a folder that is read-only.
    chmodSync(to, stats.mode & 0o7777);
  } else if (stats.isFile()) {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    utimesSync(to, stats.atime, stats.mtime);
  }
  yield;
}
