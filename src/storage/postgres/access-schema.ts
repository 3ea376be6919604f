/**
 * Row-level security, in addition to table privileges: a project, its manifests, a run and its log can be changed only by the user that
 * created them. Everybody who may read a table may read all rows. The owner of the tables is exempt. A run of the pool may be ended by
 * whoever observes its end first.
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

/** Returns the policies of one table. All names are literals of this file. */
function ownedBy(table: string, isOwn: string, mayUpdate = isOwn): string {
  return `
    ALTER TABLE pith.${table} ENABLE ROW LEVEL SECURITY;
    CREATE POLICY ${table}_read ON pith.${table} FOR SELECT USING (true);
    CREATE POLICY ${table}_add ON pith.${table} FOR INSERT WITH CHECK (${isOwn});
    CREATE POLICY ${table}_change ON pith.${table} FOR UPDATE USING (${mayUpdate});
    CREATE POLICY ${table}_remove ON pith.${table} FOR DELETE USING (${isOwn});`;
}
