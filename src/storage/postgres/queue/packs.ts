import type { NewPack, PackStore, StoredPack } from "../../../pool/packs.ts";
import { bytesOf, textsOf } from "../../rows/values.ts";
import type { Postgres, Queries } from "../database.ts";
import { type Bodies, createBodies, type ObjectKind } from "../objects/bodies.ts";

/**
 * A pack (the files of a job) is split into rows of this many bytes: large enough to be fast, small enough for the
 * memory of both sides.
 */
const PART_BYTES = 1024 * 1024;
/** The parts of a pack in the object store are larger, because each is a request. */
const OBJECT_BYTES = 8 * 1024 * 1024;

/** A part of a pack: its bytes, or the key of the object that has them. */
type Part = { readonly bytes: Buffer; readonly object?: undefined } | { readonly object: string };

/** Stores packs (the files of jobs) as table rows, and large ones in the object store if there is one. */
export function createPackStore(store: Postgres, bodies: Bodies = createBodies(store)): PackStore {
  return {
    async find(commits) {
      const rows = await store.query("SELECT use_packs AS commit FROM pith.use_packs($1)", [commits]);
      return rows.map((row) => String(row["commit"]));
    },
    async newestBase(project) {
      const [row] = await store.query("SELECT * FROM pith.newest_base($1)", [project]);
      return row && { commit: String(row["commit_id"]), depth: Number(row["depth"]) };
    },
    async put(pack) {
      await put({ store, bodies }, pack);
      // Packs that nobody has used for 14 days are removed here, because storing a new base happens rarely enough for the cleanup to cost little.
      if (pack.isBase) await store.query("SELECT pith.remove_unused_packs()");
    },
    get: (commit) => get({ store, bodies }, commit),
  };
}

interface Target {
  readonly store: Postgres;
  readonly bodies: Bodies;
}

/**
 * Stores a pack. A small one is stored in one transaction, in which its head row comes first, so that another process
 * that stores the same pack waits and then finds it done. A large one is uploaded before, because a transaction must not
 * wait for that; of two processes that upload the same pack, the second finds it done, and its objects are swept.
 */
async function put({ store, bodies }: Target, pack: NewPack): Promise<void> {
  const source = pack.bytes[Symbol.asyncIterator]();
  const start = await readUpTo(source, bodies.minBytes);
  if (!start.isAll) {
    if ((await store.query("SELECT 1 FROM pith.pack WHERE commit_id = $1", [pack.commit])).length > 0) return;
    const uploaded = await uploadAll(bodies, pack.isBase ? "base" : "snapshot", start.chunks, source);
    return store.transaction(async (queries) => {
      if (await addHead(queries, pack)) await addParts(queries, pack.commit, uploaded);
    });
  }
  await store.transaction(async (queries) => {
    if (await addHead(queries, pack))
      await addParts(queries, pack.commit, inDatabase(pieces(start.chunks, source, PART_BYTES)));
  });
}

/**
 * Reads from the start of a pack until it is complete or known to be large; `isAll` is false if it is large. Without an
 * object store nothing is read ahead.
 */
async function readUpTo(
  source: AsyncIterator<Uint8Array>,
  minBytes: number,
): Promise<{ readonly chunks: Uint8Array[]; readonly isAll: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (minBytes === Infinity) return { chunks, isAll: true };
  for (;;) {
    const next = await source.next();
    if (next.done === true) return { chunks, isAll: true };
    chunks.push(next.value);
    size += next.value.length;
    if (size > minBytes) return { chunks, isAll: false };
  }
}

async function addHead(
  queries: Queries,
  { commit, needs, project, isBase }: Omit<NewPack, "bytes">,
): Promise<boolean> {
  const added = await queries.query(
    `INSERT INTO pith.pack (commit_id, needs, project, is_base, depth)
     VALUES ($1, $2::text[], $3, $4, 1 + coalesce((SELECT max(depth) FROM pith.pack WHERE commit_id = ANY ($2)), 0))
     ON CONFLICT DO NOTHING RETURNING 1`,
    [commit, needs, project, isBase],
  );
  return added.length > 0;
}

async function addParts(
  queries: Queries,
  commit: string,
  parts: AsyncIterable<Part> | Iterable<Part>,
): Promise<void> {
  let seq = 0;
  for await (const part of parts)
    await queries.query(
      "INSERT INTO pith.pack_part (commit_id, seq, bytes, object) VALUES ($1, $2, $3, $4)",
      [commit, seq++, part.object === undefined ? part.bytes : null, part.object ?? null],
    );
}

/** Uploads a pack in parts; a part that could not be uploaded is stored in the database. */
async function uploadAll(
  bodies: Bodies,
  kind: ObjectKind,
  start: readonly Uint8Array[],
  source: AsyncIterator<Uint8Array>,
): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const bytes of pieces(start, source, OBJECT_BYTES)) {
    const object = await bodies.put(kind, bytes);
    parts.push(object === undefined ? { bytes } : { object });
  }
  return parts;
}

async function* inDatabase(all: AsyncIterable<Buffer>): AsyncGenerator<Part> {
  for await (const bytes of all) yield { bytes };
}

async function get({ store, bodies }: Target, commit: string): Promise<StoredPack | undefined> {
  const [row] = await store.query("SELECT needs FROM pith.pack WHERE commit_id = $1", [commit]);
  if (row === undefined) return undefined;
  return {
    commit,
    needs: textsOf(row["needs"]),
    async *bytes() {
      for (let seq = 0; ; seq++) {
        const [part] = await store.query(
          "SELECT bytes, object FROM pith.pack_part WHERE commit_id = $1 AND seq = $2",
          [commit, seq],
        );
        if (part === undefined) return;
        yield part["object"] === null ? bytesOf(part["bytes"]) : await bodies.get(String(part["object"]));
      }
    },
  };
}

/** Yields the bytes in pieces of at least the given size, except for the last. */
async function* pieces(
  start: readonly Uint8Array[],
  source: AsyncIterator<Uint8Array>,
  minBytes: number,
): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [...start];
  let size = start.reduce((sum, chunk) => sum + chunk.length, 0);
  for (;;) {
    if (size >= minBytes) {
      yield Buffer.concat(held);
      held = [];
      size = 0;
    }
    const next = await source.next();
    if (next.done === true) break;
    held.push(next.value);
    size += next.value.length;
  }
  if (size > 0) yield Buffer.concat(held);
}
