import { parentPort } from "node:worker_threads";
import { isRuntimeSpent } from "./grammar.ts";
import { outlineInThread } from "./in-thread.ts";
import type { ParseReply, ParseRequest } from "./pool.ts";

// An unhandled rejection ends the worker and raises the `error` event of the pool.
parentPort?.on("message", (request: ParseRequest) => void answer(request));

async function answer({ text, languageId, deadlineMs }: ParseRequest): Promise<void> {
  const outline = await outlineInThread(text, languageId, deadlineMs);
  const reply: ParseReply = { answer: JSON.stringify(outline), isSpent: isRuntimeSpent() };
  parentPort?.postMessage(reply);
}
