import { open, readFile, stat, truncate } from "node:fs/promises";
import { decodeRecord, type LogPaths, RECORD_BYTES } from "./log-format.ts";

/** Room for the record of a run with all that was found in its output... */
const ROOM_BYTES = 4 * 1024 * 1024;
/** ...and not so much that nothing is left of a short log... */
const MAX_SHARE = 0.5;
/** ...nor anything of one that is too short to make room by that. */
const MIN_LOG_BYTES = 64 * 1024;
/** A line that is longer is cut where it is. */
const MAX_LINE_BYTES = 64 * 1024;

/**
 * Gives back the end of a log that filled its disk, so that the record of the run can still be written: how a command ended is worth more
 * than the last lines before the disk was full. The log stays readable: whole lines, and an index that knows of no more than there is.
 */
export async function makeRoom(paths: LogPaths): Promise<void> {
  const sizes = { stdout: (await stat(paths.stdout)).size, stderr: (await stat(paths.stderr)).size };
  const larger = sizes.stdout >= sizes.stderr ? "stdout" : "stderr";
  const given =
    sizes[larger] < MIN_LOG_BYTES ? 0 : Math.min(ROOM_BYTES, Math.floor(sizes[larger] * MAX_SHARE));
  const end = await lineEndBefore(paths[larger], sizes[larger] - given);
  await truncate(paths[larger], end);
  await cutIndex(paths.index, { ...sizes, [larger]: end });
}

async function lineEndBefore(path: string, most: number): Promise<number> {
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

/** Without the blocks that begin behind the ends, and without the mark of a finished log: the files say where it ends. */
async function cutIndex(
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
