import type { Manifest, ManifestEntry, ManifestSummary, Publication } from "../../../index/store/store.ts";
import { entryOf, headOf } from "../../rows/manifest.ts";
import { numberOf } from "../../rows/values.ts";
import type { Postgres, Queries } from "../database.ts";

/** How many manifest entries (a path and the key of its content) one SQL statement writes. */
const ENTRIES_PER_WRITE = 5_000;

/**
 * Reads a manifest (which content each path has at one ref). Its head row and its entries are read in one snapshot of
 * the database, so that both come from the same publication.
 */
export function readManifest(store: Postgres, projectId: string, ref: string): Promise<Manifest | undefined> {
  return store.snapshot(async (queries) => {
    const [head] = await queries.query("SELECT * FROM pith.manifest WHERE project_id = $1 AND ref = $2", [
      projectId,
      ref,
    ]);
    if (head === undefined) return undefined;
    const rows = await queries.query(
      "SELECT * FROM pith.manifest_entry WHERE manifest_id = $1 ORDER BY path",
      [head["manifest_id"]],
    );
    return { ...headOf(head), entries: rows.map(entryOf) };
  });
}

export async function manifestSummaries(
  queries: Queries,
  projectId: string,
): Promise<readonly ManifestSummary[]> {
  const rows = await queries.query(
    `SELECT m.*, (SELECT count(*) FROM pith.manifest_entry e
       WHERE e.manifest_id = m.manifest_id AND e.key IS NOT NULL) AS files
     FROM pith.manifest m WHERE project_id = $1 ORDER BY ref COLLATE "C"`,
    [projectId],
  );
  return rows.map((row) => ({ ...headOf(row), files: numberOf(row["files"]) }));
}

/**
 * Applies changes to a manifest (which content each path has at one ref). Writing its head row first locks it, so that
 * two servers never change one manifest at the same time.
 */
export async function applyToManifest(queries: Queries, change: Publication): Promise<void> {
  const [row] = await queries.query(
    `INSERT INTO pith.manifest AS m (project_id, ref, commit_id, published_at, complete)
     VALUES ($1, $2, $3, $4, coalesce($5, false))
     ON CONFLICT (project_id, ref) DO UPDATE SET
       commit_id = coalesce(excluded.commit_id, m.commit_id),
       published_at = excluded.published_at,
       complete = coalesce($5, m.complete)
     RETURNING manifest_id`,
    [change.projectId, change.ref, change.commit ?? null, change.at, change.complete ?? null],
  );
  const id = row?.["manifest_id"];
  if (change.removed.length > 0)
    await queries.query("DELETE FROM pith.manifest_entry WHERE manifest_id = $1 AND path = ANY($2::text[])", [
      id,
      change.removed,
    ]);
  for (let at = 0; at < change.changed.length; at += ENTRIES_PER_WRITE)
    await putEntries(queries, id, change.changed.slice(at, at + ENTRIES_PER_WRITE));
}

async function putEntries(
  queries: Queries,
  manifestId: unknown,
  changed: readonly ManifestEntry[],
): Promise<void> {
  // PostgreSQL rejects a statement that changes a row twice, so only the last entry for a path is kept.
  const entries = [...new Map(changed.map((entry) => [entry.path, entry])).values()];
  const numbers = (field: "size" | "modified" | "changed" | "inode" | "taken") =>
    entries.map(({ signature }) => signature?.[field] ?? null);
  await queries.query(
    `INSERT INTO pith.manifest_entry
       (manifest_id, path, key, skipped, size, modified, changed, inode, taken)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[],
       $5::float8[], $6::float8[], $7::float8[], $8::float8[], $9::float8[])
     ON CONFLICT (manifest_id, path) DO UPDATE SET
       key = excluded.key, skipped = excluded.skipped, size = excluded.size, modified = excluded.modified,
       changed = excluded.changed, inode = excluded.inode, taken = excluded.taken`,
    [
      manifestId,
      entries.map(({ path }) => path),
      entries.map(({ key }) => key ?? null),
      entries.map(({ skipped }) => skipped ?? null),
      numbers("size"),
      numbers("modified"),
      numbers("changed"),
      numbers("inode"),
      numbers("taken"),
    ],
  );
}
