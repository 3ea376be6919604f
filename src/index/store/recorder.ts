import { availableParallelism } from "node:os";
import { outlineOf } from "../../languages/outline.ts";
import { releaseCodeUnits } from "../../languages/code-units.ts";
import { collectGarbage } from "../../kernel/garbage.ts";
import { decode, type NewText } from "./content.ts";
import { packTexts, unpackRecords, type PackedRecords, type PackedTexts } from "./record-pack.ts";
import { DEFAULT_DEADLINE_MS, emptyOutline, HANG_MARGIN_MS } from "../../languages/parse/parse-pool.ts";
import { createWorkerPool } from "../../kernel/worker-pool.ts";
import { optimizeLater } from "./optimize-later.ts";
import { recordOf } from "./record.ts";
import { storedRecord, type StoredRecord } from "./stored-record.ts";
import { clearWordTable } from "../text/word-count.ts";

/** Creates the index records of texts: of a few in this thread, of many in worker threads. */
export interface Recorder {
  /**
   * Creates the index records of texts; `ahead` is the number of texts that are to be indexed in all, including these.
   */
  record(texts: readonly NewText[], ahead?: number): Promise<readonly StoredRecord[]>;
  close(): Promise<void>;
}

/**
 * Number of texts up to which no worker thread is used; starting one takes about as long as processing this many texts.
 */
const MAX_TEXTS_IN_THREAD = 12;
/** Upper bound on worker threads; more would only wait for the thread that reads files and stores records. */
const MAX_WORKERS = 4;
/**
 * Number of files per worker thread from which another one is worthwhile; each spends half a second compiling its code.
 */
const FILES_PER_WORKER = 5_000;
/** Time after which idle worker threads are stopped, because each of them holds the memory of its parsers. */
const IDLE_MS = 3_000;
const COLLECTION_INTERVAL_MS = 3_000;
/**
 * Number of garbage collections after the use of worker threads. Several are needed, because the next query leaves more
 * garbage some seconds later.
 */
const COLLECTIONS_AFTER_WORK = 5;

/**
 * Creates a recorder, which creates index records. With `workers` 0 it uses as many threads as the amount of work
 * justifies, at most one per core.
 */
export function createRecorder(workers = 0): Recorder {
  let pool: RecordPool | undefined;
  let idle: NodeJS.Timeout | undefined;
  let collections = 0;
  /** Number of running calls; the recorder is idle when it is 0. */
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
    clearWordTable();
    releaseCodeUnits();
  };
  /**
   * Stops the worker threads and collects garbage. The first collection frees objects, later ones return pages to the
   * system.
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
  // One core is left for the main thread, which reads files, compresses records and stores them.
  return Math.max(1, Math.min(availableParallelism() - 1, worthwhile));
}

async function recordInThread({ bytes, language }: NewText): Promise<StoredRecord> {
  const text = decode(bytes) ?? "";
  return storedRecord(recordOf(text, language === "text" ? undefined : await outlineOf(text, language)));
}

/** Worker threads that create index records in parallel. */
interface RecordPool {
  record(texts: readonly NewText[]): Promise<readonly StoredRecord[]>;
  close(): Promise<void>;
}

/**
 * Upper bound on the size of a message to a worker thread. Several texts are sent together, because a message costs as
 * much as processing 2 KB of text; with larger messages, some threads would be busy while others are idle.
 */
const MAX_MESSAGE_BYTES = 48 * 1024;

function createRecordPool(size: number): RecordPool {
  const optimizeAgain = optimizeLater();
  const workers = createWorkerPool<PackedTexts, PackedRecords>({
    script: "record-worker.js",
    size,
    // All texts of a message together have the time limit of a single text; if they exceed it, each is sent alone.
    timeoutMs: DEFAULT_DEADLINE_MS + HANG_MARGIN_MS,
    sizeOf: ({ bytes }) => bytes.length,
  });
  const recordPack = async (texts: readonly NewText[]): Promise<readonly StoredRecord[]> => {
    const answer = await workers.request(packTexts(texts, DEFAULT_DEADLINE_MS));
    if (answer !== undefined) return unpackRecords(answer).map(storedRecord);
    // If one of the texts crashed the worker or took too long, each text is processed alone, so that the others are not
    // lost.
    if (texts.length > 1) return (await Promise.all(texts.map((text) => recordPack([text])))).flat();
    return texts.map(recordWithoutOutline);
  };
  return {
    record: async (texts) => (await Promise.all(splitIntoPacks(texts).map(recordPack))).flat(),
    close: async () => {
      optimizeAgain();
      await workers.close();
    },
  };
}

/** Splits the texts, in order, into groups that fill a message to a worker thread. */
function splitIntoPacks(texts: readonly NewText[]): NewText[][] {
  const all: NewText[][] = [];
  let pack: NewText[] | undefined;
  let size = 0;
  for (const text of texts) {
    size += text.bytes.length;
    if (pack === undefined || size > MAX_MESSAGE_BYTES) {
      pack = [];
      all.push(pack);
      size = text.bytes.length;
    }
    pack.push(text);
  }
  return all;
}

/** Creates an index record with words but no symbols, for a text that no worker thread could parse. */
function recordWithoutOutline({ bytes, language }: NewText): StoredRecord {
  const outline = language === "text" ? undefined : emptyOutline(language, true);
  return storedRecord(recordOf(decode(bytes) ?? "", outline));
}
