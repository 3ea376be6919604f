import type { NewPack, PackStore, StoredPack } from "../../../pool/packs.ts";
import { bytesOf, textsOf } from "../../rows/values.ts";
import type { Postgres } from "../database.ts";

/**
 * A pack (the files of a job) is split into rows of this many bytes: large enough to be fast, small enough for the
 * memory of both sides.
 */
const PART_BYTES = 1024 * 1024;

/** Stores packs (the files of jobs) as table rows, so that a pool needs no other service than its database. */
export function createPackStore(store: Postgres): PackStore {
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
      await put(store, pack);
      // Packs that nobody has used for 14 days are removed here, because storing a new base happens rarely enough for the cleanup to cost little.
      if (pack.isBase) await store.query("SELECT pith.remove_unused_packs()");
    },
    get: (commit) => get(store, commit),
  };
}

/**
 * Stores a pack. Its head row is inserted first, so that another process that stores the same pack waits and then finds
 * it done.
 */
async function put(store: Postgres, { commit, needs, project, isBase, bytes }: NewPack): Promise<void> {
  await store.transaction(async (queries) => {
    const added = await queries.query(
      `INSERT INTO pith.pack (commit_id, needs, project, is_base, depth)
       VALUES ($1, $2::text[], $3, $4, 1 + coalesce((SELECT max(depth) FROM pith.pack WHERE commit_id = ANY ($2)), 0))
       ON CONFLICT DO NOTHING RETURNING 1`,
      [commit, needs, project, isBase],
    );
    if (added.length === 0) return;
    let seq = 0;
    for await (const part of parts(bytes))
      await queries.query("INSERT INTO pith.pack_part (commit_id, seq, bytes) VALUES ($1, $2, $3)", [
        commit,
        seq++,
        part,
      ]);
  });
}

async function get(store: Postgres, commit: string): Promise<StoredPack | undefined> {
  const [row] = await store.query("SELECT needs FROM pith.pack WHERE commit_id = $1", [commit]);
  if (row === undefined) return undefined;
  return {
    commit,
    needs: textsOf(row["needs"]),
    async *bytes() {
      for (let seq = 0; ; seq++) {
        const [part] = await store.query(
          "SELECT bytes FROM pith.pack_part WHERE commit_id = $1 AND seq = $2",
          [commit, seq],
        );
        if (part === undefined) return;
        yield bytesOf(part["bytes"]);
      }
    },
  };
}

async function* parts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    held.push(chunk);
    size += chunk.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held);
}
