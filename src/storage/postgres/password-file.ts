import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import type { StorePlace } from "./store-url.ts";

/** The permission bits of a file mode that give access to the group or to others. */
const OPEN_TO_OTHERS = 0o077;

/**
 * Looks up a password as PostgreSQL's own clients do: in lines HOST:PORT:DATABASE:USER:PASSWORD of ~/.pgpass or another file. A file that
 * others may read is ignored.
 */
export async function passwordFor(
  { host, port, database, user }: StorePlace,
  file = join(homedir(), ".pgpass"),
): Promise<string | undefined> {
  const wanted = [host.startsWith("/") ? "localhost" : host, String(port), database, user];
  for (const line of (await readPrivately(file)).split(/\r?\n/)) {
    const fields = line.startsWith("#") ? [] : fieldsOf(line);
    const password = fields[wanted.length];
    if (password !== undefined && wanted.every((one, at) => fields[at] === "*" || fields[at] === one))
      return password;
  }
  return undefined;
}

/** Splits a line at colons; a backslash escapes the next character. */
function fieldsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|:)((?:\\.|[^:\\])*)/g)].map(([, field = ""]) =>
    field.replaceAll(/\\(.)/g, "$1"),
  );
}

async function readPrivately(path: string): Promise<string> {
  try {
    const { mode } = await stat(path);
    const isPrivate = process.platform === "win32" || (mode & OPEN_TO_OTHERS) === 0;
    return isPrivate ? await readFile(path, "utf8") : "";
  } catch (error) {
    if (["ENOENT", "EACCES", "EISDIR", "ENOTDIR"].includes(errnoOf(error) ?? "")) return "";
    throw error;
  }
}
