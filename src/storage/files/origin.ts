import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { randomId } from "../../kernel/ids.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";

/** Identifies the data folder that an entry in a shared store belongs to; `host` is the machine's name for people. */
export interface Origin {
  readonly id: string;
  readonly host: string;
}

const ID_LENGTH = 16;

/** Returns the id of a data folder and creates it on first use of a team store. Host names alone are not unique in a team. */
export async function originOf(dataFolder: string): Promise<Origin> {
  await makePrivateFolder(dataFolder);
  const path = join(dataFolder, "origin");
  await writeFile(path, randomId(ID_LENGTH), { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
    // The file exists already, or another server that started at the same time created it.
    if (errnoOf(error) !== "EEXIST") throw error;
  });
  return { id: (await readFile(path, "utf8")).trim(), host: hostname() };
}
