import { ownersFunction } from "./define-function.ts";

/** Functions that mark packs as used, and remove those that nobody has used for 14 days. */
export const PACK_FUNCTIONS = [
  ownersFunction(
    "use_packs(commits text[])",
    "SETOF text",
    `DECLARE
      login text := pith.caller();
      sees_all boolean := pith.is_worker();
    BEGIN
      RETURN QUERY UPDATE pith.pack SET used_at = now()
        WHERE commit_id = ANY (commits) AND (sees_all OR is_base OR owner = login) RETURNING commit_id;
    END`,
  ),
  // The newest pack of the caller on which others may build. It is marked as used, so that nobody removes it before the
  // pack that builds on it is stored.
  ownersFunction(
    "newest_base(of_project text)",
    "TABLE (commit_id text, depth integer)",
    `DECLARE
      login text := pith.caller();
    BEGIN
      RETURN QUERY UPDATE pith.pack p SET used_at = now() WHERE p.commit_id = (
          SELECT b.commit_id FROM pith.pack b WHERE b.project = of_project AND b.is_base AND b.owner = login
          ORDER BY b.added_at DESC LIMIT 1)
        RETURNING p.commit_id, p.depth;
    END`,
  ),
  // Packs on which newer ones build are kept.
  ownersFunction(
    "remove_unused_packs()",
    "void",
    `BEGIN
      WITH RECURSIVE kept AS (
        SELECT commit_id, needs FROM pith.pack WHERE used_at > now() - interval '14 days'
        UNION SELECT p.commit_id, p.needs FROM pith.pack p JOIN kept k ON p.commit_id = ANY (k.needs))
      DELETE FROM pith.pack p WHERE used_at <= now() - interval '14 days'
        AND NOT EXISTS (SELECT FROM kept k WHERE k.commit_id = p.commit_id);
    END`,
  ),
].join("\n");
