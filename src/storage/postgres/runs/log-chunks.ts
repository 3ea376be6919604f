import type { LogChunk } from "../../../model/job.ts";
import type { LogTotals, StreamName } from "../../../model/run.ts";
import type { ChunkQuery } from "../../../pool/queue.ts";
import { bytesOf } from "../../rows/values.ts";
import type { Postgres, Queries, Row } from "../database.ts";
import type { Bodies } from "../objects/bodies.ts";

/**
 * The two tables that hold output in chunks: for each, the column with the id of the job or run, and the SQL that finds
 * the partition of id $1, so that PostgreSQL does not search the others.
 */
export const JOB_LOG = {
  table: "pith.job_log",
  id: "job_id",
  partition: "stored_at = (SELECT o.stored_at FROM pith.job o WHERE o.id = $1)",
} as const;
export const RUN_LOG = {
  table: "pith.run_log",
  id: "run_id",
  partition: "stored_at = (SELECT o.stored_at FROM pith.run_id o WHERE o.id = $1)",
} as const;

/** Identifies whose output a chunk is: that of one attempt at a job, or that of a run. */
export interface ChunkOwner {
  readonly log: typeof JOB_LOG | typeof RUN_LOG;
  readonly id: string;
  readonly token: number;
}

/** SQL for the size of a chunk; only the index knows that of one in the object store. */
const SIZE = "CASE WHEN object IS NULL THEN octet_length(bytes) ELSE size END";
/** How many chunks one SQL statement writes; a chunk has up to 256 KB. */
const CHUNKS_PER_STATEMENT = 16;

/** A chunk, and where in the object store its bytes are, if they are not stored in the database. */
export interface PlacedChunk extends LogChunk {
  readonly object?: { readonly key: string; readonly offset: number };
}

/** A smaller part of a log is stored in the database, so that slow output does not become many small objects. */
const MIN_OBJECT_BYTES = 64 * 1024;

/**
 * Decides where the bytes of chunks are stored. The start of each log is in the database, which is all of most logs; what follows is
 * stored as one object for all chunks that are sent together.
 */
export async function placeChunks(
  chunks: readonly LogChunk[],
  bodies: Bodies,
): Promise<readonly PlacedChunk[]> {
  const isLarge = ({ bytesBefore, bytes }: LogChunk): boolean => bytesBefore + bytes.length > bodies.minBytes;
  const large = chunks.filter(isLarge);
  const body = Buffer.concat(large.map(({ bytes }) => bytes));
  if (body.length < MIN_OBJECT_BYTES) return chunks;
  const key = await bodies.put("log", body);
  if (key === undefined) return chunks;
  let offset = 0;
  return chunks.map((chunk) => {
    if (!isLarge(chunk)) return chunk;
    const object = { key, offset };
    offset += chunk.bytes.length;
    return { ...chunk, object };
  });
}

/** Divides chunks into groups that one SQL statement writes. */
export function pagesOf(chunks: readonly PlacedChunk[]): (readonly PlacedChunk[])[] {
  const count = Math.ceil(chunks.length / CHUNKS_PER_STATEMENT);
  return Array.from({ length: count }, (_, page) =>
    chunks.slice(page * CHUNKS_PER_STATEMENT, (page + 1) * CHUNKS_PER_STATEMENT),
  );
}

/**
 * Returns the columns of chunks, each as one array: seq, stream, lines, the counts before them, the bytes, or the object that has
 * them and their size.
 */
export function chunkColumns(page: readonly PlacedChunk[]): readonly (readonly unknown[])[] {
  return [
    page.map((one) => one.seq),
    page.map((one) => one.stream),
    page.map((one) => one.lines),
    page.map((one) => one.stdoutBefore),
    page.map((one) => one.stderrBefore),
    page.map((one) => one.bytesBefore),
    page.map((one) => one.firstLineIn),
    page.map((one) => (one.object === undefined ? one.bytes : null)),
    page.map((one) => one.object?.key ?? null),
    page.map((one) => one.object?.offset ?? null),
    page.map((one) => (one.object === undefined ? null : one.bytes.length)),
  ];
}

/** Adds chunks of a run's output; chunks that are already stored stay as they are. */
export async function insertChunks(
  queries: Queries,
  chunks: readonly PlacedChunk[],
  { id, token }: Pick<ChunkOwner, "id" | "token">,
): Promise<void> {
  for (const page of pagesOf(chunks))
    await queries.query(
      `INSERT INTO pith.run_log
         (stored_at, run_id, token, seq, stream, lines, stdout_before, stderr_before, bytes_before, first_line_in,
          bytes, object, object_offset, size)
       SELECT (SELECT stored_at FROM pith.run_id WHERE id = $1), $1, $2, * FROM unnest($3::integer[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
         $9::integer[], $10::bytea[], $11::text[], $12::integer[], $13::integer[])
       ON CONFLICT DO NOTHING`,
      [id, token, ...chunkColumns(page)],
    );
}

/** Returns the number of the last stored chunk (-1 if there is none) and the byte offset at which it ends. */
export async function lastChunk(
  queries: Queries,
  { log, id, token }: ChunkOwner,
): Promise<{ readonly seq: number; readonly end: number }> {
  const [row] = await queries.query(
    `SELECT seq, bytes_before + ${SIZE} AS end FROM ${log.table}
     WHERE ${log.id} = $1 AND ${log.partition} AND token = $2 ORDER BY seq DESC LIMIT 1`,
    [id, token],
  );
  return { seq: Number(row?.["seq"] ?? -1), end: Number(row?.["end"] ?? 0) };
}

export async function removeChunks(queries: Queries, { log, id, token }: ChunkOwner): Promise<void> {
  await queries.query(`DELETE FROM ${log.table} WHERE ${log.id} = $1 AND ${log.partition} AND token = $2`, [
    id,
    token,
  ]);
}

/** Returns how many lines and bytes the output has, computed from its last chunk. */
export async function chunkTotals(queries: Queries, { log, id, token }: ChunkOwner): Promise<LogTotals> {
  const [row] = await queries.query(
    `SELECT stream, lines, stdout_before, stderr_before, bytes_before + ${SIZE} AS bytes
     FROM ${log.table} WHERE ${log.id} = $1 AND ${log.partition} AND token = $2 ORDER BY seq DESC LIMIT 1`,
    [id, token],
  );
  const of = (stream: StreamName): number =>
    Number(row?.[`${stream}_before`] ?? 0) + (row?.["stream"] === stream ? Number(row["lines"]) : 0);
  const stdoutLines = of("stdout");
  const stderrLines = of("stderr");
  return {
    lines: stdoutLines + stderrLines,
    stdoutLines,
    stderrLines,
    bytes: Number(row?.["bytes"] ?? 0),
  };
}

/** Yields the chunks of output in order, starting with the one that contains the given line. */
export async function* readChunks(
  { store, bodies }: { readonly store: Postgres; readonly bodies: Bodies },
  { log, id, token, stream, fromLine }: ChunkQuery & Pick<ChunkOwner, "log">,
): AsyncGenerator<LogChunk> {
  const wanted = stream === "both" ? null : stream;
  const [start] = await store.query(
    `SELECT first_line_in FROM ${log.table}
     WHERE ${log.id} = $1 AND ${log.partition} AND token = $2 AND ($3::text IS NULL OR stream = $3) AND $4 >
       CASE $3::text WHEN 'stdout' THEN stdout_before WHEN 'stderr' THEN stderr_before
         ELSE stdout_before + stderr_before END
     ORDER BY seq DESC LIMIT 1`,
    [id, token, wanted, fromLine],
  );
  let next = Number(start?.["first_line_in"] ?? 0);
  for (;;) {
    const rows = await store.query(
      `SELECT * FROM ${log.table} WHERE ${log.id} = $1 AND ${log.partition} AND token = $2 AND ($3::text IS NULL OR stream = $3) AND seq >= $4
       ORDER BY seq LIMIT ${CHUNKS_PER_STATEMENT}`,
      [id, token, wanted, next],
    );
    for (const row of rows) yield await chunkOf(row, bodies);
    if (rows.length < CHUNKS_PER_STATEMENT) return;
    next = Number(rows.at(-1)?.["seq"]) + 1;
  }
}

async function chunkOf(row: Row, bodies: Bodies): Promise<LogChunk> {
  const offset = Number(row["object_offset"]);
  const bytes =
    row["object"] === null
      ? bytesOf(row["bytes"])
      : (await bodies.get(String(row["object"]))).subarray(offset, offset + Number(row["size"]));
  return {
    seq: Number(row["seq"]),
    stream: row["stream"] === "stderr" ? "stderr" : "stdout",
    bytes,
    lines: Number(row["lines"]),
    stdoutBefore: Number(row["stdout_before"]),
    stderrBefore: Number(row["stderr_before"]),
    bytesBefore: Number(row["bytes_before"]),
    firstLineIn: Number(row["first_line_in"]),
  };
}
