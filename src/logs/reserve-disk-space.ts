import { open, readFile, stat, truncate } from "node:fs/promises";
import { decodeRecord, type LogPaths, RECORD_BYTES } from "./log-format.ts";

/** How much disk space to free, enough for the record of a run with all its diagnostics. */
const FREED_BYTES = 4 * 1024 * 1024;
/** At most this share of a log is cut off, so that a short log keeps some lines. */
const MAX_FREED_SHARE = 0.5;
/** A log shorter than this is left unchanged, because cutting it would not free enough space. */
const MIN_LOG_BYTES = 64 * 1024;
/**
 * The point at which a log is cut is moved back to a line end by at most this many bytes; inside a longer line it stays
 * where it is.
 */
const MAX_LINE_BYTES = 64 * 1024;

/**
 * Cuts off the end of a log that filled the disk, so that the record of the run can still be written: the result of a
 * command is worth more than its last lines of output. The log stays readable, with an index that matches the files.
 */
export async function reserveDiskSpace(paths: LogPaths): Promise<void> {
  const sizes = { stdout: (await stat(paths.stdout)).size, stderr: (await stat(paths.stderr)).size };
  const larger = sizes.stdout >= sizes.stderr ? "stdout" : "stderr";
  const given =
    sizes[larger] < MIN_LOG_BYTES ? 0 : Math.min(FREED_BYTES, Math.floor(sizes[larger] * MAX_FREED_SHARE));
  const end = await findLineEndBefore(paths[larger], sizes[larger] - given);
  await truncate(paths[larger], end);
  await truncateIndex(paths.index, { ...sizes, [larger]: end });
}

async function findLineEndBefore(path: string, most: number): Promise<number> {
  const file = await open(path, "r");
  try {
    const from = Math.max(0, most - MAX_LINE_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most - from), 0, most - from, from);
    const lineFeed = buffer.subarray(0, bytesRead).lastIndexOf(10);
    return lineFeed < 0 ? most : from + lineFeed + 1;
  } finally {
    await file.close();
  }
}

/**
 * Removes the index records of blocks after the cut, and the record that marks the end, so that readers determine the
 * log's end from the file sizes.
 */
async function truncateIndex(
  path: string,
  ends: { readonly stdout: number; readonly stderr: number },
): Promise<void> {
  const index = await readFile(path);
  let records = 0;
  for (; (records + 1) * RECORD_BYTES <= index.length; records++) {
    const start = decodeRecord(index.subarray(records * RECORD_BYTES, (records + 1) * RECORD_BYTES));
    if (
      start === undefined ||
      start.stream === "end" ||
      start.stdoutBytes > ends.stdout ||
      start.stderrBytes > ends.stderr
    )
      break;
  }
  await truncate(path, records * RECORD_BYTES);
}
