import type { VectorStore } from "../../../semantic/store.ts";
import type { Postgres } from "../database.ts";
import { addPoints, nearestPoints, preparePoints } from "./points.ts";
import {
  addVectors,
  allSpaces,
  collectVectors,
  dropClaims,
  ensureSpace,
  knownVectors,
  readSlices,
  readVectors,
  releaseClaims,
  saveSlices,
  takeClaims,
} from "./vectors.ts";

/** What is needed of a connection: the driver's pool and a PostgreSQL inside the process both have it. */
export type VectorDatabase = Pick<Postgres, "query" | "transaction">;

/**
 * The vectors of a team: embedded once for everybody. With pgvector the database searches them, without it they are
 * read into memory and searched here. Its schema has been migrated; closing it leaves the connections open.
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
