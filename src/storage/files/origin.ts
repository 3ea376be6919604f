import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { randomId } from "../../kernel/ids.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";

/** Which data folder something in a shared store belongs to, and the name of its machine for people. */
export interface Origin {
  readonly id: string;
  readonly host: string;
}

const ID_LENGTH = 16;

/** The data folder's own mark, made when a team store is first used. Host names alone are not unique in a team. */
export async function originOf(dataFolder: string): Promise<Origin> {
  await makePrivateFolder(dataFolder);
  const path = join(dataFolder, "origin");
  await writeFile(path, randomId(ID_LENGTH), { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
    // Made before, or by another server that started at the same time.
    if (errnoOf(error) !== "EEXIST") throw error;
  });
  return { id: (await readFile(path, "utf8")).trim(), host: hostname() };
}
