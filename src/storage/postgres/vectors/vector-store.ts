import { compareText } from "../../../kernel/nearest.ts";
import type { QuantisedVector } from "../../../semantic/quantise.ts";
import { decodeSlices } from "../../../semantic/slices.ts";
import type {
  ChunkVector,
  Claim,
  Space,
  SpaceModel,
  VectorClearance,
  VectorStore,
} from "../../../semantic/store.ts";
import { spaceOf } from "../../rows/space.ts";
import { numberOf, textOf } from "../../rows/values.ts";
import type { Postgres, Queries } from "../database.ts";
import { isBytes, storable } from "../values.ts";
import { addPoints, nearestPoints, preparePoints } from "./points.ts";

/**
 * The database functions that the vector store needs; both the driver's connection pool and an in-process PostgreSQL
 * provide them.
 */
export type VectorDatabase = Pick<Postgres, "query" | "transaction">;

/**
 * Opens the vectors of a team, which are computed once for everybody. With pgvector the database searches them; without
 * it they are loaded into memory and searched there. The schema must already be migrated. Closing the store leaves the
 * connections open.
 */
export async function openPostgresVectorStore(database: VectorDatabase, name: string): Promise<VectorStore> {
  const points = await preparePoints(database);
  return {
    name,
    ...(!points.ready && { note: points.note }),
    space: (model, now) => ensureSpace(database, model, now),
    spaces: () => allSpaces(database),
    slices: (keys) => readSlices(database, keys),
    saveSlices: (list) => saveSlices(database, list),
    known: (spaceId, chunks) => knownVectors(database, spaceId, chunks),
    vectors: (spaceId, chunks) => readVectors(database, spaceId, chunks),
    save: (spaceId, vectors) =>
      database.transaction(async (queries) => {
        await addVectors(queries, spaceId, vectors);
        if (points.ready)
          await addPoints(
            queries,
            spaceId,
            vectors.map(({ chunk }) => chunk),
          );
      }),
    claim: (spaceId, chunks, claim) =>
      database.transaction((queries) => takeClaims(queries, spaceId, chunks, claim)),
    release: (spaceId, chunks) => releaseClaims(database, spaceId, chunks),
    dropClaims: (isGone) => dropClaims(database, isGone),
    ...(points.ready && {
      nearest: (spaceId, query, options) => nearestPoints(database, { spaceId, query, ...options }),
    }),
    collect: (clearance) => database.transaction((queries) => collectVectors(queries, clearance)),
    close: () => Promise.resolve(),
  };
}

/** How many chunk names one SQL statement looks up. */
const NAMES_PER_READ = 2_000;
const ROWS_PER_SWEEP = 5_000;

/** Finds or creates the vector space of a model, that is, the set of all its vectors. */
async function ensureSpace(queries: Queries, model: SpaceModel, now: number): Promise<Space> {
  const { provider, dimensions } = model;
  const [row] = await queries.query(
    `INSERT INTO pith.vector_space (provider, model, dimensions, document_prefix, query_prefix, width, last_used)
     VALUES ($1, $2, $3, $4, $5, 0, $6)
     ON CONFLICT (provider, model, dimensions, document_prefix)
       DO UPDATE SET query_prefix = excluded.query_prefix, last_used = excluded.last_used
     RETURNING *`,
    [
      provider,
      storable(model.model),
      dimensions,
      storable(model.documentPrefix),
      storable(model.queryPrefix),
      now,
    ],
  );
  return spaceOf(row ?? {});
}

async function allSpaces(queries: Queries): Promise<readonly Space[]> {
  const rows = await queries.query("SELECT * FROM pith.vector_space ORDER BY last_used DESC, space_id DESC");
  return rows.map(spaceOf);
}

/** Returns how these blobs (file contents) are sliced into chunks, in encoded form. */
async function readSlices(
  queries: Queries,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  for (const batch of batches(keys)) {
    const rows = await queries.query("SELECT key, slices FROM pith.slice WHERE key = ANY($1::text[])", [
      batch,
    ]);
    for (const { key, slices } of rows) if (isBytes(slices)) found.set(textOf(key), slices);
  }
  return found;
}

async function saveSlices(
  queries: Queries,
  list: readonly { readonly key: string; readonly slices: Uint8Array }[],
): Promise<void> {
  const sorted = list.toSorted((a, b) => compareText(a.key, b.key));
  await queries.query(
    `INSERT INTO pith.slice (key, slices, added_at)
     SELECT key, decode(hex, 'hex'), $1 FROM unnest($2::text[], $3::text[]) AS new (key, hex)
     ON CONFLICT (key) DO UPDATE SET slices = excluded.slices, added_at = excluded.added_at`,
    [
      Date.now(),
      sorted.map(({ key }) => key),
      sorted.map(({ slices }) => Buffer.from(slices).toString("hex")),
    ],
  );
}

/** Returns which of the chunks already have a vector. */
async function knownVectors(
  queries: Queries,
  spaceId: number,
  chunks: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const batch of batches(chunks)) {
    const rows = await queries.query(
      "SELECT chunk FROM pith.vector WHERE space_id = $1 AND chunk = ANY($2::text[])",
      [spaceId, batch],
    );
    for (const { chunk } of rows) found.add(textOf(chunk));
  }
  return found;
}

async function readVectors(
  queries: Queries,
  spaceId: number,
  chunks: readonly string[],
): Promise<ReadonlyMap<string, QuantisedVector>> {
  const found = new Map<string, QuantisedVector>();
  for (const batch of batches(chunks)) {
    const rows = await queries.query(
      "SELECT chunk, scale, codes FROM pith.vector WHERE space_id = $1 AND chunk = ANY($2::text[])",
      [spaceId, batch],
    );
    for (const { chunk, scale, codes } of rows)
      if (isBytes(codes))
        found.set(textOf(chunk), {
          codes: new Int8Array(codes.buffer, codes.byteOffset, codes.byteLength),
          scale: numberOf(scale),
        });
  }
  return found;
}

/**
 * Adds vectors in the order of their chunk names, so that two servers that add the same ones wait for each other
 * instead of deadlocking.
 */
async function addVectors(queries: Queries, spaceId: number, vectors: readonly ChunkVector[]): Promise<void> {
  const sorted = vectors.toSorted((a, b) => compareText(a.chunk, b.chunk));
  const names = sorted.map(({ chunk }) => chunk);
  await queries.query("UPDATE pith.vector_space SET width = $2 WHERE space_id = $1 AND width = 0", [
    spaceId,
    sorted[0]?.vector.codes.length ?? 0,
  ]);
  await queries.query(
    `INSERT INTO pith.vector (space_id, chunk, scale, codes, added_at)
     SELECT $1, chunk, scale, decode(hex, 'hex'), $2
     FROM unnest($3::text[], $4::real[], $5::text[]) AS new (chunk, scale, hex)
     ON CONFLICT (space_id, chunk) DO UPDATE
       SET scale = excluded.scale, codes = excluded.codes, added_at = excluded.added_at`,
    [
      spaceId,
      Date.now(),
      names,
      sorted.map(({ vector }) => vector.scale),
      sorted.map(({ vector: { codes } }) =>
        Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).toString("hex"),
      ),
    ],
  );
  await releaseClaims(queries, spaceId, names);
}

/**
 * Claims chunks, so that only this process computes their vectors. Returns the chunks that no other process had
 * claimed.
 */
async function takeClaims(
  queries: Queries,
  spaceId: number,
  chunks: readonly string[],
  { owner, now, until }: Claim,
): Promise<ReadonlySet<string>> {
  await queries.query(
    `DELETE FROM pith.vector_claim WHERE (space_id, chunk) IN (
       SELECT space_id, chunk FROM pith.vector_claim WHERE until < $1 FOR UPDATE SKIP LOCKED)`,
    [now],
  );
  const rows = await queries.query(
    `INSERT INTO pith.vector_claim AS held (space_id, chunk, owner, until)
     SELECT $1, chunk, $3, $4 FROM unnest($2::text[]) AS new (chunk) ORDER BY chunk
     ON CONFLICT (space_id, chunk) DO UPDATE SET until = excluded.until, owner = excluded.owner
       WHERE held.owner = excluded.owner OR held.until < $5
     RETURNING chunk`,
    [spaceId, chunks, owner, until, now],
  );
  return new Set(rows.map(({ chunk }) => textOf(chunk)));
}

async function releaseClaims(queries: Queries, spaceId: number, chunks: readonly string[]): Promise<void> {
  await queries.query("DELETE FROM pith.vector_claim WHERE space_id = $1 AND chunk = ANY($2::text[])", [
    spaceId,
    chunks,
  ]);
}

/** Drops the claims on chunks of processes that no longer exist. */
async function dropClaims(queries: Queries, isGone: (owner: string) => boolean): Promise<void> {
  const rows = await queries.query("SELECT DISTINCT owner FROM pith.vector_claim");
  const gone = rows.map(({ owner }) => textOf(owner)).filter(isGone);
  await queries.query("DELETE FROM pith.vector_claim WHERE owner = ANY($1::text[])", [gone]);
}

/** Deletes the slices of removed blobs (file contents), then vectors that no slice references, then unused models. */
async function collectVectors(
  queries: Queries,
  { held, unusedSince }: VectorClearance,
): Promise<{ vectors: number }> {
  const used = new Set<string>();
  const gone: string[] = [];
  for (const { key, slices, added_at: added } of await queries.query("SELECT * FROM pith.slice")) {
    if (!held.has(textOf(key)) && numberOf(added) < unusedSince) gone.push(textOf(key));
    else if (isBytes(slices)) for (const { chunk } of decodeSlices(slices)) used.add(chunk);
  }
  await queries.query("DELETE FROM pith.slice WHERE key = ANY($1::text[])", [gone]);
  const old = await queries.query("SELECT space_id, chunk FROM pith.vector WHERE added_at < $1", [
    unusedSince,
  ]);
  const unused = old.filter(({ chunk }) => !used.has(textOf(chunk)));
  for (let at = 0; at < unused.length; at += ROWS_PER_SWEEP) {
    const part = unused.slice(at, at + ROWS_PER_SWEEP);
    await queries.query(
      "DELETE FROM pith.vector WHERE (space_id, chunk) IN (SELECT * FROM unnest($1::int[], $2::text[]))",
      [part.map((row) => numberOf(row["space_id"])), part.map(({ chunk }) => textOf(chunk))],
    );
  }
  const spaces = "SELECT space_id FROM pith.vector_space WHERE last_used < $1";
  const [row] = await queries.query(
    `WITH gone AS (DELETE FROM pith.vector WHERE space_id IN (${spaces}) RETURNING 1) SELECT count(*) AS count FROM gone`,
    [unusedSince],
  );
  await queries.query("DELETE FROM pith.vector_space WHERE last_used < $1", [unusedSince]);
  return { vectors: unused.length + numberOf(row?.["count"]) };
}

function* batches(names: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < names.length; at += NAMES_PER_READ) yield names.slice(at, at + NAMES_PER_READ);
}
