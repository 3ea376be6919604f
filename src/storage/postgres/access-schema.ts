/**
 * Row-level security, in addition to table privileges: only the user that created a project, its manifests, a run or
 * its log may change those rows. Whoever may read a table may read all of its rows, and the owner of the tables is
 * exempt. The end of a run in the worker pool may be recorded by any user that observes it.
 */
export const ACCESS_RULES = [
  ownedBy("project", "owner = current_user"),
  ownedBy(
    "manifest",
    "EXISTS (SELECT FROM pith.project p WHERE p.project_id = manifest.project_id AND p.owner = current_user)",
  ),
  ownedBy(
    "manifest_entry",
    `EXISTS (SELECT FROM pith.manifest m JOIN pith.project p USING (project_id)
       WHERE m.manifest_id = manifest_entry.manifest_id AND p.owner = current_user)`,
  ),
  ownedBy("run", "owner = current_user", "owner = current_user OR owner_identity = 'pool'"),
  ownedBy(
    "run_log",
    "EXISTS (SELECT FROM pith.run r WHERE r.id = run_log.run_id AND r.owner = current_user)",
  ),
].join("\n");

/** Returns the SQL policies of one table. All names are literals of this file, so nothing needs escaping. */
function ownedBy(table: string, isOwn: string, mayUpdate = isOwn): string {
  return `
    ALTER TABLE pith.${table} ENABLE ROW LEVEL SECURITY;
    CREATE POLICY ${table}_read ON pith.${table} FOR SELECT USING (true);
    CREATE POLICY ${table}_add ON pith.${table} FOR INSERT WITH CHECK (${isOwn});
    CREATE POLICY ${table}_change ON pith.${table} FOR UPDATE USING (${mayUpdate});
    CREATE POLICY ${table}_remove ON pith.${table} FOR DELETE USING (${isOwn});`;
}
