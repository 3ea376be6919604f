import type { NearChunk } from "../../../semantic/store.ts";
import { numberOf, textOf } from "../../rows/values.ts";
import type { Queries } from "../database.ts";

/** Whether PostgreSQL itself can search vectors, and if not, a note that says what to do about it. */
export type PointSupport = { readonly ready: true } | { readonly ready: false; readonly note: string };

const INSTEAD = "until then vectors are compared in this server's memory";

/**
 * Prepares vector search in the database with the extension pgvector, which needs a second form of each vector, here
 * called a point. Points are made from the quantised bytes without their scale, because cosine distance depends only on
 * direction. Without the extension, everything else still works.
 */
export async function preparePoints(queries: Queries): Promise<PointSupport> {
  const [found] = await queries.query(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') AS installed,
       EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') AS available,
       coalesce(has_table_privilege(to_regclass('pith.vector_point'), 'INSERT'), false) AS there,
       pg_has_role((SELECT nspowner FROM pg_namespace WHERE nspname = 'pith'), 'MEMBER') AS owner`,
  );
  if (found?.["installed"] !== true) {
    const note =
      found?.["available"] === true
        ? `pgvector is not switched on in this database: CREATE EXTENSION vector; ${INSTEAD}`
        : `PostgreSQL has no vector extension (pgvector) here; ${INSTEAD}`;
    return { ready: false, note };
  }
  if (found["there"] !== true) {
    if (found["owner"] !== true)
      return {
        ready: false,
        note: `pgvector is not prepared: connect once as the store's owner; ${INSTEAD}`,
      };
    await queries.query(POINT_TABLE);
    await queries.query(POINT_RIGHTS);
  }
  await fillPoints(queries);
  return { ready: true };
}

const POINT_TABLE = `
  CREATE TABLE IF NOT EXISTS pith.vector_point (
    space_id integer NOT NULL,
    chunk text COLLATE "C" NOT NULL,
    point halfvec NOT NULL,
    PRIMARY KEY (space_id, chunk),
    FOREIGN KEY (space_id, chunk) REFERENCES pith.vector ON DELETE CASCADE
  )`;

/** SQL that repeats the grant of `rolesSql`, for roles that were created before pgvector was installed. */
const POINT_RIGHTS = `
  DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'pith_developer') THEN
      GRANT SELECT, INSERT, UPDATE, DELETE ON pith.vector_point TO pith_developer;
    END IF;
  END $$`;

/** SQL that converts signed bytes to a vector. */
const POINT = `(SELECT array_agg((get_byte(v.codes, at) + 128) % 256 - 128 ORDER BY at)
  FROM generate_series(0, length(v.codes) - 1) AS at)::real[]::halfvec`;
const POINTS_PER_FILL = 500;

/**
 * Creates the missing points (the form of a vector that pgvector searches) of vectors that were stored by another
 * server or before pgvector was installed.
 */
async function fillPoints(queries: Queries): Promise<void> {
  for (;;) {
    const rows = await queries.query(
      `INSERT INTO pith.vector_point (space_id, chunk, point)
       SELECT v.space_id, v.chunk, ${POINT} FROM pith.vector v
       WHERE NOT EXISTS (SELECT FROM pith.vector_point p WHERE p.space_id = v.space_id AND p.chunk = v.chunk)
       ORDER BY v.space_id, v.chunk LIMIT ${POINTS_PER_FILL}
       ON CONFLICT DO NOTHING RETURNING 1`,
    );
    if (rows.length < POINTS_PER_FILL) return;
  }
}

/** Creates points (the form of a vector that pgvector searches) for vectors that were just stored. */
export async function addPoints(queries: Queries, spaceId: number, chunks: readonly string[]): Promise<void> {
  await queries.query(
    `INSERT INTO pith.vector_point (space_id, chunk, point)
     SELECT v.space_id, v.chunk, ${POINT} FROM pith.vector v
     WHERE v.space_id = $1 AND v.chunk = ANY($2::text[]) ORDER BY v.chunk
     ON CONFLICT (space_id, chunk) DO UPDATE SET point = excluded.point`,
    [spaceId, chunks],
  );
}

export interface PointQuery {
  readonly spaceId: number;
  readonly query: Float32Array;
  readonly limit: number;
  /** Restricts the search to these chunks; by default, all chunks with a vector of the same model are searched. */
  readonly among?: readonly string[];
}

/**
 * Returns the chunks of text nearest to a query, best first. The SQL is written so that an index on `point::halfvec(N)`
 * could serve it.
 */
export async function nearestPoints(
  queries: Queries,
  { spaceId, query, limit, among }: PointQuery,
): Promise<readonly NearChunk[]> {
  // The dimension is written into the SQL because a type takes no parameters; it is a number computed here, so it
  // cannot inject SQL.
  const type = `halfvec(${Math.trunc(query.length)})`;
  const distance = `point::${type} <=> $2::${type}`;
  const rows = await queries.query(
    `SELECT chunk, 1 - (${distance}) AS similarity FROM pith.vector_point
     WHERE space_id = $1 ${among === undefined ? "" : "AND chunk = ANY($4::text[])"}
     ORDER BY ${distance} LIMIT $3`,
    [spaceId, `[${query.join(",")}]`, limit, ...(among === undefined ? [] : [among])],
  );
  return rows.map((row) => ({ chunk: textOf(row["chunk"]), similarity: numberOf(row["similarity"]) }));
}
