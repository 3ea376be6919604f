import { rename } from "node:fs/promises";
import { basename } from "node:path";
import type {
  RetentionRules,
  IndexStore,
  ProjectRow,
  Publication,
  RemovedProject,
} from "../../index/store/store.ts";
import { FEATURE_VERSION } from "../../index/store/versions.ts";
import { errnoOf, PithError } from "../../kernel/errors.ts";
import { contentId } from "../../kernel/ids.ts";
import { numberOf, textOf } from "../rows/values.ts";
import { createExecutor, openStore, prepareOn, retryWhileBusy, type SqliteStore } from "./database.ts";
import { createJobTable } from "./index-jobs.ts";
import { createManifestTable, type ManifestTable } from "./index-manifests.ts";
import { INDEX_MIGRATIONS } from "./index-schema.ts";
import { findPageFault } from "./check-store.ts";
import { forEachBatch } from "./key-batches.ts";
import { addChecksum, verifyChecksum } from "./checksummed-blob.ts";

/**
 * Opens the index database. One file serves all workspaces of a user, so that clones and worktrees share what was
 * parsed from equal files.
 */
export async function openIndexStore(path: string): Promise<IndexStore> {
  const store = await retryWhileBusy(() => openStore(path, INDEX_MIGRATIONS, "index_incompatible"));
  const { manifests, records, projects, images, jobs } = prepareOn(store, "index_incompatible", createTables);
  const execute = createExecutor(path, "index_incompatible");
  return {
    name: basename(path),
    known: (keys) => execute(() => records.known(keys)),
    features: (keys) => execute(() => records.features(keys)),
    outline: (key) => execute(() => records.outline(key)),
    uses: (keys) => execute(() => records.uses(keys)),
    image: (family) => execute(() => images.read(family)),
    saveImage: (family, image) => execute(() => images.save(family, image)),
    project: (root, family) => execute(() => projects.ensure(root, family)),
    projects: () => execute(() => projects.all()),
    removeProject: (projectId) => execute(() => store.transaction(() => removeProject(store, projectId))),
    manifest: (projectId, ref) => execute(() => manifests.read(projectId, ref)),
    manifests: (projectId) => execute(() => manifests.summaries(projectId)),
    publish: (change) => execute(() => store.transaction(() => publish(change, records, manifests))),
    collect: (request) => execute(() => store.transaction(() => collect(store, records, request))),
    startJob: (job) => execute(() => jobs.start(job)),
    endJob: (jobId, status, message) => execute(() => jobs.end(jobId, status, message)),
    jobs: (projectId) => execute(() => jobs.list(projectId)),
    forgetJob: (jobId) => execute(() => jobs.forget(jobId)),
    check: () => execute(() => checkPages(store)),
    close: () => execute(() => store.close()),
  };
}

function checkPages({ db, path }: SqliteStore): void {
  const fault = findPageFault(db);
  if (fault !== undefined) throw new PithError("index_incompatible", `${path} is damaged (${fault})`);
}

function createTables(store: SqliteStore) {
  return {
    manifests: createManifestTable(store),
    records: createRecordTable(store),
    projects: createProjectTable(store),
    images: createImageTable(store),
    jobs: createJobTable(store),
  };
}

/** Renames a damaged index database within its folder. Nothing is lost, because its content can be indexed again. */
export async function discardIndexStore(path: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm"]) {
    await rename(`${path}${suffix}`, `${path}.damaged${suffix}`).catch((error: unknown) => {
      if (errnoOf(error) !== "ENOENT") throw error;
    });
  }
}

function publish(change: Publication, records: RecordTable, manifests: ManifestTable): void {
  for (const { key, record } of change.records) records.add(key, record);
  manifests.apply(change);
}

/** Deletes unused data, at most once per interval, no matter which process asks first. */
function collect(
  store: SqliteStore,
  records: RecordTable,
  { removedProjects, unusedSince, every, now }: RetentionRules,
) {
  const { db } = store;
  const last = numberOf(db.prepare("SELECT max(collected_at) AS at FROM upkeep").get()?.["at"]);
  if (now - last < every) return { blobs: 0 };
  db.exec("DELETE FROM upkeep");
  db.prepare("INSERT INTO upkeep (collected_at) VALUES (?)").run(now);
  const remove = db.prepare("DELETE FROM project WHERE project_id = ?");
  for (const projectId of removedProjects) remove.run(projectId);
  db.exec("DELETE FROM image WHERE family NOT IN (SELECT family FROM project)");
  return { blobs: records.sweep(unusedSince) };
}

function removeProject({ db }: SqliteStore, projectId: string): RemovedProject | undefined {
  const count = (sql: string): number => numberOf(db.prepare(sql).get(projectId)?.["n"]);
  if (count("SELECT count(*) AS n FROM project WHERE project_id = ?") === 0) return undefined;
  const entries = "manifest_entry JOIN manifest USING (manifest_id)";
  const manifests = count("SELECT count(*) AS n FROM manifest WHERE project_id = ?");
  const files = count(`SELECT count(*) AS n FROM ${entries} WHERE project_id = ?`);
  const blobs = db
    .prepare(
      `DELETE FROM record WHERE key IN (SELECT key FROM ${entries} WHERE project_id = ?1)
         AND key NOT IN (SELECT key FROM ${entries} WHERE project_id <> ?1 AND key IS NOT NULL)`,
    )
    .run(projectId).changes;
  db.prepare("DELETE FROM project WHERE project_id = ?").run(projectId);
  db.prepare("DELETE FROM job WHERE project_id = ?").run(projectId);
  db.exec("DELETE FROM image WHERE family NOT IN (SELECT family FROM project)");
  return { manifests, files, blobs };
}

function verifiedBytes(bytes: unknown, path: string): Uint8Array {
  const whole = verifyChecksum(bytes);
  if (whole === undefined) throw new PithError("index_incompatible", `${path} is damaged`);
  return whole;
}

type RecordTable = ReturnType<typeof createRecordTable>;

function createRecordTable({ db, path }: SqliteStore) {
  const insert = db.prepare(
    "INSERT OR REPLACE INTO record (key, feature, features, outline, added_at, uses) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const pick = "FROM record WHERE feature = ? AND key IN (SELECT value FROM json_each(?))";
  const selectKeys = db.prepare(`SELECT key ${pick}`);
  const selectFeatures = db.prepare(`SELECT key, features AS part ${pick}`);
  const selectUses = db.prepare(`SELECT key, uses AS part ${pick}`);
  const selectOutline = db.prepare("SELECT outline FROM record WHERE feature = ? AND key = ?");
  const parts = (select: typeof selectKeys, keys: readonly string[]): ReadonlyMap<string, Uint8Array> => {
    const found = new Map<string, Uint8Array>();
    forEachBatch(keys, (batch) => {
      for (const row of select.all(FEATURE_VERSION, batch))
        found.set(textOf(row["key"]), verifiedBytes(row["part"], path));
    });
    return found;
  };
  return {
    add(key: string, record: Publication["records"][number]["record"]): void {
      const [features, outline, uses] = [record.features, record.outline, record.uses].map(addChecksum);
      insert.run(key, FEATURE_VERSION, features, outline, Date.now(), uses);
    },
    known(keys: readonly string[]): ReadonlySet<string> {
      const found = new Set<string>();
      forEachBatch(keys, (batch) => {
        for (const row of selectKeys.all(FEATURE_VERSION, batch)) found.add(textOf(row["key"]));
      });
      return found;
    },
    features: (keys: readonly string[]) => parts(selectFeatures, keys),
    uses: (keys: readonly string[]) => parts(selectUses, keys),
    outline(key: string): Uint8Array | undefined {
      const row = selectOutline.get(FEATURE_VERSION, key);
      return row === undefined ? undefined : verifiedBytes(row["outline"], path);
    },
    /**
     * Deletes records (what was parsed from a file's content) of an older format, and those that no manifest references
     * and that were added before the given time.
     */
    sweep(before: number): number {
      const unused = "key NOT IN (SELECT key FROM manifest_entry WHERE key IS NOT NULL) AND added_at < ?";
      return db.prepare(`DELETE FROM record WHERE (${unused}) OR feature < ?`).run(before, FEATURE_VERSION)
        .changes;
    },
  };
}

function createImageTable({ db }: SqliteStore) {
  const select = db.prepare("SELECT bytes FROM image WHERE family = ? AND feature = ?");
  const save = db.prepare("INSERT OR REPLACE INTO image (family, feature, bytes) VALUES (?, ?, ?)");
  return {
    read(family: string): Uint8Array | undefined {
      // Reads the saved image of an in-memory index. A damaged one counts as missing, so that it is built again.
      return verifyChecksum(select.get(family, FEATURE_VERSION)?.["bytes"]);
    },
    save(family: string, image: Uint8Array): void {
      save.run(family, FEATURE_VERSION, addChecksum(image));
    },
  };
}

function createProjectTable({ db }: SqliteStore) {
  const insert = db.prepare(
    `INSERT INTO project (project_id, root, family, last_used) VALUES (?, ?, ?, ?)
     ON CONFLICT (root) DO UPDATE SET family = excluded.family, last_used = excluded.last_used`,
  );
  const all = db.prepare(
    "SELECT project_id, root, family, last_used FROM project ORDER BY last_used DESC, root",
  );
  return {
    ensure(root: string, family: string): ProjectRow {
      const row = { projectId: contentId(root, 12), root, family, lastUsed: Date.now() };
      try {
        insert.run(row.projectId, root, family, row.lastUsed);
      } catch (error) {
        // The write may fail because the disk is full; a project that is already stored can still be read.
        if (!all.all().some((known) => known["root"] === root && known["family"] === family)) throw error;
      }
      return row;
    },
    all: (): readonly ProjectRow[] => all.all().map(projectOf),
  };
}

function projectOf(row: Record<string, unknown>): ProjectRow {
  return {
    projectId: textOf(row["project_id"]),
    root: textOf(row["root"]),
    family: textOf(row["family"]),
    lastUsed: numberOf(row["last_used"]),
  };
}
