import { rename, rm, writeFile } from "node:fs/promises";
import { errnoOf } from "../../kernel/errors.ts";
import { readSmallText } from "../../kernel/files/small-file.ts";
import type { RunEnding } from "./store.ts";

/** Upper bound on the size of a result that is read back; the largest lists of findings have some megabytes. */
const MAX_ENDING_BYTES = 64 * 1024 * 1024;

/** The path of the result of a run whose supervisor could not save it in the database. */
export function endingPath(base: string): string {
  return `${base}.ending`;
}

/**
 * Writes the result of a run next to its log. Returns `saved`, `refused` if a later attempt may succeed, or `never` if
 * this process cannot write it whatever its user does: a limit on the size of files stays with a process.
 */
export async function writeEndingFile(
  base: string,
  ending: RunEnding,
): Promise<"saved" | "refused" | "never"> {
  const path = endingPath(base);
  const partial = `${path}.partial`;
  try {
    await writeFile(partial, JSON.stringify(ending), { mode: 0o600 });
    // A reader sees the whole result or none.
    await rename(partial, path);
    return "saved";
  } catch (error) {
    // The result is not lost: the caller still has it and knows from the returned word that it is not written.
    await rm(partial, { force: true }).catch(() => undefined);
    return errnoOf(error) === "EFBIG" ? "never" : "refused";
  }
}

/** Reads the result of a run that is next to its log; undefined if there is none. */
export function readEndingFile(base: string): RunEnding | undefined {
  const text = readSmallText(endingPath(base), { maxBytes: MAX_ENDING_BYTES });
  // The cast is safe, because only Pith's supervisor writes this file, in a folder that nobody else can write to.
  return text === undefined ? undefined : (JSON.parse(text) as RunEnding);
}
