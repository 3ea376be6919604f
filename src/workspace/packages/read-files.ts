import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { contains } from "../../kernel/files/opened-path.ts";
import { readSmallText } from "../../kernel/files/small-file.ts";
import { listGitFiles } from "../git/git-files.ts";
import type { LookupPlace } from "./package-source.ts";

/** Error codes of entries that are missing or may not be read; to a lookup they are all not installed. */
const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "EISDIR", "ELOOP"]);

/** Upper bound on a manifest, which is read whole. */
const MAX_MANIFEST_BYTES = 32 * 1024 * 1024;

/** Reads a manifest; undefined if there is none. */
export async function textIn(path: string): Promise<string | undefined> {
  return readSmallText(path, { maxBytes: MAX_MANIFEST_BYTES });
}

/** Reads a JSON object from a file; undefined if there is none. */
export async function objectIn(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = await textIn(path);
  if (text === undefined) return undefined;
  try {
    return asObject(JSON.parse(text));
  } catch (error) {
    // A broken manifest has no facts to offer; the package is then found by its folder alone.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? Object.fromEntries(Object.entries(value)) : undefined;
}

/** Lists the names in a folder; none if it is missing. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return (await orAbsent(() => readdir(folder))) ?? [];
}

export async function isFolder(path: string): Promise<boolean> {
  return (await orAbsent(() => stat(path)))?.isDirectory() ?? false;
}

export async function isFile(path: string): Promise<boolean> {
  return (await orAbsent(() => stat(path)))?.isFile() ?? false;
}

async function orAbsent<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (ABSENT.has(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}

/** Returns the workspace and the folders above it up to the top of its repository, nearest first. */
export function foldersUp({ root, top }: LookupPlace): readonly string[] {
  const folders = [root];
  for (let at = root; at !== top && contains(top, at) && dirname(at) !== at;) {
    at = dirname(at);
    folders.push(at);
  }
  return folders;
}

/** Upper bound on the manifests of one kind that are read to find a package. */
const MAX_MANIFESTS = 200;

/** Returns the folders below the workspace that have a manifest of this name, the outermost first. */
export async function foldersWith(manifest: string, { root }: LookupPlace): Promise<readonly string[]> {
  const { files } = await listGitFiles(root);
  return files
    .filter((file) => file.endsWith(`/${manifest}`))
    .toSorted((a, b) => a.split("/").length - b.split("/").length)
    .slice(0, MAX_MANIFESTS)
    .map((file) => join(root, dirname(file)));
}
