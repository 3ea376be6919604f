import { parentPort } from "node:worker_threads";
import { isRuntimeSpent } from "../../languages/grammar.ts";
import { outlineInThread } from "../../languages/in-thread.ts";
import type { WorkerReply } from "../../languages/worker-pool.ts";
import { decode } from "./content.ts";
import { recordOf } from "./record.ts";
import { packRecords, unpackTexts, type PackedRecords, type PackedTexts } from "./record-pack.ts";

// Fails loudly in the pool's `error` event: an unhandled rejection ends the worker.
parentPort?.on("message", (texts: PackedTexts) => void answer(texts));

async function answer(packed: PackedTexts): Promise<void> {
  const records = [];
  for (const { bytes, language } of unpackTexts(packed)) {
    // An earlier text has used it up: this one would be given up at once. The pool asks for each of them alone.
    if (isRuntimeSpent()) throw new Error("the parser of this thread is spent");
    const text = decode(bytes) ?? "";
    const outline =
      language === "text" ? undefined : await outlineInThread(text, language, packed.deadlineMs);
    records.push(recordOf(text, outline));
  }
  const reply: WorkerReply<PackedRecords> = { answer: packRecords(records), isSpent: isRuntimeSpent() };
  parentPort?.postMessage(reply, [reply.answer.bytes.buffer]);
}
