import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { PithError } from "../../../kernel/errors.ts";
import { randomId } from "../../../kernel/ids.ts";
import type { ObjectSettings, ObjectStore } from "../../objects/object-store.ts";
import { bytesOf } from "../../rows/values.ts";
import type { Queries } from "../database.ts";

/** What an object holds, which decides who may read it. */
export type ObjectKind = "log" | "base" | "snapshot";

/** Stores bodies of logs and packs outside the database, which keeps their size, their hash and the key that decrypts them. */
export interface Bodies {
  /** From this size on, a log or a pack goes to the object store; infinite without one. */
  readonly minBytes: number;
  /** Stores bytes and returns their key in the object store; undefined if they have to be stored in the database. */
  put(kind: ObjectKind, bytes: Buffer): Promise<string | undefined>;
  /** Returns the bytes that were stored under a key, or throws; bytes that are not the same any more are never returned. */
  get(key: string): Promise<Buffer>;
  /** Deletes from the object store what nothing in the database names any more. */
  sweep(): Promise<void>;
}

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OBJECTS_PER_SWEEP = 200;
const CONCURRENT_REMOVALS = 8;
/** The chunks of a log are read one after the other, and several are in one object. */
const CACHED_OBJECTS = 2;

export function createBodies(queries: Queries, settings?: ObjectSettings): Bodies {
  const cached = new Map<string, Promise<Buffer>>();
  return {
    minBytes: settings?.minBytes ?? Infinity,
    async put(kind, bytes) {
      if (settings === undefined) return undefined;
      try {
        return await upload(queries, settings.store, kind, bytes);
      } catch (error) {
        if (!(error instanceof PithError)) throw error;
        settings.onFailure(error);
        return undefined;
      }
    },
    get(key) {
      const known = cached.get(key);
      if (known !== undefined) return known;
      const reading = download(queries, settings?.store, key);
      cached.set(key, reading);
      reading.catch(() => cached.delete(key));
      for (const oldest of cached.keys()) if (cached.size > CACHED_OBJECTS) cached.delete(oldest);
      return reading;
    },
    sweep: async () => {
      if (settings !== undefined) await sweep(queries, settings.store);
    },
  };
}

/**
 * The database knows of an object before it exists, so that what a killed process leaves is found and deleted. Objects are encrypted,
 * because whoever may use the object store sees all of it, and the database's rules decide who may read which pack.
 */
async function upload(
  queries: Queries,
  store: ObjectStore,
  kind: ObjectKind,
  bytes: Buffer,
): Promise<string> {
  const key = `${kind}/${new Date().toISOString().slice(0, 7)}/${randomId(24)}`;
  const secret = randomBytes(KEY_BYTES);
  const sha256 = createHash("sha256").update(bytes).digest();
  await queries.query("SELECT pith.add_object($1, $2, $3, $4, $5)", [
    key,
    kind,
    bytes.length,
    sha256,
    secret,
  ]);
  await store.put(key, encrypt(bytes, secret));
  return key;
}

async function download(queries: Queries, store: ObjectStore | undefined, key: string): Promise<Buffer> {
  const [row] = await queries.query("SELECT size, sha256, secret FROM pith.object WHERE key = $1", [key]);
  if (row === undefined) throw unreadable(`Object ${key} is not in the store's index`);
  if (store === undefined)
    throw new PithError(
      "config_invalid",
      "This was stored in the team's object store, which is not configured here",
      {
        suggestion: "Set [store] objects (PITH_STORE_OBJECTS) to the URL that the rest of the team uses.",
      },
    );
  const stored = await store.get(key);
  if (stored === undefined) throw unreadable(`Object ${key} is missing in ${store.place}`);
  const bytes = decrypt(stored, bytesOf(row["secret"]));
  const isIntact =
    bytes?.length === Number(row["size"]) &&
    createHash("sha256").update(bytes).digest().equals(bytesOf(row["sha256"]));
  if (bytes === undefined || !isIntact) throw unreadable(`Object ${key} in ${store.place} is damaged`);
  return bytes;
}

function unreadable(message: string): PithError {
  return new PithError("result_not_found", message, {
    suggestion: "Restore the object store from its backup, or run the command again.",
  });
}

function encrypt(bytes: Buffer, secret: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secret, nonce);
  const text = cipher.update(bytes);
  return Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]);
}

/** Returns undefined if the bytes were changed. */
function decrypt(stored: Buffer, secret: Buffer): Buffer | undefined {
  if (stored.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, secret, stored.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(stored.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(stored.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    // The authentication tag does not match; the caller reports it as damage.
    return undefined;
  }
}

async function sweep(queries: Queries, store: ObjectStore): Promise<void> {
  for (;;) {
    const rows = await queries.query("SELECT unused_objects AS key FROM pith.unused_objects($1)", [
      OBJECTS_PER_SWEEP,
    ]);
    const keys = rows.map((row) => String(row["key"]));
    const left = [...keys];
    const work = async (): Promise<void> => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) await store.remove(key);
    };
    await Promise.all(Array.from({ length: CONCURRENT_REMOVALS }, work));
    if (keys.length > 0) await queries.query("SELECT pith.forget_objects($1)", [keys]);
    if (keys.length < OBJECTS_PER_SWEEP) return;
  }
}
