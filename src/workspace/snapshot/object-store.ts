import { createHash } from "node:crypto";
import { mkdirSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { randomId } from "../../kernel/ids.ts";
import type { ObjectFormat } from "./private-git.ts";

export type ObjectType = "blob" | "tree" | "commit";

/** Stores git objects that the user's repository lacks, as loose objects in a private folder. */
export interface ObjectStore {
  readonly gitDir: string;
  readonly format: ObjectFormat;
  idOf(type: ObjectType, content: Uint8Array): string;
  has(id: string): boolean;
  /** Writes a git object, unless it exists, and returns its id. */
  write(type: ObjectType, content: Uint8Array): Promise<string>;
}

/** Opens the store of objects in a private git directory. */
export function objectStore(gitDir: string, format: ObjectFormat): ObjectStore {
  const fileOf = (id: string) => join(gitDir, "objects", id.slice(0, 2), id.slice(2));
  const idOf = (type: ObjectType, content: Uint8Array) =>
    createHash(format).update(`${type} ${content.length}\0`).update(content).digest("hex");
  const has = (id: string) => isIntact(fileOf(id));
  return {
    gitDir,
    format,
    idOf,
    has,
    async write(type, content) {
      const id = idOf(type, content);
      if (has(id)) return id;
      const packed = await compress(Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]), {
        level: COMPRESSION_LEVEL,
      });
      mkdirSync(join(gitDir, "objects", id.slice(0, 2)), { recursive: true });
      const draft = join(gitDir, "objects", `tmp_obj_${randomId(12)}`);
      writeFileSync(draft, packed, { mode: 0o444 });
      renameSync(draft, fileOf(id));
      return id;
    },
  };
}

const compress = promisify(deflate);
/** The fastest compression is enough, because the objects live for days and are packed again before a transfer. */
const COMPRESSION_LEVEL = 1;
const DAY_MS = 24 * 3600_000;

/**
 * True unless the file of an object is missing or empty, as after a power failure. The modification time of an object
 * in use is refreshed, which protects it from removal.
 */
function isIntact(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || found.size === 0) return false;
  const now = Date.now();
  if (now - found.mtimeMs > DAY_MS) utimesSync(file, now / 1000, now / 1000);
  return true;
}
