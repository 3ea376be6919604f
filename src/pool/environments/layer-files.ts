import { chmod, lstat, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { readSmallFile } from "../../kernel/files/small-file.ts";
import { copyTree } from "./copy-tree.ts";
import type { Ecosystem, StagedFiles } from "./ecosystem.ts";
import type { Layer, LayerInfo } from "./layers.ts";

/** Writes the files that decide about an installation into the folder in which it runs. */
export async function writeStaged(tree: string, staged: StagedFiles): Promise<void> {
  for (const [path, { bytes, isExecutable }] of staged) {
    const file = join(tree, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes, { mode: isExecutable ? 0o755 : 0o644 });
  }
}

/** Reduces a folder to what the commands made in it, and describes that. */
export async function sealLayer(
  tree: string,
  staged: StagedFiles,
  ecosystem: Ecosystem,
): Promise<Omit<LayerInfo, "ms">> {
  const isListed = ecosystem.leftovers !== undefined || ecosystem.installed !== undefined;
  const made = isListed ? (await readdir(tree, { recursive: true })).map(toPosix) : [];
  for (const path of ecosystem.leftovers?.(made, staged) ?? [])
    await rm(join(tree, path), { recursive: true, force: true });
  for (const path of staged.keys()) await rm(join(tree, path), { recursive: true, force: true });
  return {
    entries: await listMade(tree, staged),
    bytes: await sizeOf(tree),
    madeIn: tree,
    ...(ecosystem.installed && { installed: `packages: ${ecosystem.installed(made)}` }),
    relocated: await listRelocated(tree, ecosystem.relocated ?? []),
  };
}

/**
 * Copies paths of a layer into a job's folder. It is always a copy, or a clone where the file system can share blocks:
 * with hard links a job that changes a file in place, as patch tools do, would change it for all jobs.
 */
export async function copyLayer({ tree }: Layer, folder: string, entries: readonly string[]): Promise<void> {
  for (const entry of entries) {
    await mkdir(dirname(join(folder, entry)), { recursive: true });
    await copyTree(join(tree, entry), join(folder, entry));
  }
}

/** Puts the path of the job's folder into the files that contain the path in which the layer was made. */
export async function relocateCopy({ info }: Layer, folder: string): Promise<void> {
  for (const path of info.relocated) await relocate(join(folder, path), info.madeIn, folder);
}

/** Lists the paths in the folders of the staged files that are not such files or folders themselves. */
async function listMade(tree: string, staged: StagedFiles): Promise<string[]> {
  const folders = new Set([""]);
  for (const path of staged.keys())
    for (let at = posix.dirname(path); at !== "."; at = posix.dirname(at)) folders.add(at);
  const made: string[] = [];
  for (const folder of folders)
    // The folder may be missing, because the commands can remove it.
    for (const name of await readdir(join(tree, folder)).catch(() => [])) {
      const path = posix.join(folder, name);
      if (!folders.has(path)) made.push(path);
    }
  return made;
}

async function sizeOf(tree: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(tree, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name))).size;
  return bytes;
}

/** A larger file is a program, whose own copy of the path does not matter. */
const MAX_RELOCATED_BYTES = 1024 * 1024;

async function listRelocated(tree: string, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders)
    for (const name of await readdir(join(tree, folder)).catch(() => [])) {
      const text = readText(join(tree, folder, name));
      if (text?.includes(toBytes(tree)) === true) found.push(posix.join(folder, name));
    }
  return found;
}

async function relocate(file: string, from: string, to: string): Promise<void> {
  const text = readText(file);
  if (text === undefined) return;
  const { mode } = await lstat(file);
  await writeFile(
    file,
    text.replaceAll(toBytes(from), () => toBytes(to)),
    { encoding: "latin1" },
  );
  await chmod(file, mode & 0o7777);
}

/** Reads a small text file byte by byte; undefined for anything else. */
function readText(file: string): string | undefined {
  const read = readSmallFile(file, { maxBytes: MAX_RELOCATED_BYTES });
  return "refused" in read || read.bytes.includes(0) ? undefined : read.bytes.toString("latin1");
}

/** Writes a path as its bytes, in the way in which the files are read. */
function toBytes(path: string): string {
  return Buffer.from(path).toString("latin1");
}

function toPosix(path: string): string {
  return path.replaceAll("\\", "/");
}
