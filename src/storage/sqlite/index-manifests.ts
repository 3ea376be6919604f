import type { Manifest, ManifestSummary, Publication } from "../../index/store/store.ts";
import { entryOf, headOf } from "../rows/manifest.ts";
import { numberOf } from "../rows/values.ts";
import type { SqliteStore } from "./database.ts";

export type ManifestTable = ReturnType<typeof createManifestTable>;

/**
 * Creates the table of manifests. A manifest lists which blob (file content) each path has, for one ref or working
 * tree.
 */
export function createManifestTable({ db }: SqliteStore) {
  const head = db.prepare("SELECT * FROM manifest WHERE project_id = ? AND ref = ?");
  const rows = db.prepare("SELECT * FROM manifest_entry WHERE manifest_id = ? ORDER BY path");
  const summaries = db.prepare(
    `SELECT m.*, (SELECT count(*) FROM manifest_entry e WHERE e.manifest_id = m.manifest_id AND e.key IS NOT NULL) AS files
     FROM manifest m WHERE project_id = ? ORDER BY ref`,
  );
  const apply = createApply({ db });
  return {
    read(projectId: string, ref: string): Manifest | undefined {
      const row = head.get(projectId, ref);
      if (row === undefined) return undefined;
      return { ...headOf(row), entries: rows.all(numberOf(row["manifest_id"])).map(entryOf) };
    },
    summaries: (projectId: string): readonly ManifestSummary[] =>
      summaries.all(projectId).map((row) => ({ ...headOf(row), files: numberOf(row["files"]) })),
    apply,
  };
}

function createApply({ db }: Pick<SqliteStore, "db">): (change: Publication) => void {
  const ensure = db.prepare(
    `INSERT INTO manifest (project_id, ref, commit_id, published_at, complete) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (project_id, ref) DO UPDATE SET
       commit_id = coalesce(excluded.commit_id, commit_id),
       published_at = excluded.published_at,
       complete = CASE WHEN ? THEN excluded.complete ELSE complete END
     RETURNING manifest_id`,
  );
  const put = db.prepare(
    `INSERT OR REPLACE INTO manifest_entry
       (manifest_id, path, key, skipped, size, modified, changed, inode, taken) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = db.prepare("DELETE FROM manifest_entry WHERE manifest_id = ? AND path = ?");
  return (change) => {
    const row = ensure.get(
      change.projectId,
      change.ref,
      change.commit ?? null,
      change.at,
      change.complete === true ? 1 : 0,
      change.complete === undefined ? 0 : 1,
    );
    const id = numberOf(row?.["manifest_id"]);
    for (const path of change.removed) remove.run(id, path);
    for (const { path, key, skipped, signature } of change.changed) {
      const { size, modified, changed, inode, taken } = signature ?? {};
      put.run(
        id,
        path,
        key ?? null,
        skipped ?? null,
        size ?? null,
        modified ?? null,
        changed ?? null,
        inode ?? null,
        taken ?? null,
      );
    }
  };
}
