import { DEFAULT_DEADLINE_MS, emptyOutline, HANG_MARGIN_MS } from "../../languages/pool.ts";
import { createWorkerPool } from "../../languages/worker-pool.ts";
import { decode, type Unrecorded } from "./content.ts";
import { packTexts, unpackRecords, type PackedRecords, type PackedTexts } from "./record-pack.ts";
import { recordOf } from "./record.ts";
import { storedRecord, type StoredRecord } from "./stored-record.ts";

/** Worker threads that make records side by side. */
export interface RecordPool {
  record(texts: readonly Unrecorded[]): Promise<readonly StoredRecord[]>;
  close(): Promise<void>;
}

/** A message takes as long as reading some 2 KB of text; with more than this in one, the workers end at different times. */
const MESSAGE_BYTES = 48 * 1024;

export function createRecordPool(size: number): RecordPool {
  const workers = createWorkerPool<PackedTexts, PackedRecords>({
    script: "record-worker.js",
    size,
    // Several texts may take no longer than one: a pack that does is taken apart.
    patienceMs: DEFAULT_DEADLINE_MS + HANG_MARGIN_MS,
    weigh: ({ bytes }) => bytes.length,
  });
  const recordPack = async (texts: readonly Unrecorded[]): Promise<readonly StoredRecord[]> => {
    const answer = await workers.ask(packTexts(texts, DEFAULT_DEADLINE_MS));
    if (answer !== undefined) return unpackRecords(answer).map(storedRecord);
    // One of them ended the worker, or kept it too long: each is read alone, so that the others are not lost with it.
    if (texts.length > 1) return (await Promise.all(texts.map((text) => recordPack([text])))).flat();
    return texts.map(recordUnread);
  };
  return {
    record: async (texts) => (await Promise.all(packs(texts).map(recordPack))).flat(),
    close: () => workers.close(),
  };
}

/** In order, each with as many texts as fit into a message. */
function packs(texts: readonly Unrecorded[]): Unrecorded[][] {
  const all: Unrecorded[][] = [];
  let pack: Unrecorded[] | undefined;
  let size = 0;
  for (const text of texts) {
    size += text.bytes.length;
    if (pack === undefined || size > MESSAGE_BYTES) {
      pack = [];
      all.push(pack);
      size = text.bytes.length;
    }
    pack.push(text);
  }
  return all;
}

/** A text that no worker could read still has its words. */
function recordUnread({ bytes, language }: Unrecorded): StoredRecord {
  const outline = language === "text" ? undefined : emptyOutline(language, true);
  return storedRecord(recordOf(decode(bytes) ?? "", outline));
}
