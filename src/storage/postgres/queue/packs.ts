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
      const rows = await store.query(
        "UPDATE pith.pack SET used_at = now() WHERE commit_id = ANY ($1) RETURNING commit_id",
        [commits],
      );
      return rows.map((row) => String(row["commit_id"]));
    },
    async newestBase(project) {
      // The base is marked as used, so that nobody removes it before the pack that builds on it is stored.
      const [row] = await store.query(
        `UPDATE pith.pack SET used_at = now() WHERE commit_id = (
           SELECT commit_id FROM pith.pack WHERE project = $1 AND is_base ORDER BY added_at DESC LIMIT 1)
         RETURNING commit_id, depth`,
        [project],
      );
      return row && { commit: String(row["commit_id"]), depth: Number(row["depth"]) };
    },
    async put(pack) {
      await put(store, pack);
      // Unused packs are removed here, because storing a new base happens rarely enough for the cleanup to cost little.
      if (pack.isBase) await removeUnused(store);
    },
    get: (commit) => get(store, commit),
  };
}

/**
 * Unused packs are kept for this many days, longer than a branch usually rests between two builds. A later build sends
 * its files again.
 */
const RETENTION_DAYS = 14;

/** Removes packs that have not been used for a long time, except those that newer packs build on. */
async function removeUnused(store: Postgres): Promise<void> {
  await store.query(
    `WITH RECURSIVE kept AS (
       SELECT commit_id, needs FROM pith.pack WHERE used_at > now() - $1::integer * interval '1 day'
       UNION SELECT p.commit_id, p.needs FROM pith.pack p JOIN kept k ON p.commit_id = ANY (k.needs))
     DELETE FROM pith.pack p WHERE used_at <= now() - $1::integer * interval '1 day'
       AND NOT EXISTS (SELECT 1 FROM kept k WHERE k.commit_id = p.commit_id)`,
    [RETENTION_DAYS],
  );
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
