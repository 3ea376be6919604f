import { availableParallelism } from "node:os";
import { outlineOf } from "../../languages/outline.ts";
import { collectGarbage } from "../../kernel/garbage.ts";
import { decode, type NewText } from "./content.ts";
import { createRecordPool, type RecordPool } from "./record-pool.ts";
import { recordOf } from "./record.ts";
import { storedRecord, type StoredRecord } from "./stored-record.ts";
import { forgetWords } from "../text/word-count.ts";

/** Creates records of texts: a few in this thread, many in worker threads. */
export interface Recorder {
  /** Creates records; `ahead` is the number of texts still to come, including these. */
  record(texts: readonly NewText[], ahead?: number): Promise<readonly StoredRecord[]>;
  close(): Promise<void>;
}

/** More texts than this are read by workers; starting one takes about as long as reading this many. */
const MAX_TEXTS_IN_THREAD = 12;
/** Further workers would only wait for the thread that reads files and stores records. */
const MAX_WORKERS = 4;
/** A further worker pays off with this many files, because each one spends half a second compiling its code. */
const FILES_PER_WORKER = 5_000;
/** Idle workers are stopped after this time, because each holds the memory of its parsers. */
const IDLE_MS = 3_000;
const COLLECTION_INTERVAL_MS = 3_000;
/** Collections after work in workers; several, because the next query leaves garbage of its own some seconds later. */
const COLLECTIONS_AFTER_WORK = 5;

/** Creates a recorder; with `workers` 0 it uses as many as the amount of work justifies, at most one per core. */
export function createRecorder(workers = 0): Recorder {
  let pool: RecordPool | undefined;
  let idle: NodeJS.Timeout | undefined;
  let collections = 0;
  /** Number of running calls; the recorder is idle only when there are none. */
  let active = 0;
  const recordMany = (texts: readonly NewText[], ahead: number): Promise<readonly StoredRecord[]> => {
    pool ??= createRecordPool(workers === 0 ? workersFor(ahead) : workers);
    return pool.record(texts);
  };
  const close = async (): Promise<void> => {
    clearTimeout(idle);
    const open = pool;
    pool = undefined;
    await open?.close();
    forgetWords();
  };
  /**
   * Stops the workers and collects garbage. The first collection frees objects, later ones return pages to the system.
   */
  const releaseMemory = async (): Promise<void> => {
    if (active > 0) return;
    await close();
    if (collections === 0 || active > 0) return;
    collections--;
    collectGarbage();
    idle = setTimeout(() => void releaseMemory(), COLLECTION_INTERVAL_MS).unref();
  };
  return {
    async record(texts, ahead = texts.length) {
      clearTimeout(idle);
      active++;
      try {
        const many = pool !== undefined || texts.length > MAX_TEXTS_IN_THREAD;
        const records = await (many ? recordMany(texts, ahead) : Promise.all(texts.map(recordInThread)));
        if (many) collections = COLLECTIONS_AFTER_WORK;
        return records;
      } finally {
        active--;
        clearTimeout(idle);
        idle = setTimeout(() => void releaseMemory(), IDLE_MS).unref();
      }
    },
    close,
  };
}

function workersFor(files: number): number {
  const worthwhile = Math.max(2, Math.min(MAX_WORKERS, Math.ceil(files / FILES_PER_WORKER)));
  // One core is left for the thread that reads files, compresses and stores.
  return Math.max(1, Math.min(availableParallelism() - 1, worthwhile));
}

async function recordInThread({ bytes, language }: NewText): Promise<StoredRecord> {
  const text = decode(bytes) ?? "";
  return storedRecord(recordOf(text, language === "text" ? undefined : await outlineOf(text, language)));
}
