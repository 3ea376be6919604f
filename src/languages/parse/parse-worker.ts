import { parentPort } from "node:worker_threads";
import { isRuntimeExhausted } from "./grammar.ts";
import { parseText } from "./parse-text.ts";
import type { ParseReply, ParseRequest } from "./parse-pool.ts";

// A rejected promise is not handled here, so that it ends the worker and raises the `error` event in the pool.
parentPort?.on("message", (request: ParseRequest) => void answer(request));

async function answer({ text, languageId, deadlineMs }: ParseRequest): Promise<void> {
  const outline = await parseText(text, languageId, deadlineMs);
  const reply: ParseReply = { answer: JSON.stringify(outline), isExhausted: isRuntimeExhausted() };
  parentPort?.postMessage(reply);
}
