import { readdir, stat } from "node:fs/promises";
import { errnoOf } from "../../kernel/errors.ts";

/** The names in a folder; none where it is gone, as another process may put it in place or take it away at any time. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await ifThere(readdir(folder))) ?? [];
}

/** When a file was last changed, unless it is gone. */
export async function modifiedAt(file: string): Promise<number | undefined> {
  return (await ifThere(stat(file)))?.mtimeMs;
}

async function ifThere<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
