import { basename } from "node:path";
import type { QuantisedVector } from "../../semantic/quantise.ts";
import { decodeSlices } from "../../semantic/slices.ts";
import type {
  ChunkVector,
  Claim,
  Space,
  SpaceModel,
  VectorClearance,
  VectorStore,
} from "../../semantic/store.ts";
import { spaceOf } from "../rows/space.ts";
import { numberOf, textOf } from "../rows/values.ts";
import { createExecutor, openStore, prepareOn, retryWhileBusy, type SqliteStore } from "./database.ts";
import { INDEX_MIGRATIONS } from "./index-schema.ts";
import { forEachBatch } from "./key-batches.ts";

/**
 * Opens the vectors in the index database on a separate connection, so that users without an embedding provider do not
 * open them at all.
 */
export async function openVectorStore(path: string): Promise<VectorStore> {
  const store = await retryWhileBusy(() => openStore(path, INDEX_MIGRATIONS, "index_incompatible"));
  const { spaces, slices, vectors, claims } = prepareOn(store, "index_incompatible", createTables);
  const execute = createExecutor(path, "index_incompatible");
  return {
    name: basename(path),
    space: (model, now) => execute(() => store.transaction(() => spaces.ensure(model, now))),
    spaces: () => execute(() => spaces.all()),
    slices: (keys) => execute(() => slices.read(keys)),
    saveSlices: (list) => execute(() => store.transaction(() => slices.save(list))),
    known: (spaceId, chunks) => execute(() => vectors.known(spaceId, chunks)),
    vectors: (spaceId, chunks) => execute(() => vectors.read(spaceId, chunks)),
    save: (spaceId, list) =>
      execute(() =>
        store.transaction(() => {
          spaces.widen(spaceId, list[0]?.vector.codes.length ?? 0);
          vectors.save(spaceId, list);
          claims.release(
            spaceId,
            list.map(({ chunk }) => chunk),
          );
        }),
      ),
    claim: (spaceId, chunks, claim) =>
      execute(() => store.transaction(() => claims.take(spaceId, chunks, claim))),
    release: (spaceId, chunks) => execute(() => store.transaction(() => claims.release(spaceId, chunks))),
    dropClaims: (isGone) => execute(() => store.transaction(() => claims.drop(isGone))),
    collect: (clearance) => execute(() => store.transaction(() => collect(store, clearance))),
    close: () => execute(() => store.close()),
  };
}

function createTables(store: SqliteStore) {
  return {
    spaces: createSpaceTable(store),
    slices: createSliceTable(store),
    vectors: createVectorTable(store),
    claims: createClaimTable(store),
  };
}

function createSpaceTable({ db }: SqliteStore) {
  const insert = db.prepare(
    `INSERT INTO vector_space (provider, model, dimensions, document_prefix, query_prefix, width, last_used)
     VALUES (?, ?, ?, ?, ?, 0, ?)
     ON CONFLICT (provider, model, dimensions, document_prefix)
       DO UPDATE SET query_prefix = excluded.query_prefix, last_used = excluded.last_used
     RETURNING *`,
  );
  const widen = db.prepare("UPDATE vector_space SET width = ? WHERE space_id = ? AND width = 0");
  const all = db.prepare("SELECT * FROM vector_space ORDER BY last_used DESC, space_id DESC");
  return {
    ensure({ provider, model, dimensions, documentPrefix, queryPrefix }: SpaceModel, now: number): Space {
      return spaceOf(insert.get(provider, model, dimensions, documentPrefix, queryPrefix, now) ?? {});
    },
    widen(spaceId: number, width: number): void {
      widen.run(width, spaceId);
    },
    all: (): readonly Space[] => all.all().map(spaceOf),
  };
}

function createSliceTable({ db }: SqliteStore) {
  const insert = db.prepare("INSERT OR REPLACE INTO slice (key, slices, added_at) VALUES (?, ?, ?)");
  const select = db.prepare("SELECT key, slices FROM slice WHERE key IN (SELECT value FROM json_each(?))");
  return {
    save(list: readonly { readonly key: string; readonly slices: Uint8Array }[]): void {
      const now = Date.now();
      for (const { key, slices } of list) insert.run(key, slices, now);
    },
    read(keys: readonly string[]): ReadonlyMap<string, Uint8Array> {
      const found = new Map<string, Uint8Array>();
      forEachBatch(keys, (batch) => {
        for (const row of select.all(batch)) {
          const bytes: unknown = row["slices"];
          if (bytes instanceof Uint8Array) found.set(textOf(row["key"]), bytes);
        }
      });
      return found;
    },
  };
}

function createVectorTable({ db }: SqliteStore) {
  const insert = db.prepare(
    "INSERT OR REPLACE INTO vector (space_id, chunk, scale, codes, added_at) VALUES (?, ?, ?, ?, ?)",
  );
  const pick = "FROM vector WHERE space_id = ? AND chunk IN (SELECT value FROM json_each(?))";
  const selectKnown = db.prepare(`SELECT chunk ${pick}`);
  const select = db.prepare(`SELECT chunk, scale, codes ${pick}`);
  return {
    save(spaceId: number, list: readonly ChunkVector[]): void {
      const now = Date.now();
      for (const { chunk, vector } of list) {
        const { buffer, byteOffset, byteLength } = vector.codes;
        insert.run(spaceId, chunk, vector.scale, new Uint8Array(buffer, byteOffset, byteLength), now);
      }
    },
    known(spaceId: number, chunks: readonly string[]): ReadonlySet<string> {
      const found = new Set<string>();
      forEachBatch(chunks, (batch) => {
        for (const row of selectKnown.all(spaceId, batch)) found.add(textOf(row["chunk"]));
      });
      return found;
    },
    read(spaceId: number, chunks: readonly string[]): ReadonlyMap<string, QuantisedVector> {
      const found = new Map<string, QuantisedVector>();
      forEachBatch(chunks, (batch) => {
        for (const row of select.all(spaceId, batch)) {
          const bytes: unknown = row["codes"];
          if (!(bytes instanceof Uint8Array)) continue;
          const codes = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
          found.set(textOf(row["chunk"]), { codes, scale: numberOf(row["scale"]) });
        }
      });
      return found;
    },
  };
}

function createClaimTable({ db }: SqliteStore) {
  const expire = db.prepare("DELETE FROM vector_claim WHERE until < ?");
  const insert = db.prepare(
    `INSERT INTO vector_claim (space_id, chunk, owner, until)
     SELECT ?1, value, ?3, ?4 FROM json_each(?2) WHERE true
     ON CONFLICT (space_id, chunk) DO UPDATE SET until = excluded.until WHERE owner = excluded.owner
     RETURNING chunk`,
  );
  const remove = db.prepare(
    "DELETE FROM vector_claim WHERE space_id = ? AND chunk IN (SELECT value FROM json_each(?))",
  );
  return {
    take(spaceId: number, chunks: readonly string[], { owner, now, until }: Claim): ReadonlySet<string> {
      expire.run(now);
      const rows = insert.all(spaceId, JSON.stringify(chunks), owner, until);
      return new Set(rows.map((row) => textOf(row["chunk"])));
    },
    release(spaceId: number, chunks: readonly string[]): void {
      remove.run(spaceId, JSON.stringify(chunks));
    },
    drop(isGone: (owner: string) => boolean): void {
      for (const row of db.prepare("SELECT DISTINCT owner FROM vector_claim").all()) {
        const owner = textOf(row["owner"]);
        if (isGone(owner)) db.prepare("DELETE FROM vector_claim WHERE owner = ?").run(owner);
      }
    },
  };
}

/** Deletes the slices of removed blobs (file contents), then vectors that no slice references, then unused models. */
function collect({ db }: SqliteStore, { held, unusedSince }: VectorClearance): { vectors: number } {
  const used = new Set<string>();
  const removeSlice = db.prepare("DELETE FROM slice WHERE key = ?");
  for (const row of db.prepare("SELECT key, slices, added_at FROM slice").all()) {
    const key = textOf(row["key"]);
    const bytes: unknown = row["slices"];
    if (!held.has(key) && numberOf(row["added_at"]) < unusedSince) removeSlice.run(key);
    else if (bytes instanceof Uint8Array) for (const { chunk } of decodeSlices(bytes)) used.add(chunk);
  }
  let vectors = 0;
  const old = db.prepare("SELECT vector_id, chunk FROM vector WHERE added_at < ?").all(unusedSince);
  const removeVector = db.prepare("DELETE FROM vector WHERE vector_id = ?");
  for (const row of old)
    if (!used.has(textOf(row["chunk"]))) vectors += removeVector.run(numberOf(row["vector_id"])).changes;
  const stale = db.prepare("SELECT space_id FROM vector_space WHERE last_used < ?").all(unusedSince);
  for (const row of stale) {
    const id = numberOf(row["space_id"]);
    vectors += db.prepare("DELETE FROM vector WHERE space_id = ?").run(id).changes;
    db.prepare("DELETE FROM vector_space WHERE space_id = ?").run(id);
  }
  return { vectors };
}
