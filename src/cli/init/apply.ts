import { randomBytes } from "node:crypto";
import { isUtf8 } from "node:buffer";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, realpath, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { describeRefusal, readSmallFile } from "../../kernel/files/small-file.ts";
import type { Change, FileView } from "./plan.ts";

/** Reads the real files on disk, for the planner of configuration changes. */
export const diskView: FileView = {
  exists: (path) => existsSync(path),
  read(path) {
    const read = readSmallFile(path);
    if ("bytes" in read) return decode(path, read.bytes);
    if (read.refused === "missing") return undefined;
    throw new PithError("config_invalid", `${path} ${describeRefusal(read.refused)}`);
  },
};

/**
 * Writes a planned change atomically, so that a reader sees the old file or the new one. A folder that becomes empty is removed too,
 * unless it is in `keep`.
 */
export async function applyChange({ file, before, after }: Change, keep: readonly string[]): Promise<void> {
  // A symbolic link, for example into a dotfiles repository, stays a link; its target is written.
  const target = before === undefined ? file : await realpath(file);
  if (diskView.read(target) !== before)
    throw new PithError("config_invalid", `${file} was changed in the meantime`, {
      suggestion: "Run pith init again.",
    });
  if (after === undefined) {
    await rm(target, { force: true });
    if (!keep.includes(dirname(target))) await removeIfEmpty(dirname(target));
    return;
  }
  await mkdir(dirname(target), { recursive: true });
  const temporary = `${target}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    // Configuration files may hold API keys, so the temporary file is private until it gets the mode of the old file.
    await writeFile(temporary, after, { flag: "wx", mode: before === undefined ? 0o666 : 0o600 });
    if (before !== undefined) await chmod(temporary, (await stat(target)).mode);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  if ((await readdir(folder)).length === 0) await rmdir(folder);
}

/** A file with bytes that are not UTF-8 is refused, because reading and writing it would corrupt them. */
function decode(path: string, bytes: Buffer): string {
  if (!isUtf8(bytes))
    throw new PithError("config_invalid", `${path} is not UTF-8 text`, {
      suggestion: "Save it as UTF-8, then run pith init again; nothing was written.",
    });
  return bytes.toString("utf8");
}
