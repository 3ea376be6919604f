import type { ProjectRow, RemovedProject } from "../../../index/store/store.ts";
import { contentId } from "../../../kernel/ids.ts";
import type { Origin } from "../../files/origin.ts";
import { numberOf, textOf } from "../../rows/values.ts";
import type { Queries, Row } from "../database.ts";

/** Finds or creates the project of a folder on this machine. A folder with the same path on another machine is a different project. */
export async function ensureProject(
  queries: Queries,
  origin: Origin,
  { root, family }: Pick<ProjectRow, "root" | "family">,
): Promise<ProjectRow> {
  const row = { projectId: contentId(`${origin.id}\0${root}`, 12), root, family, lastUsed: Date.now() };
  await queries.query(
    `INSERT INTO pith.project (project_id, origin, host, root, family, last_used) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (project_id) DO UPDATE
       SET family = excluded.family, host = excluded.host, last_used = excluded.last_used`,
    [row.projectId, origin.id, origin.host, root, family, row.lastUsed],
  );
  return row;
}

export async function allProjects(queries: Queries, origin: Origin): Promise<readonly ProjectRow[]> {
  const rows = await queries.query("SELECT * FROM pith.project ORDER BY last_used DESC, root");
  return rows.map((row) => projectOf(row, origin));
}

/**
 * Removes a project from the index, together with the parsed records and the saved copy of the in-memory index that no
 * other project uses.
 */
export async function removeProject(
  queries: Queries,
  projectId: string,
): Promise<RemovedProject | undefined> {
  const [counted] = await queries.query(
    `SELECT (SELECT count(*) FROM pith.manifest WHERE project_id = $1) AS manifests,
            (SELECT count(*) FROM pith.manifest_entry JOIN pith.manifest USING (manifest_id)
               WHERE project_id = $1) AS files
     FROM pith.project WHERE project_id = $1 FOR UPDATE`,
    [projectId],
  );
  if (counted === undefined) return undefined;
  const own = await queries.query(
    `SELECT DISTINCT key FROM pith.manifest_entry JOIN pith.manifest USING (manifest_id)
     WHERE project_id = $1 AND key IS NOT NULL`,
    [projectId],
  );
  const deleted = await queries.query("DELETE FROM pith.project WHERE project_id = $1 RETURNING family", [
    projectId,
  ]);
  // Row-level security may let a user see a project that it must not remove.
  if (deleted.length === 0) return undefined;
  await queries.query("DELETE FROM pith.index_job WHERE project_id = $1", [projectId]);
  await queries.query(
    "DELETE FROM pith.image WHERE family = $1 AND family NOT IN (SELECT family FROM pith.project)",
    [deleted[0]?.["family"]],
  );
  const [swept] = await queries.query("SELECT pith.remove_records($1) AS n", [
    own.map(({ key }) => textOf(key)),
  ]);
  return {
    manifests: numberOf(counted["manifests"]),
    files: numberOf(counted["files"]),
    blobs: numberOf(swept?.["n"]),
  };
}

function projectOf(row: Row, origin: Origin): ProjectRow {
  return {
    projectId: textOf(row["project_id"]),
    root: textOf(row["root"]),
    family: textOf(row["family"]),
    lastUsed: numberOf(row["last_used"]),
    ...(row["origin"] !== origin.id && { otherHost: textOf(row["host"]) }),
  };
}
