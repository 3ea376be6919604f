import type { Publication } from "../../../index/store/store.ts";
import { FEATURE_VERSION } from "../../../index/store/versions.ts";
import { compareText } from "../../../kernel/nearest.ts";
import { numberOf, textOf } from "../../rows/values.ts";
import type { Queries } from "../database.ts";
import { isBytes } from "../values.ts";

/** How many record keys one SQL statement looks up. */
const KEYS_PER_READ = 2_000;
const RECORDS_PER_SWEEP = 2_000;
/** How many bytes of records one SQL statement writes, because the database server holds them in memory. */
const BYTES_PER_WRITE = 8 * 1024 * 1024;
/** The time of a record's last use is updated at most once per this interval, to save writes. */
const REFRESH_INTERVAL_MS = 7 * 24 * 60 * 60 * 1_000;

type NewRecord = Publication["records"][number];

/** Returns which of the keys have a record, and updates the time at which those records were last used. */
export async function knownRecords(
  queries: Queries,
  keys: readonly string[],
  now = Date.now(),
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const batch of batches(keys)) {
    const rows = await queries.query(
      "SELECT key, added_at < $3 AS old FROM pith.record WHERE feature = $1 AND key = ANY($2::text[])",
      [FEATURE_VERSION, batch, now - REFRESH_INTERVAL_MS],
    );
    for (const { key } of rows) found.add(textOf(key));
    const old = rows.filter((row) => row["old"] === true).map(({ key }) => textOf(key));
    if (old.length > 0) await refreshUse(queries, old, now);
  }
  return found;
}

/** Returns one part of the records of these blobs (file contents), by key: the search features or the uses of names. */
export async function readParts(
  queries: Queries,
  column: "features" | "uses",
  keys: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  for (const batch of batches(keys)) {
    const rows = await queries.query(
      `SELECT key, ${column} AS part FROM pith.record WHERE feature = $1 AND key = ANY($2::text[])`,
      [FEATURE_VERSION, batch],
    );
    for (const { key, part } of rows) if (isBytes(part)) found.set(textOf(key), part);
  }
  return found;
}

export async function readOutline(queries: Queries, key: string): Promise<Uint8Array | undefined> {
  const [row] = await queries.query("SELECT outline FROM pith.record WHERE feature = $1 AND key = $2", [
    FEATURE_VERSION,
    key,
  ]);
  const outline: unknown = row?.["outline"];
  return isBytes(outline) ? outline : undefined;
}

/**
 * Adds records in the order of their keys, so that two servers that add the same records wait for each other instead of
 * deadlocking. The bytes of many records are sent as one value, which the database splits.
 */
export async function addRecords(queries: Queries, records: readonly NewRecord[]): Promise<void> {
  // Files with the same content share a record, which one statement may insert only once.
  const unique = new Map(records.map((one) => [one.key, one]));
  const sorted = [...unique.values()].toSorted((a, b) => compareText(a.key, b.key));
  for (let at = 0; at < sorted.length;) {
    const batch = takeBatch(sorted, at);
    at += batch.length;
    const parts = batch.flatMap(({ record }) => [record.features, record.outline, record.uses]);
    const lengths = parts.map((part) => part.length);
    const starts: number[] = [];
    let start = 1;
    for (const length of lengths) {
      starts.push(start);
      start += length;
    }
    const every = (numbers: number[], part: 0 | 1 | 2) => numbers.filter((_, index) => index % 3 === part);
    await queries.query("SELECT pith.put_records($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", [
      FEATURE_VERSION,
      Buffer.concat(parts),
      Date.now(),
      batch.map(({ key }) => key),
      every(starts, 0),
      every(lengths, 0),
      every(starts, 1),
      every(lengths, 1),
      every(starts, 2),
      every(lengths, 2),
    ]);
  }
}

/**
 * Deletes records that no manifest references and that nobody has used since the given time, and old records of earlier
 * format versions. Deletes in small batches, because other servers add records at the same time.
 */
export async function sweepRecords(queries: Queries, before: number): Promise<number> {
  let swept = 0;
  for (;;) {
    const [row] = await queries.query("SELECT pith.sweep_records($1, $2, $3) AS n", [
      before,
      FEATURE_VERSION,
      RECORDS_PER_SWEEP,
    ]);
    const count = numberOf(row?.["n"]);
    swept += count;
    if (count < RECORDS_PER_SWEEP) return swept;
  }
}

/** Updates the time at which records were last used. Rows that another server is updating at the moment are skipped. */
async function refreshUse(queries: Queries, keys: readonly string[], now: number): Promise<void> {
  await queries.query("SELECT pith.use_records($1, $2, $3)", [FEATURE_VERSION, keys, now]);
}

function* batches(keys: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < keys.length; at += KEYS_PER_READ) yield keys.slice(at, at + KEYS_PER_READ);
}

function takeBatch(records: readonly NewRecord[], from: number): readonly NewRecord[] {
  let bytes = 0;
  let end = from;
  while (end < records.length && (end === from || bytes < BYTES_PER_WRITE)) {
    const record = records[end]?.record;
    bytes += (record?.features.length ?? 0) + (record?.outline.length ?? 0) + (record?.uses.length ?? 0);
    end++;
  }
  return records.slice(from, end);
}
