import type { RetentionRules, IndexStore } from "../../../index/store/store.ts";
import { FEATURE_VERSION } from "../../../index/store/versions.ts";
import type { Origin } from "../../files/origin.ts";
import { numberOf } from "../../rows/values.ts";
import type { Postgres, Queries } from "../database.ts";
import { endIndexJob, indexJobs, startIndexJob } from "./jobs.ts";
import { applyToManifest, manifestSummaries, readManifest } from "./manifests.ts";
import { allProjects, ensureProject, removeProject } from "./projects.ts";
import { addRecords, knownRecords, readOutline, readParts, sweepRecords } from "./records.ts";
import { isBytes } from "../values.ts";

/**
 * Creates the index of a team, shared by all projects of all machines. The schema must already be migrated. Closing the
 * index leaves the database connections open.
 */
export function createPostgresIndexStore(store: Postgres, origin: Origin): IndexStore {
  return {
    name: store.place.database,
    known: (keys) => knownRecords(store, keys),
    features: (keys) => readParts(store, "features", keys),
    outline: (key) => readOutline(store, key),
    uses: (keys) => readParts(store, "uses", keys),
    async image(family) {
      const [row] = await store.query("SELECT bytes FROM pith.image WHERE family = $1 AND feature = $2", [
        family,
        FEATURE_VERSION,
      ]);
      const bytes: unknown = row?.["bytes"];
      return isBytes(bytes) ? bytes : undefined;
    },
    async saveImage(family, image) {
      await store.query(
        `INSERT INTO pith.image (family, feature, bytes) VALUES ($1, $2, $3)
         ON CONFLICT (family, feature) DO UPDATE SET bytes = excluded.bytes`,
        [family, FEATURE_VERSION, image],
      );
    },
    project: (root, family) => ensureProject(store, origin, { root, family }),
    projects: () => allProjects(store, origin),
    removeProject: (projectId) => store.transaction((queries) => removeProject(queries, projectId)),
    manifest: (projectId, ref) => readManifest(store, projectId, ref),
    manifests: (projectId) => manifestSummaries(store, projectId),
    publish: (change) =>
      store.transaction(async (queries) => {
        await applyToManifest(queries, change);
        await addRecords(queries, change.records);
      }),
    async collect(clearance) {
      const isTurn = await store.transaction((queries) => collect(queries, clearance));
      return { blobs: isTurn ? await sweepRecords(store, clearance.unusedSince) : 0 };
    },
    startJob: (job) => startIndexJob(store, origin, job),
    endJob: (jobId, status, message) => endIndexJob(store, jobId, status, message),
    jobs: (projectId) => indexJobs(store, origin, projectId),
    forgetJob: (jobId) => endIndexJob(store, jobId, "done"),
    close: () => Promise.resolve(),
  };
}

/**
 * Deletes unused data, at most once per interval. The row with the time of the last cleanup is locked, so that only one
 * server deletes at a time.
 */
async function collect(queries: Queries, { removedProjects, every, now }: RetentionRules): Promise<boolean> {
  await queries.query("INSERT INTO pith.upkeep (collected_at) VALUES (0) ON CONFLICT DO NOTHING");
  const [row] = await queries.query("SELECT collected_at FROM pith.upkeep FOR UPDATE");
  if (now - numberOf(row?.["collected_at"]) < every) return false;
  await queries.query("UPDATE pith.upkeep SET collected_at = $1", [now]);
  await queries.query("DELETE FROM pith.project WHERE project_id = ANY($1::text[])", [removedProjects]);
  await queries.query("DELETE FROM pith.image WHERE family NOT IN (SELECT family FROM pith.project)");
  return true;
}
