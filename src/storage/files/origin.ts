import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { randomId } from "../../kernel/ids.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";

/**
 * Names the data folder (Pith's own folder on a machine) from which a row in a shared database came; `host` is the name
 * of that machine, for display.
 */
export interface Origin {
  readonly id: string;
  readonly host: string;
}

const ID_LENGTH = 16;

/**
 * Returns the id of this machine's data folder, which is generated once and kept in a file. Host names would not do,
 * because they are not unique in a team.
 */
export async function originOf(dataFolder: string): Promise<Origin> {
  await makePrivateFolder(dataFolder);
  const path = join(dataFolder, "origin");
  await writeFile(path, randomId(ID_LENGTH), { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
    // The file exists, either from an earlier call or because another server created it at this moment.
    if (errnoOf(error) !== "EEXIST") throw error;
  });
  return { id: (await readFile(path, "utf8")).trim(), host: hostname() };
}
