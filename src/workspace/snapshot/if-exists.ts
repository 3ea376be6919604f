import { readdir, stat } from "node:fs/promises";
import { errnoOf } from "../../kernel/errors.ts";

/** Lists the names in a folder. A missing folder counts as empty, because other processes may remove it at any time. */
export async function listNames(folder: string): Promise<string[]> {
  return (await ifExists(readdir(folder))) ?? [];
}

/** Returns the modification time of a file, or undefined if it does not exist. */
export async function modifiedAt(file: string): Promise<number | undefined> {
  return (await ifExists(stat(file)))?.mtimeMs;
}

async function ifExists<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
