import { DEFAULT_DEADLINE_MS, emptyOutline, HANG_MARGIN_MS } from "../../languages/pool.ts";
import { createWorkerPool } from "../../languages/worker-pool.ts";
import { decode, type NewText } from "./content.ts";
import { packTexts, unpackRecords, type PackedRecords, type PackedTexts } from "./record-pack.ts";
import { recordOf } from "./record.ts";
import { storedRecord, type StoredRecord } from "./stored-record.ts";

/** Worker threads that create records in parallel. */
export interface RecordPool {
  record(texts: readonly NewText[]): Promise<readonly StoredRecord[]>;
  close(): Promise<void>;
}

/**
 * Texts are sent in packs, because a message costs as much as reading 2 KB of text. Larger packs would keep some
 * workers busy while others are idle.
 */
const MAX_MESSAGE_BYTES = 48 * 1024;

export function createRecordPool(size: number): RecordPool {
  const workers = createWorkerPool<PackedTexts, PackedRecords>({
    script: "record-worker.js",
    size,
    // A pack has the time limit of a single text; one that exceeds it is split up.
    patienceMs: DEFAULT_DEADLINE_MS + HANG_MARGIN_MS,
    weigh: ({ bytes }) => bytes.length,
  });
  const recordPack = async (texts: readonly NewText[]): Promise<readonly StoredRecord[]> => {
    const answer = await workers.ask(packTexts(texts, DEFAULT_DEADLINE_MS));
    if (answer !== undefined) return unpackRecords(answer).map(storedRecord);
    // One of the texts crashed the worker or took too long; reading each one alone saves the others.
    if (texts.length > 1) return (await Promise.all(texts.map((text) => recordPack([text])))).flat();
    return texts.map(recordWithoutOutline);
  };
  return {
    record: async (texts) => (await Promise.all(splitIntoPacks(texts).map(recordPack))).flat(),
    close: () => workers.close(),
  };
}

/** Splits the texts, in order, into packs of the largest message size. */
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

/** Creates a record with words but no symbols, for a text that no worker could parse. */
function recordWithoutOutline({ bytes, language }: NewText): StoredRecord {
  const outline = language === "text" ? undefined : emptyOutline(language, true);
  return storedRecord(recordOf(decode(bytes) ?? "", outline));
}
