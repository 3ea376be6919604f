import type { LogChunk } from "../../model/job.ts";
import type { StreamName } from "../../model/run.ts";
import type { Claim, ChunkQuery, JobQueue } from "../../pool/queue.ts";
import type { Postgres, Queries, Row } from "./database.ts";

/** Pieces are up to a quarter of a megabyte each. */
const PAGE = 16;

/** Reads the output that workers have sent. */
export function logQueries(store: Postgres): Pick<JobQueue, "totals" | "chunks"> {
  return {
    async totals(id, token) {
      const [row] = await store.query(
        `SELECT a.token, l.stream, l.lines, l.stdout_before, l.stderr_before,
           l.bytes_before + octet_length(l.bytes) AS bytes
         FROM (SELECT id, coalesce($2::integer, token) AS token FROM pith.job WHERE id = $1) a
         LEFT JOIN LATERAL (SELECT * FROM pith.job_log WHERE job_id = a.id AND token = a.token
           ORDER BY seq DESC LIMIT 1) l ON true`,
        [id, token ?? null],
      );
      if (row === undefined) return undefined;
      const of = (stream: StreamName): number =>
        Number(row[`${stream}_before`] ?? 0) + (row["stream"] === stream ? Number(row["lines"]) : 0);
      const stdoutLines = of("stdout");
      const stderrLines = of("stderr");
      return {
        token: Number(row["token"]),
        lines: stdoutLines + stderrLines,
        stdoutLines,
        stderrLines,
        bytes: Number(row["bytes"] ?? 0),
      };
    },
    chunks: (query) => chunks(store, query),
  };
}

/** Adds pieces of output; those that are there already stay as they are. */
export async function insertChunks(
  queries: Queries,
  { id, token }: Pick<Claim, "id" | "token">,
  pieces: readonly LogChunk[],
): Promise<void> {
  for (let start = 0; start < pieces.length; start += PAGE) {
    const page = pieces.slice(start, start + PAGE);
    await queries.query(
      `INSERT INTO pith.job_log
         (job_id, token, seq, stream, lines, stdout_before, stderr_before, bytes_before, first_line_in, bytes)
       SELECT $1, $2, * FROM unnest($3::integer[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
         $9::integer[], $10::bytea[])
       ON CONFLICT DO NOTHING`,
      [
        id,
        token,
        page.map((one) => one.seq),
        page.map((one) => one.stream),
        page.map((one) => one.lines),
        page.map((one) => one.stdoutBefore),
        page.map((one) => one.stderrBefore),
        page.map((one) => one.bytesBefore),
        page.map((one) => one.firstLineIn),
        page.map((one) => one.bytes),
      ],
    );
  }
}

async function* chunks(store: Postgres, query: ChunkQuery): AsyncGenerator<LogChunk> {
  const { id, token, stream, fromLine } = query;
  const wanted = stream === "both" ? null : stream;
  const [start] = await store.query(
    `SELECT first_line_in FROM pith.job_log
     WHERE job_id = $1 AND token = $2 AND ($3::text IS NULL OR stream = $3) AND $4 >
       CASE $3::text WHEN 'stdout' THEN stdout_before WHEN 'stderr' THEN stderr_before
         ELSE stdout_before + stderr_before END
     ORDER BY seq DESC LIMIT 1`,
    [id, token, wanted, fromLine],
  );
  let next = Number(start?.["first_line_in"] ?? 0);
  for (;;) {
    const rows = await store.query(
      `SELECT * FROM pith.job_log WHERE job_id = $1 AND token = $2 AND ($3::text IS NULL OR stream = $3) AND seq >= $4
       ORDER BY seq LIMIT ${PAGE}`,
      [id, token, wanted, next],
    );
    for (const row of rows) yield readChunk(row);
    if (rows.length < PAGE) return;
    next = Number(rows.at(-1)?.["seq"]) + 1;
  }
}

function readChunk(row: Row): LogChunk {
  return {
    seq: Number(row["seq"]),
    stream: row["stream"] as StreamName,
    bytes: row["bytes"] as Buffer,
    lines: Number(row["lines"]),
    stdoutBefore: Number(row["stdout_before"]),
    stderrBefore: Number(row["stderr_before"]),
    bytesBefore: Number(row["bytes_before"]),
    firstLineIn: Number(row["first_line_in"]),
  };
}
