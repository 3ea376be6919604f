import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf } from "./errors.ts";

/**
 * Creates a folder that only its owner may enter, together with its parents. It does so one level at a time, because
 * Node's recursive mkdir never returns on file systems that answer ENOENT below an existing folder, such as /proc.
 */
export async function makePrivateFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let current = path; !(await isFolder(current)); current = dirname(current)) missing.unshift(current);
  for (const folder of missing) await makeOne(folder);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory() || dirname(path) === path;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return dirname(path) === path;
    throw error;
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    // Another process created the folder first.
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}
