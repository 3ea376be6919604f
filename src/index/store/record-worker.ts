import { parentPort } from "node:worker_threads";
import { isRuntimeExhausted } from "../../languages/parse/grammar.ts";
import { parseText } from "../../languages/parse/parse-text.ts";
import type { WorkerReply } from "../../kernel/worker-pool.ts";
import { decode } from "./content.ts";
import { recordOf } from "./record.ts";
import { packRecords, unpackTexts, type PackedRecords, type PackedTexts } from "./record-pack.ts";

// If processing fails, the unhandled rejection ends this worker and reaches the pool as an `error` event.
parentPort?.on("message", (texts: PackedTexts) => void answer(texts));

async function answer(packed: PackedTexts): Promise<void> {
  const records = [];
  for (const { bytes, language } of unpackTexts(packed)) {
    // If an earlier text has exhausted the parser's memory, every further one would fail. The pool then sends each text
    // alone.
    if (isRuntimeExhausted()) throw new Error("the parser of this thread is exhausted");
    const text = decode(bytes) ?? "";
    const outline = language === "text" ? undefined : await parseText(text, language, packed.deadlineMs);
    records.push(recordOf(text, outline));
  }
  const reply: WorkerReply<PackedRecords> = {
    answer: packRecords(records),
    isExhausted: isRuntimeExhausted(),
  };
  parentPort?.postMessage(reply, [reply.answer.bytes.buffer]);
}
