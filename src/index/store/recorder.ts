import { availableParallelism } from "node:os";
import { outlineOf } from "../../languages/outline.ts";
import { collectGarbage } from "../../kernel/garbage.ts";
import { decode, type Unrecorded } from "./content.ts";
import { createRecordPool, type RecordPool } from "./record-pool.ts";
import { recordOf } from "./record.ts";
import { storedRecord, type StoredRecord } from "./stored-record.ts";
import { forgetWords } from "../text/word-count.ts";

/** Makes records of texts: in this thread when there are few, in worker threads when there are many. */
export interface Recorder {
  /** `ahead`: how many texts are still to come, these among them. */
  record(texts: readonly Unrecorded[], ahead?: number): Promise<readonly StoredRecord[]>;
  close(): Promise<void>;
}

/** Starting a worker takes about as long as reading this many files. */
const FEW = 12;
/** More workers than this only wait for the thread that reads files and stores records. */
const MAX_WORKERS = 4;
/** Each worker compiles the same code for itself, half a second of work: one more pays with this many files. */
const FILES_A_WORKER = 5_000;
/** Idle workers hold a grammar heap each. */
const IDLE_MS = 3_000;
const COLLECT_MS = 3_000;
/** The first question after much work leaves garbage of its own, on a busy machine some seconds later. */
const COLLECTIONS = 5;

/** `workers` 0: as many as the work pays for, at most one a core. */
export function createRecorder(workers = 0): Recorder {
  let pool: RecordPool | undefined;
  let idle: NodeJS.Timeout | undefined;
  let collections = 0;
  /** Calls that are under way: another one's end is no rest. */
  let active = 0;
  const recordMany = (texts: readonly Unrecorded[], ahead: number): Promise<readonly StoredRecord[]> => {
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
  /** The first collection frees what much work has left, the second one gives the pages back. */
  const rest = async (): Promise<void> => {
    if (active > 0) return;
    await close();
    if (collections === 0 || active > 0) return;
    collections--;
    collectGarbage();
    idle = setTimeout(() => void rest(), COLLECT_MS).unref();
  };
  return {
    async record(texts, ahead = texts.length) {
      clearTimeout(idle);
      active++;
      try {
        const many = pool !== undefined || texts.length > FEW;
        const records = await (many ? recordMany(texts, ahead) : Promise.all(texts.map(recordHere)));
        if (many) collections = COLLECTIONS;
        return records;
      } finally {
        active--;
        clearTimeout(idle);
        idle = setTimeout(() => void rest(), IDLE_MS).unref();
      }
    },
    close,
  };
}

function workersFor(files: number): number {
  const paid = Math.max(2, Math.min(MAX_WORKERS, Math.ceil(files / FILES_A_WORKER)));
  // One core is for the thread that reads files, compresses and stores.
  return Math.max(1, Math.min(availableParallelism() - 1, paid));
}

async function recordHere({ bytes, language }: Unrecorded): Promise<StoredRecord> {
  const text = decode(bytes) ?? "";
  return storedRecord(recordOf(text, language === "text" ? undefined : await outlineOf(text, language)));
}
