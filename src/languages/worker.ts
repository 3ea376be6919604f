import { parentPort } from "node:worker_threads";
import { outlineOf } from "./outline.ts";
import type { ParseRequest } from "./pool.ts";

// Fails loudly in the pool's `error` event: an unhandled rejection ends the worker.
parentPort?.on("message", (request: ParseRequest) => void answer(request));

async function answer({ text, languageId, deadlineMs }: ParseRequest): Promise<void> {
  const outline = await outlineOf(text, languageId, { deadlineMs });
  parentPort?.postMessage(JSON.stringify(outline));
}
